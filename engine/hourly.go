package engine

import (
	"context"
	"fmt"
	"time"

	"vaultdispatcher/engine/journal"
)

// limited says of a dispatch that may start whether it has to wait for its hour. It
// returns the start that was taken for it.
func (e *Engine) limited(d *journal.Dispatch, now time.Time) time.Time {
	if d.Status != journal.Queued {
		return time.Time{}
	}
	now = now.Truncate(time.Millisecond) // as the journal keeps it
	at := e.hourly.Take(now)
	if at.After(now) {
		d.Status, d.NextAttempt = journal.Held, at
		d.Error = fmt.Sprintf("more than wiki.limits.perHour (%d) in an hour; it starts by itself", e.hourly.Most())
	}
	return at
}

// timed lets dispatches go that are held until a certain time.
type timed struct {
	list    func(context.Context) ([]journal.Timed, error) // in the order of their time
	release func(context.Context, journal.Timed) error
	woken   chan struct{} // holds one token when the list has grown
	failed  func(error)
}

// added says that there is one more.
func (t *timed) added() {
	select {
	case t.woken <- struct{}{}:
	default:
	}
}

// run releases each when its time has come, until ctx ends.
func (t *timed) run(ctx context.Context) error {
	for {
		var due <-chan time.Time
		waiting, err := t.list(ctx)
		for len(waiting) > 0 && !waiting[0].At.After(time.Now()) && err == nil {
			err = t.release(ctx, waiting[0])
			waiting = waiting[1:]
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil: // a full disk, say
			t.failed(err)
			due = time.After(again)
		case len(waiting) > 0:
			due = time.After(time.Until(waiting[0].At))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.woken:
		case <-due:
		}
	}
}
