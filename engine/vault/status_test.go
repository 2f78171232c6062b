package vault

import (
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/vault/register"
	"vaultdispatcher/engine/watch"
)

// A look at a note waits for the disk, with its vault locked. A status does not wait
// with it.
func TestStatusWhileALookWaits(t *testing.T) {
	v := New(Options{Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, quietPort())
	var err error
	if v.Watcher, err = watch.New(watch.Options{Root: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	if v.Catalog.index, err = recall.Open(t.Context(), filepath.Join(t.TempDir(), "index.db"), t.TempDir(), recall.Options{}); err != nil {
		t.Fatal(err)
	}
	defer v.Catalog.index.Close()
	close(v.Opened)
	v.Troubles.Add("Note.md", errors.New("the disk is full"))
	v.mu.Lock()
	defer v.mu.Unlock()
	told := make(chan string, 1)
	go func() {
		v.Condition.Ask()
		_, why := v.Troubles.Any()
		state, _ := v.State()
		if v.Condition.Silence() != "" || v.Condition.WhyRefused() != "" || v.CountSettling() != 0 || !v.Watching.PausedUntil().IsZero() || v.Condition.IsAtomic() {
			state = "something else"
		}
		told <- state + ", " + why.Error()
	}()
	select {
	case got := <-told:
		if want := "indexing, the disk is full"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	case <-time.After(time.Minute):
		t.Error("a status waits for a look")
	}
}
