package vault

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/vault/facts"
	"vaultdispatcher/engine/vault/register"
)

// A call into a vault whose disk hangs ends when that is known; the caller is told why.
func TestWhileResponding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		v := &Vault{Name: "v", asked: make(chan struct{}, 1), facts: facts.Facts{Changed: func() {}}}
		slow := func() (int, error) { time.Sleep(time.Hour); return 1, nil }
		if n, err := WhileResponding(ctx, v, slow); n != 1 || err != nil {
			t.Errorf("a slow call: %d, %v", n, err)
		}
		back := make(chan struct{})
		go v.facts.TimeLook(func() { <-back })
		begun := time.Now()
		_, err := WhileResponding(ctx, v, slow)
		if _, ok := errors.AsType[*Silent](err); !ok || time.Since(begun) > 2*facts.SilentAfter {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		cancel()
		if _, err := WhileResponding(ctx, v, slow); !errors.Is(err, context.Canceled) {
			t.Errorf("with its context ended: %v", err)
		}
		close(back)
		time.Sleep(2 * time.Hour) // until the calls that were left behind have ended
	})
}

// Where the disk is known not to respond, nothing more waits for it; and before that is known only so many calls do.
func TestCallsLeftBehindAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &Vault{Name: "v", asked: make(chan struct{}, 1), facts: facts.Facts{Changed: func() {}}}
		back := make(chan struct{})
		var begun, refused atomic.Int32
		ask := func() {
			_, err := WhileResponding(t.Context(), v, func() (int, error) { begun.Add(1); <-back; return 1, nil })
			if _, ok := errors.AsType[*Silent](err); ok {
				refused.Add(1)
			}
		}
		for range 3 * mostBehind {
			go ask()
		}
		synctest.Wait()
		if begun.Load() != mostBehind || refused.Load() != 2*mostBehind {
			t.Errorf("%d calls wait for the disk, %d were refused", begun.Load(), refused.Load())
		}
		go v.facts.TimeLook(func() { <-back })
		time.Sleep(2 * facts.SilentAfter)
		if ask(); begun.Load() != mostBehind || refused.Load() != 3*mostBehind+1 {
			t.Errorf("on a silent disk: %d calls were begun, %d refused", begun.Load(), refused.Load())
		}
		close(back)
		synctest.Wait()
		if ask(); begun.Load() != mostBehind+1 || v.behind.Load() != 0 {
			t.Errorf("when it is back: %d calls were begun, %d wait", begun.Load(), v.behind.Load())
		}
	})
}

// A vault waits for those before it to say which folders they are. That is no silence of
// its own disk.
func TestWaitingForAnEarlierVaultIsNoSilence(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		all, log := new(register.Register), slog.New(slog.DiscardHandler)
		New(Options{Register: all, Log: log}, quietPort()) // its disk hangs
		begun, stop := time.Now(), errors.New("far enough")
		var v *Vault
		v = New(Options{Register: all, Vault: config.Vault{Name: "v", Path: dir}, Log: log}, Port{Engine: quiet{}, Dispatcher: quiet{}, Writer: recovering{then: func() error {
			if got := v.Silence(); got != "" || time.Since(begun) != register.TurnTime {
				t.Errorf("after %v its disk is %q", time.Since(begun), got)
			}
			return stop
		}}})
		if err := v.tryOpen(t.Context()); !errors.Is(err, stop) {
			t.Error(err)
		}
	})
}

// An undo in a vault whose disk hangs is given up before anything of it was recorded, and
// nothing is recorded when the disk is back: there is no journal here that could take it.
func TestUndoBeginsNothingOnADiskThatHangs(t *testing.T) {
	v := New(Options{Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, quietPort())
	v.Root = t.TempDir()
	v.facts.SetBegun(time.Now().Add(-time.Minute))
	v.mu.Lock() // as a look does that waits for the disk
	given := make(chan error, 1)
	go func() {
		_, err := v.BeginUndo(t.Context(), journal.Dispatch{ID: "d", File: "n.md"})
		given <- err
	}()
	select {
	case err := <-given:
		if _, ok := errors.AsType[*Silent](err); !ok {
			t.Errorf("the error is %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Error("the undo waits for the disk")
	}
	v.mu.Unlock()
	v.mu.Lock() // whoever was left behind has had it before, and has given it back
	defer v.mu.Unlock()
	if v.tracked["n.md"] {
		t.Error("the note has a claim")
	}
}

// recovering calls a function when a vault waits for what a crash has cut short.
type recovering struct {
	quiet
	then func() error
}

func (r recovering) AwaitRecovery(context.Context, string) error { return r.then() }
