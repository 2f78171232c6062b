package vault

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/vault/behind"
	"vaultdispatcher/engine/vault/register"
)

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
			if got := v.Condition.Silence(); got != "" || time.Since(begun) != register.TurnTime {
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
	v.makeParts(t.TempDir())
	v.Condition.SetBegun(time.Now().Add(-time.Minute))
	v.mu.Lock() // as a look does that waits for the disk
	given := make(chan error, 1)
	go func() {
		_, err := v.BeginUndo(t.Context(), journal.Dispatch{ID: "d", File: "n.md"})
		given <- err
	}()
	select {
	case err := <-given:
		if _, ok := errors.AsType[*behind.Silent](err); !ok {
			t.Errorf("the error is %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("the undo waits for the disk")
	}
	v.mu.Unlock()
	v.mu.Lock() // whoever was left behind has had it before, and has given it back
	defer v.mu.Unlock()
	if v.follower.HasClaims("n.md") {
		t.Error("the note has a claim")
	}
}

// recovering calls a function when a vault waits for what a crash has cut short.
type recovering struct {
	quiet
	then func() error
}

func (r recovering) AwaitRecovery(context.Context, string) error { return r.then() }
