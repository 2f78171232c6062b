package roles

import (
	"slices"
	"sync"
	"time"
)

// Hourly keeps wiki.limits.perHour: it gives each dispatch the time from which it
// may start, so that no hour sees more starts than the limit. A dispatch that has to
// wait is held until then, or until a person releases it.
type Hourly struct {
	most int

	mu     sync.Mutex  // guards the field below
	starts []time.Time // of the last hour and those to come, in order
}

// NewHourly returns the limit of so many starts an hour, after the given ones; 0 is
// no limit.
func NewHourly(most int, starts []time.Time) *Hourly { return &Hourly{most: most, starts: starts} }

// Most returns the limit; 0 is none.
func (h *Hourly) Most() int { return h.most }

// Take returns when one more dispatch may start: now, or later.
func (h *Hourly) Take(now time.Time) time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := now
	if n := len(h.starts); h.most > 0 && n >= h.most {
		if free := h.starts[n-h.most].Add(time.Hour); free.After(at) {
			at = free
		}
	}
	h.insertStart(at, now)
	return at
}

// Count records a dispatch that starts regardless of the limit.
func (h *Hourly) Count(at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.insertStart(at, at)
}

// GiveBack takes back a start that did not happen.
func (h *Hourly) GiveBack(at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i, found := slices.BinarySearchFunc(h.starts, at, time.Time.Compare); found {
		h.starts = slices.Delete(h.starts, i, i+1)
	}
}

// insertStart adds a start and forgets those an hour before now; the caller holds mu.
func (h *Hourly) insertStart(at, now time.Time) {
	old, _ := slices.BinarySearchFunc(h.starts, now.Add(-time.Hour), time.Time.Compare)
	h.starts = slices.Delete(h.starts, 0, old)
	i, _ := slices.BinarySearchFunc(h.starts, at, time.Time.Compare)
	h.starts = slices.Insert(h.starts, i, at)
}
