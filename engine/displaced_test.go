package engine

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

// TestDisplaced ends each exchange after its grace, again while that fails, and
// what still waits when the engine ends.
func TestDisplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var list []string
		away := true
		d := newDisplaced(func(_ context.Context, s journal.Swap, by ending) error {
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
		d.add(journal.Swap{Temp: "before it runs"}, swap.Settle)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- d.run(ctx) }()
		time.Sleep(swap.Grace - time.Second)
		d.add(journal.Swap{Temp: "away"}, swap.Recover)
		synctest.Wait()
		if got := tried(); len(got) != 0 {
			t.Errorf("ended before the grace was over: %v", got)
		}
		time.Sleep(swap.Grace + 2*time.Second)
		synctest.Wait()
		if got := tried(); !slices.Equal(got, []string{"before it runs", "away"}) {
			t.Fatalf("tried %v", got)
		}
		time.Sleep(swap.Grace)
		synctest.Wait()
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := tried(); len(got) != 3 {
			t.Errorf("tried %v; want the one that failed once more, and no more after that", got)
		}
		d.add(journal.Swap{Temp: "at the end"}, swap.Settle)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if got := tried(); len(got) != 4 || got[3] != "at the end" {
			t.Errorf("tried %v; want what still waits to be ended with the engine", got)
		}
	})
}
