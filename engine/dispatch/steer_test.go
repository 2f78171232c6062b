package dispatch_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
)

// A dispatch whose hold could not be recorded is still queued, and has its turn.
func TestHoldThatFails(t *testing.T) {
	bubble(t, "waiting", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Concurrency: 1}, slow(time.Minute))
		defer w.close()
		w.submit("one")
		d := w.submit("two")
		ended, end := context.WithCancel(t.Context())
		end()
		if err := w.d.Hold(ended, d.ID, journal.ForBurst, "many came"); err == nil {
			t.Fatal("it was held")
		}
		wait(time.Hour)
		w.want(d.ID, journal.Done, 0, "")
		if !slices.Equal(w.asked, []string{"one", "two"}) {
			t.Errorf("asked %q", w.asked)
		}
	})
}
