package roles

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/journal"
)

// TestReleaser: what is held until a time goes then, also after a failure and when it
// was added meanwhile.
func TestReleaser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		at := func(id string, minutes int) journal.Timed {
			return journal.Timed{ID: id, Time: begun.Add(time.Duration(minutes) * time.Minute)}
		}
		waiting := []journal.Timed{at("a", 10), at("b", 20)}
		var released []string
		failures := 0
		releaser := NewReleaser(ReleaserOptions{
			List: func(context.Context) ([]journal.Timed, error) { return slices.Clone(waiting), nil },
			Release: func(_ context.Context, d journal.Timed) error {
				if d.ID == "b" && failures == 0 {
					return errors.New("disk full")
				}
				released = append(released, d.ID+" "+time.Since(begun).String())
				waiting = slices.DeleteFunc(waiting, func(w journal.Timed) bool { return w.ID == d.ID })
				return nil
			},
			Failed: func(error) { failures++ },
		})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { releaser.Run(ctx); ended <- nil }()
		<-time.After(12 * time.Minute)
		synctest.Wait()
		waiting = append([]journal.Timed{at("c", 15)}, waiting...)
		releaser.LookAgain()
		<-time.After(time.Hour)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if want := []string{"a 10m0s", "c 15m0s", "b 20m5s"}; !slices.Equal(released, want) || failures != 1 {
			t.Errorf("released %q after %d failures, want %q", released, failures, want)
		}
	})
}
