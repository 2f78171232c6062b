package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
)

// A look at a disk that does not come back is told after two seconds, with the time
// when it began, until it comes back.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changes := 0
		f := facts{changed: func() { changes++ }}
		back, begun := make(chan struct{}), time.Now()
		go f.look(func() { <-back })
		time.Sleep(silentAfter - 1)
		if got := f.silence(); got != "" || changes != 0 {
			t.Errorf("just before two seconds: %q, %d changes", got, changes)
		}
		time.Sleep(time.Hour)
		if got, want := f.silence(), "not responding since "+begun.Local().Format("15:04"); got != want || changes != 1 {
			t.Errorf("got %q, %d changes, want %q", got, changes, want)
		}
		close(back)
		synctest.Wait()
		if got := f.silence(); got != "" || changes != 2 {
			t.Errorf("after it came back: %q, %d changes", got, changes)
		}
	})
}

// A call into a vault whose disk hangs ends when that is known; the caller is told why.
func TestWhileResponding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		v := &vault{name: "v", asked: make(chan struct{}, 1), facts: facts{changed: func() {}}}
		slow := func() (int, error) { time.Sleep(time.Hour); return 1, nil }
		if n, err := whileResponding(ctx, v, slow); n != 1 || err != nil {
			t.Errorf("a slow call: %d, %v", n, err)
		}
		back := make(chan struct{})
		go v.facts.look(func() { <-back })
		begun := time.Now()
		_, err := whileResponding(ctx, v, slow)
		if refused, ok := errors.AsType[*api.StatusError](err); !ok || refused.Code != "offline" || time.Since(begun) > 2*silentAfter {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		cancel()
		if _, err := whileResponding(ctx, v, slow); !errors.Is(err, context.Canceled) {
			t.Errorf("with its context ended: %v", err)
		}
		close(back)
		time.Sleep(2 * time.Hour) // until the calls that were left behind have ended
	})
}

// Two vaults whose names differ and whose folders overlap through a link: the notes
// are answered once, and the status says why the other vault is not watched.
func TestVaultsThatOverlapThroughALink(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "vault", "Sub")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(inner, link); err != nil {
		t.Skip(err)
	}
	r, err := openEngine(t, dir, &echoes{}, func(c *config.Config) {
		c.Vaults = append(c.Vaults, config.Vault{Name: "linked", Path: link})
	})
	if err != nil {
		t.Fatal(err)
	}
	r.awaitOpen(0)
	for r.vaults[1].facts.refusal() == "" {
		r.pause()
	}
	r.save("Sub/n.md", question(0))
	r.until("Sub/n.md", answer(0))
	status, err := r.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if v := status.Vaults[1]; v.State != "offline" || !strings.Contains(v.Reason, "may be in one vault only") {
		t.Errorf("the second vault: %s, %s", v.State, v.Reason)
	}
	if notices := textsOf(status.Notices); !strings.Contains(notices, "linked is not watched: ") {
		t.Errorf("notices: %q", notices)
	}
	r.rest()
	r.only() // one dispatch: the question was asked once
}
