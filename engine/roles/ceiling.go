package roles

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/config"
)

// Ceiling keeps wiki.limits.perHour and perDay for dispatches that cost: it gives each
// the time from which it may start, so that no hour and no day sees more starts than the
// limits. A dispatch that has to wait is held until then, or until a person releases it.
type Ceiling struct {
	spans []span

	mu     sync.Mutex  // guards the field below
	starts []time.Time // of the longest span and those to come, in order
}

// span is how many may start in a time.
type span struct {
	most   int
	length time.Duration
	words  string // why one waits
}

// NewCeiling returns the limits of a configuration after the given starts, which are in
// order; a limit of 0 is none.
func NewCeiling(limits config.Limits, starts []time.Time) *Ceiling {
	c := &Ceiling{starts: starts}
	for _, s := range []span{
		{limits.PerHour, time.Hour, fmt.Sprintf("more than wiki.limits.perHour (%d) in an hour", limits.PerHour)},
		{limits.PerDay, day, fmt.Sprintf("more than wiki.limits.perDay (%d) in a day", limits.PerDay)},
	} {
		if s.most > 0 {
			c.spans = append(c.spans, s)
		}
	}
	return c
}

const day = 24 * time.Hour

// LongestSpan is how far back starts count against a limit.
const LongestSpan = day

// Take returns when one more dispatch may start: now, or later and then why.
func (c *Ceiling) Take(now time.Time) (at time.Time, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at = now
	n := len(c.starts)
	for _, s := range c.spans {
		if n < s.most {
			continue
		}
		if free := c.starts[n-s.most].Add(s.length); free.After(at) {
			at, why = free, s.words
		}
	}
	if why != "" && c.starts[n-1].After(at) {
		at = c.starts[n-1] // who came first starts first
	}
	c.insertStart(at, now)
	return at, why
}

// Count records a dispatch that starts regardless of the limits.
func (c *Ceiling) Count(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.insertStart(at, at)
}

// GiveBack takes back a start that did not happen.
func (c *Ceiling) GiveBack(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i, found := slices.BinarySearchFunc(c.starts, at, time.Time.Compare); found {
		c.starts = slices.Delete(c.starts, i, i+1)
	}
}

// insertStart adds a start and forgets those that count no more; the caller holds mu.
func (c *Ceiling) insertStart(at, now time.Time) {
	old, _ := slices.BinarySearchFunc(c.starts, now.Add(-LongestSpan), time.Time.Compare)
	c.starts = slices.Delete(c.starts, 0, old)
	i, _ := slices.BinarySearchFunc(c.starts, at, time.Time.Compare)
	c.starts = slices.Insert(c.starts, i, at)
}

// Costs reports whether an answer of a role may cost money.
func (r *Roles) Costs(role string) bool {
	a, ok, _ := r.agentOf(role)
	return ok && r.answering(a).Costs()
}
