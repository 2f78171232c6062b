package writer

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite/swap"
)

// lockNothing is for a note that has its turn at any time.
func lockNothing(context.Context, string) (unlock func(), err error) { return func() {}, nil }

// TestExchanges ends each exchange after its grace, again while that fails, and
// what still waits when the engine ends.
func TestExchanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var list []string
		away := true
		d := newExchanges(lockNothing, func(_ context.Context, s journal.Swap, by ending) error {
			mu.Lock()
			defer mu.Unlock()
			list = append(list, s.Temp)
			if s.Temp == "away" && away {
				away = false
				return errors.New("the vault's folder cannot be reached")
			}
			return nil
		})
		tried := func() []string {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(list)
		}
		d.addSettled(journal.Swap{Temp: "before it runs"})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { d.run(ctx); d.flushAll(); ended <- nil }()
		wait(swap.Grace - time.Second)
		d.addSettled(journal.Swap{Temp: "away"})
		synctest.Wait()
		if got := tried(); len(got) != 0 {
			t.Errorf("ended before the grace was over: %v", got)
		}
		wait(swap.Grace + 2*time.Second)
		if got := tried(); !slices.Equal(got, []string{"before it runs", "away"}) {
			t.Fatalf("tried %v", got)
		}
		wait(swap.Grace)
		wait(time.Hour)
		if got := tried(); len(got) != 3 {
			t.Errorf("tried %v; want the one that failed once more, and no more after that", got)
		}
		d.addSettled(journal.Swap{Temp: "at the end"})
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if got := tried(); len(got) != 4 || got[3] != "at the end" {
			t.Errorf("tried %v; want what still waits to be ended with the engine", got)
		}
	})
}

// TestMend ends what could not be ended before the next write of its note, and
// says that the note must be left alone while that fails.
func TestMend(t *testing.T) {
	var list []string
	away := true
	d := newExchanges(lockNothing, func(_ context.Context, s journal.Swap, _ ending) error {
		list = append(list, s.Temp)
		if away {
			return errors.New("the vault's folder cannot be reached")
		}
		return nil
	})
	d.addSettled(journal.Swap{Path: "/v/a.md", Temp: "kept"})
	d.addBroken(journal.Swap{Path: "/v/b.md", Temp: "another note's"})
	d.addBroken(journal.Swap{Path: "/v/a.md", Temp: "broken"})
	if err := d.mendNote(t.Context(), "/v/a.md"); err == nil {
		t.Error("an exchange that cannot be ended does not keep the note from being written")
	}
	away = false
	for range 2 {
		if err := d.mendNote(t.Context(), "/v/a.md"); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(list, []string{"broken", "broken"}) {
		t.Errorf("ended %v", list)
	}
	if len(d.pending) != 2 || d.pending["kept"].swap.Temp != "kept" {
		t.Errorf("%d are left", len(d.pending))
	}
}

// TestMendBeforeItsTime: an exchange that waits for the turn of its note is mended by the
// write whose turn comes before.
func TestMendBeforeItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turn := make(chan struct{})
		waits := func(context.Context, string) (func(), error) { <-turn; return func() {}, nil }
		ended := 0
		d := newExchanges(waits, func(context.Context, journal.Swap, ending) error { ended++; return nil })
		ctx, cancel := context.WithCancel(t.Context())
		go d.run(ctx)
		d.addBroken(journal.Swap{Path: "/v/a.md", Temp: "broken"})
		wait(swap.Grace + time.Second)
		if err := d.mendNote(t.Context(), "/v/a.md"); err != nil || ended != 1 {
			t.Errorf("the write finds %d exchanges to end, %v", ended, err)
		}
		close(turn)
		cancel()
		d.flushAll()
		if ended != 1 || len(d.pending) != 0 {
			t.Errorf("ended %d times, %d are left", ended, len(d.pending))
		}
	})
}
