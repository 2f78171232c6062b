package engine

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/journal"
)

// TestTimed: what is held until a time goes then, also after a failure and when it
// was added meanwhile.
func TestTimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		at := func(id string, minutes int) journal.Timed {
			return journal.Timed{ID: id, At: begun.Add(time.Duration(minutes) * time.Minute)}
		}
		waiting := []journal.Timed{at("a", 10), at("b", 20)}
		var released []string
		failures := 0
		timer := &timed{
			woken: make(chan struct{}, 1),
			list:  func(context.Context) ([]journal.Timed, error) { return slices.Clone(waiting), nil },
			release: func(_ context.Context, d journal.Timed) error {
				if d.ID == "b" && failures == 0 {
					return errors.New("disk full")
				}
				released = append(released, d.ID+" "+time.Since(begun).String())
				waiting = slices.DeleteFunc(waiting, func(w journal.Timed) bool { return w.ID == d.ID })
				return nil
			},
			failed: func(error) { failures++ },
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- timer.run(ctx) }()
		time.Sleep(12 * time.Minute)
		synctest.Wait()
		waiting = append([]journal.Timed{at("c", 15)}, waiting...)
		timer.added()
		time.Sleep(time.Hour)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if want := []string{"a 10m0s", "c 15m0s", "b 20m5s"}; !slices.Equal(released, want) || failures != 1 {
			t.Errorf("released %q after %d failures, want %q", released, failures, want)
		}
	})
}
