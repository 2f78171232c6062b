package watch

import (
	"container/heap"
	"context"
	"path/filepath"
	"sync"
	"time"

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
// What comes out for a path is the kind of its last event with the Seen and Via
// of its first: a note that is removed and written again, which is how many
// editors save, is one change, seen when it began.
type Debounce struct {
	quiet, limit time.Duration
	stat         func(rel string) (disk.Entry, error) // nil without Verify
	wake         chan struct{}                        // holds one token when there is an earlier deadline than before

	mu      sync.Mutex // guards the fields below
	waiting map[string]*waiter
	order   deadlines // the same waiters, earliest first
}

// waiter is one path that has not been quiet for long enough.
type waiter struct {
	event  Event
	due    time.Time
	latest time.Time // due never goes beyond, but for a note that is gone
	gone   bool      // it was not there when its time had come
	index  int       // in deadlines
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
		wake:    make(chan struct{}, 1),
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
		w.event.Kind, w.event.stamp, w.gone = e.Kind, e.stamp, false
		w.due = now.Add(d.quiet)
		if w.due.After(w.latest) {
			w.due = w.latest
		}
		heap.Fix(&d.order, w.index)
		return // its deadline moved away: Run, waking for the old one, will see
	}
	d.push(&waiter{event: e, due: now.Add(d.quiet), latest: now.Add(d.limit)})
}

// push begins to wait. The caller holds mu.
func (d *Debounce) push(w *waiter) {
	d.waiting[w.event.Path] = w
	heap.Push(&d.order, w)
	if w.index == 0 {
		select {
		case d.wake <- struct{}{}:
		default:
		}
	}
}

// Run passes each event to out when its time has come, one at a time, until ctx
// ends; then it returns nil. Events that still wait stay where they are: a later
// Run goes on with them.
func (d *Debounce) Run(ctx context.Context, out func(Event)) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		w, wait := d.next(time.Now())
		if w != nil {
			if d.verifyNote(w) {
				out(w.event)
			}
			continue
		}
		timer.Reset(wait)
		select {
		case <-ctx.Done():
		case <-d.wake:
		case <-timer.C:
		}
	}
	return nil
}

// verifyNote looks at a note whose time has come. If it is to wait longer it waits
// again, unless there is a new event for it meanwhile.
func (d *Debounce) verifyNote(w *waiter) bool {
	if d.stat == nil {
		return true
	}
	e, err := d.stat(w.event.Path)
	now := time.Now()
	switch {
	case err != nil && !disk.IsAbsent(err):
		return true // out of reach: whoever reads it will see
	case err != nil || e.Type != disk.File:
		if w.gone {
			w.event.Kind = Removed
			return true
		}
		w.gone, w.due = true, now.Add(d.quiet)
	case e.Stamp == w.event.stamp && w.event.Kind == Changed || !now.Before(w.latest):
		w.event.Kind = Changed
		return true
	default:
		w.event.Kind, w.event.stamp, w.gone = Changed, e.Stamp, false
		w.due = earlier(now.Add(min(unstable, d.quiet)), w.latest)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if newer, ok := d.waiting[w.event.Path]; ok {
		newer.event.Seen, newer.event.Via = w.event.Seen, w.event.Via
		return false
	}
	d.push(w)
	return false
}

// next takes the one whose time has come, or says how long there is none.
func (d *Debounce) next(now time.Time) (due *waiter, wait time.Duration) {
	const forever = 24 * time.Hour
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.order) == 0 {
		return nil, forever
	}
	first := d.order[0]
	if wait := first.due.Sub(now); wait > 0 {
		return nil, wait
	}
	heap.Pop(&d.order)
	delete(d.waiting, first.event.Path)
	return first, 0
}

// deadlines is a heap.Interface; each waiter knows its place in it.
type deadlines []*waiter

func (h deadlines) Len() int           { return len(h) }
func (h deadlines) Less(i, j int) bool { return h[i].due.Before(h[j].due) }

func (h deadlines) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *deadlines) Push(x any) {
	w := x.(*waiter)
	w.index = len(*h)
	*h = append(*h, w)
}

func (h *deadlines) Pop() any {
	last := len(*h) - 1
	w := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return w
}
