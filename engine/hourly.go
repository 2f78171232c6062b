package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/journal"
)

// hourly keeps wiki.limits.perHour: it gives each dispatch the time from which it
// may start, so that no hour sees more than the limit. A dispatch that has to wait
// is held until then, or until a person releases it.
type hourly struct {
	most int

	mu     sync.Mutex  // guards the field below
	starts []time.Time // of the last hour and those promised, in order
}

// take returns when one more dispatch may start: now, or later.
func (h *hourly) take(now time.Time) time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := now
	if n := len(h.starts); h.most > 0 && n >= h.most {
		if free := h.starts[n-h.most].Add(time.Hour); free.After(at) {
			at = free
		}
	}
	h.insert(at, now)
	return at
}

// count takes note of a dispatch that starts whatever the limit says.
func (h *hourly) count(at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.insert(at, at)
}

// giveBack takes a start back that did not come to be.
func (h *hourly) giveBack(at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i, found := slices.BinarySearchFunc(h.starts, at, time.Time.Compare); found {
		h.starts = slices.Delete(h.starts, i, i+1)
	}
}

// insert adds a start and forgets those an hour before now; the caller holds mu.
func (h *hourly) insert(at, now time.Time) {
	old, _ := slices.BinarySearchFunc(h.starts, now.Add(-time.Hour), time.Time.Compare)
	h.starts = slices.Delete(h.starts, 0, old)
	i, _ := slices.BinarySearchFunc(h.starts, at, time.Time.Compare)
	h.starts = slices.Insert(h.starts, i, at)
}

// limited says of a dispatch that may start whether it has to wait for its hour. It
// returns the start that was taken for it.
func (e *Engine) limited(d *journal.Dispatch, now time.Time) time.Time {
	if d.Status != journal.Queued {
		return time.Time{}
	}
	now = now.Truncate(time.Millisecond) // as the journal keeps it
	at := e.hourly.take(now)
	if at.After(now) {
		d.Status, d.NextAttempt = journal.Held, at
		d.Error = fmt.Sprintf("more than wiki.limits.perHour (%d) in an hour; it starts by itself", e.hourly.most)
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
