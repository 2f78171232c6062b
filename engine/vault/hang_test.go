package vault

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/past"
	"vaultdispatcher/engine/vault/copies"
	"vaultdispatcher/engine/vault/register"
)

// hangingPasts waits as a look at notes on a disk that hangs does.
type hangingPasts struct {
	past.Journal
	back chan struct{}
}

func (h hangingPasts) ForgetPasts(context.Context, string, time.Time, time.Duration, func(string) bool) error {
	<-h.back
	return nil
}

// noCopies knows none.
type noCopies struct{ copies.Journal }

func (noCopies) ForgetCopies(context.Context, string, time.Time, time.Duration, func(string) bool) error {
	return nil
}

// What waits for the disk once a day keeps nobody from finding out that the disk hangs.
func TestForgettingKeepsNoFacts(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "n.md"), []byte("words\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		v := New(Options{Vault: config.Vault{Name: "v", Path: dir}, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, quietPort())
		v.makeParts(dir)
		back := make(chan struct{})
		v.memory.Journal, v.copied.Journal = hangingPasts{back: back}, noCopies{}
		go v.Condition.keep(ctx)
		go v.forgetForever(ctx)
		time.Sleep(forgetAfter + time.Hour)
		v.Condition.Ask()
		time.Sleep(2 * time.Second)
		if len(v.Condition.asked) > 0 {
			t.Error("nobody looks for the facts")
		}
		cancel()
		close(back)
		synctest.Wait()
	})
}

// resuming goes on with a dispatch when its vault is open, while somebody else has the vault.
type resuming struct {
	quiet
	v     **Vault
	once  sync.Once
	there chan struct{}
}

func (r *resuming) StatusChanged() {
	if v := *r.v; v != nil && v.IsOpen() {
		r.once.Do(func() { v.mu.Lock(); close(r.there) })
	}
}

func (r *resuming) VaultOpened(v *Vault) { v.ResumeDispatch(journal.Dispatch{}) }

// The facts are looked for from the moment that the vault is open, whoever waits for it then.
func TestFactsAreKeptFromTheOpening(t *testing.T) {
	t.Parallel()
	dir, v := t.TempDir(), (*Vault)(nil)
	if err := os.WriteFile(filepath.Join(dir, "n.md"), []byte("words\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &resuming{v: &v, there: make(chan struct{})}
	v = New(Options{Cache: t.TempDir(), Vault: config.Vault{Name: "v", Path: dir}, Journal: openJournal(t), Register: new(register.Register), Log: slog.New(slog.DiscardHandler)},
		Port{Engine: r, Dispatcher: r, Writer: r})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- v.Run(ctx) }()
	<-r.there
	v.Condition.Ask()
	for begun := time.Now(); len(v.Condition.asked) > 0; <-time.After(10 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Error("nobody looks for the facts of a vault that waits for its disk")
			break
		}
	}
	v.mu.Unlock()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func openJournal(t *testing.T) *journal.Journal {
	t.Helper()
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

// A note that came from elsewhere is no less new because its vault was not met yet when it was first looked at: its question
// is held as that of any note from there.
func TestNewStaysNewUntilTheVaultIsMet(t *testing.T) {
	j, src := openJournal(t), []byte("> @agent-Miner what?\n")
	for _, met := range []bool{true, false} {
		p := &starting{}
		v := New(Options{Journal: j, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: p, Dispatcher: quiet{}, Writer: p})
		v.makeParts(t.TempDir())
		v.judged = met
		bring(t, v, "clips/n.md", time.Now(), src)
		err := os.WriteFile(filepath.Join(v.Root, "n.md"), src, 0o600)
		if _, failed := v.look(t.Context(), Save{Rel: "n.md", Time: time.Now(), Trigger: "watch", New: true, Urgent: true}); err != nil || failed != nil {
			t.Fatal(err, failed)
		}
		if !met {
			v.judged = true
			next := v.notes.Of("n.md").wake
			if _, err := v.look(t.Context(), Save{Rel: "n.md", Time: time.Now(), Trigger: next.Trigger, New: next.New, Urgent: next.Urgent}); err != nil {
				t.Fatal(err)
			}
		}
		if len(p.groups) != 1 || p.groups[0].Hold != journal.ForUntrusted {
			t.Errorf("met %v: the groups are %+v", met, p.groups)
		}
	}
}

// However many looks are asked for from outside, none of them is taken for a disk that does not respond.
func TestLooksTakeOnePlaceEach(t *testing.T) {
	v := New(Options{Journal: openJournal(t), Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, quietPort())
	v.makeParts(t.TempDir())
	v.judged = true
	if err := os.WriteFile(filepath.Join(v.Root, "n.md"), []byte("words\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	v.mu.Lock() // a look at work
	var all sync.WaitGroup
	var begun atomic.Int32
	for range 64 {
		all.Go(func() {
			_, err := OnDisk(t.Context(), v, func(d Disk) (Looked, error) {
				begun.Add(1)
				return d.Look(t.Context(), Save{Rel: "n.md", Time: time.Now(), Trigger: "scan"})
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for begun.Load() < 64 {
		<-time.After(time.Millisecond)
	}
	v.mu.Unlock()
	all.Wait()
}

// A look that has given way asks the disk for nothing more. Here the disk answers, so that it would be seen: it would tell of
// a link, which is no note.
func TestALookThatGaveWayAsksNothing(t *testing.T) {
	for _, silent := range []bool{true, false} {
		v := New(Options{Journal: openJournal(t), Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, quietPort())
		v.makeParts(t.TempDir())
		v.judged = true
		err := errors.Join(os.WriteFile(filepath.Join(v.Root, "real.md"), []byte("words\n"), 0o600), os.Symlink("real.md", filepath.Join(v.Root, "n.md")))
		if err != nil {
			t.Skip("this system makes no links:", err)
		}
		ctx, end := context.WithCancel(t.Context())
		if end(); silent {
			ctx = t.Context()
			v.Condition.SetBegun(time.Now().Add(-time.Minute))
		}
		if _, err := v.look(ctx, Save{Rel: "n.md", Time: time.Now(), Trigger: "watch", New: true}); err == nil {
			t.Error("it did not give way")
		}
		if v.notes.Of("n.md").wake.Rel == "" {
			t.Errorf("silent %v: it is not made again: the disk was asked after it was given up", silent)
		}
	}
}
