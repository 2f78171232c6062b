package watch

import (
	"container/heap"
	"context"
	"sync"
	"time"
)

// Debounce waits until a path has been quiet before it passes its event on. An
// editor that saves every half second would never be quiet, so no path waits
// longer than the maximum. Paths do not delay each other, and a thousand of them
// share one timer.
//
// What comes out for a path is the kind of its last event with the Seen and Via
// of its first: a note that is removed and written again, which is how many
// editors save, is one change, seen when it began.
type Debounce struct {
	quiet, limit time.Duration
	wake         chan struct{} // holds one token when there is an earlier deadline than before

	mu      sync.Mutex // guards the fields below
	waiting map[string]*waiter
	order   deadlines // the same waiters, earliest first
}

// waiter is one path that has not been quiet for long enough.
type waiter struct {
	event  Event
	due    time.Time
	latest time.Time // due never goes beyond
	index  int       // in deadlines
}

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

// Add takes an event and returns at once. It may be called from any goroutine,
// before, during and after Run.
func (d *Debounce) Add(e Event) {
	now := time.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if w, ok := d.waiting[e.Path]; ok {
		w.event.Kind = e.Kind
		w.due = now.Add(d.quiet)
		if w.due.After(w.latest) {
			w.due = w.latest
		}
		heap.Fix(&d.order, w.index)
		return // its deadline moved away: Run, waking for the old one, will see
	}
	w := &waiter{event: e, due: now.Add(d.quiet), latest: now.Add(d.limit)}
	d.waiting[e.Path] = w
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
		e, due, wait := d.next(time.Now())
		if due {
			out(e)
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

// next takes the event whose time has come, or says how long there is none.
func (d *Debounce) next(now time.Time) (e Event, due bool, wait time.Duration) {
	const forever = 24 * time.Hour
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.order) == 0 {
		return Event{}, false, forever
	}
	first := d.order[0]
	if wait := first.due.Sub(now); wait > 0 {
		return Event{}, false, wait
	}
	heap.Pop(&d.order)
	delete(d.waiting, first.event.Path)
	return first.event, true, 0
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
