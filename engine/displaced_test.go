package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite/swap"
)

// TestDisplaced ends each exchange after its grace, again while that fails, and
// leaves what still waits when the engine ends.
func TestDisplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tried []string
		away := true
		d := newDisplaced(func(_ context.Context, s journal.Swap, by ending) error {
			tried = append(tried, s.Temp)
			if s.Temp == "away" && away {
				return errors.New("the vault's folder cannot be reached")
			}
			return nil
		})
		d.add(journal.Swap{Temp: "before it runs"}, swap.Settle)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- d.run(ctx) }()
		time.Sleep(swap.Grace - time.Second)
		d.add(journal.Swap{Temp: "away"}, swap.Recover)
		synctest.Wait()
		if len(tried) != 0 {
			t.Errorf("ended before the grace was over: %v", tried)
		}
		time.Sleep(swap.Grace + 2*time.Second)
		synctest.Wait()
		if len(tried) != 2 || tried[0] != "before it runs" || tried[1] != "away" {
			t.Fatalf("tried %v", tried)
		}
		away = false
		time.Sleep(swap.Grace)
		synctest.Wait()
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(tried) != 3 {
			t.Errorf("tried %v; want the one that failed once more, and no more after that", tried)
		}
		d.add(journal.Swap{Temp: "at the end"}, swap.Settle)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if first, ok := d.first(); !ok || first.swap.Temp != "at the end" {
			t.Errorf("waiting: %v, %v", first.swap, ok)
		}
	})
}
