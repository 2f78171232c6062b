package watch

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/watch/disk"
)

// Debounce waits until a path has been quiet before it passes its event on. An
// editor that saves every half second would never be quiet, so no path waits
// longer than the maximum. Paths do not delay each other, and a thousand of them
// share one timer.
//
// With [Debounce.Verify] it also looks at the note before it passes an event on: a
// program that writes slowly, or restores the time stamp, may be at work although
// nothing was told for a while, and a note that is gone may be on its way back, as
// in the gap between the two renames of a save.
//
// Events that are due are ordered by [due.Queue]: crowded ones come after the others.
//
// An event that comes out has the kind of the path's last event with the Seen, Via and New of its first, and Saved where
// it is true of each: a note that is removed and written again, which is how many editors save, is one change, seen when
// it began.
type Debounce struct {
	quiet, limit time.Duration
	stat         func(rel string) (disk.Entry, error) // nil without Verify
	queue        *due.Queue[string]                   // the paths of waiting

	mu      sync.Mutex // guards waiting and what it holds
	waiting map[string]*waiter
}

// waiter is one path that has not been quiet for long enough.
type waiter struct {
	event  Event
	time   time.Time // when its time has come
	latest time.Time // it waits no longer, but for a note that is gone
	absent bool      // it was not there when its time had come
}

// unstable is how long a note is left alone that was not as the event had it, but
// no longer than the quiet it has to keep.
const unstable = 250 * time.Millisecond

// NewDebounce returns a Debounce that holds each path for quiet after its last
// event, but no longer than limit after its first. A limit below quiet counts
// as quiet.
func NewDebounce(quiet, limit time.Duration) *Debounce {
	return &Debounce{
		quiet:   quiet,
		limit:   max(quiet, limit),
		queue:   due.New[string](),
		waiting: make(map[string]*waiter),
	}
}

// Verify has each note of the vault at root looked at before its event comes out:
// one that is not as it was seen waits a little longer, one that is gone is waited
// for once more and then reported as removed. It returns d and is called before
// Run.
func (d *Debounce) Verify(root string) *Debounce {
	d.stat = func(rel string) (disk.Entry, error) {
		return disk.Inspect(filepath.Join(root, filepath.FromSlash(rel)))
	}
	return d
}

// Add takes an event and returns at once. It may be called from any goroutine,
// before, during and after Run.
func (d *Debounce) Add(e Event) {
	now := time.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if w, ok := d.waiting[e.Path]; ok {
		w.event.Kind, w.event.Stamp, w.absent = e.Kind, e.Stamp, false
		w.event.Crowded, w.event.Saved = w.event.Crowded && e.Crowded, w.event.Saved && e.Saved
		d.putWaiter(w, earlier(now.Add(d.quiet), w.latest))
		return
	}
	d.putWaiter(&waiter{event: e, latest: now.Add(d.limit)}, now.Add(d.quiet))
}

// putWaiter has a waiter wait until at. The caller holds mu.
func (d *Debounce) putWaiter(w *waiter, at time.Time) {
	w.time = at
	d.waiting[w.event.Path] = w
	d.queue.PutAs(w.event.Path, at, w.event.Crowded)
}

// takeWaiter ends the wait for a path whose time has come. It returns nil when an event
// that came just now has put it off.
func (d *Debounce) takeWaiter(path string) *waiter {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := d.waiting[path]
	if w == nil || time.Now().Before(w.time) {
		return nil
	}
	delete(d.waiting, path)
	return w
}

// Run passes each event to out when its time has come, one at a time, until ctx ends; then it returns nil. Events
// that still wait are kept for a later Run.
func (d *Debounce) Run(ctx context.Context, out func(Event)) error {
	d.queue.Run(ctx, func(path string) {
		if w := d.takeWaiter(path); w != nil && d.verifyNote(w) {
			out(w.event)
		}
	})
	return nil
}

// Next returns when the first waiting event comes out; ok is false when none waits. A time in the past means that out
// is still at earlier events, or that Run is not running.
func (d *Debounce) Next() (at time.Time, ok bool) {
	_, at, ok = d.queue.Next()
	return at, ok
}

// verifyNote looks at a note whose time has come. If it is to wait longer it waits
// again, unless there is a new event for it meanwhile.
func (d *Debounce) verifyNote(w *waiter) bool {
	if d.stat == nil {
		return true
	}
	e, err := d.stat(w.event.Path)
	now := time.Now()
	w.event.Saved = w.event.Saved && (e.Stamp == w.event.Stamp || e.Stamp.IsSave(now, 0))
	var again time.Time
	switch {
	case err != nil && !disk.IsAbsent(err):
		return true // out of reach: the reader of the note finds out
	case err != nil || e.Type != disk.File:
		if w.absent {
			w.event.Kind = Removed
			return true
		}
		w.absent, again = true, now.Add(d.quiet)
	case e.Stamp == w.event.Stamp && w.event.Kind == Changed || !now.Before(w.latest):
		w.event.Kind, w.event.Stamp = Changed, e.Stamp
		return true
	default:
		w.event.Kind, w.event.Stamp, w.absent = Changed, e.Stamp, false
		again = earlier(now.Add(min(unstable, d.quiet)), w.latest)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if newer, ok := d.waiting[w.event.Path]; ok {
		newer.event.Time, newer.event.Via, newer.event.New = w.event.Time, w.event.Via, w.event.New
		newer.event.Crowded, newer.event.Saved = newer.event.Crowded && w.event.Crowded, newer.event.Saved && w.event.Saved
		return false
	}
	d.putWaiter(w, again)
	return false
}
