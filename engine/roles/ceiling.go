package roles

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
)

// Ceiling keeps wiki.limits.perHour and perDay: it counts every call of a program or model that may
// cost, and gives each dispatch the time from which it may start, so that none begins in an hour or a
// day that has seen as many calls as the limits. A dispatch that has to wait is held until then, or
// until a person releases it. A dispatch that has begun continues: its calls after the first count,
// and others wait for it.
type Ceiling struct {
	spans []span

	mu     sync.Mutex // guards the field below
	starts []start    // of the longest span and those to come, in order
}

// start is one call of an agent.
type start struct {
	time   time.Time
	id     string // of the dispatch that it is kept for, until the agent is called
	forced bool   // a person wants it, which no limit stops
}

// span is how many may start in a time.
type span struct {
	limit  int
	length time.Duration
	words  string // why one waits
}

// NewCeiling returns the limits of a configuration after the given starts; a limit of 0 means no
// limit.
func NewCeiling(limits config.Limits, starts []journal.Start) *Ceiling {
	c := &Ceiling{}
	for _, s := range starts {
		c.insertStart(start{time: s.Time, id: s.Dispatch}, s.Time)
	}
	for _, s := range []span{
		{limits.PerHour, time.Hour, fmt.Sprintf("more than wiki.limits.perHour (%d) in an hour", limits.PerHour)},
		{limits.PerDay, day, fmt.Sprintf("more than wiki.limits.perDay (%d) in a day", limits.PerDay)},
	} {
		if s.limit > 0 {
			c.spans = append(c.spans, s)
		}
	}
	return c
}

const day = 24 * time.Hour

// LongestSpan is how far back starts count against a limit.
const LongestSpan = day

// Take keeps a start for a dispatch, and replaces an earlier one. It returns when that is: now, or
// later and then why. If the time of its earlier start has come, dispatches that wait for a later one
// do not count.
func (c *Ceiling) Take(id string, now time.Time) (at time.Time, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	had, has := c.removeStart(id)
	at = now
	n := len(c.starts)
	if has && !had.time.After(now) {
		n, _ = slices.BinarySearchFunc(c.starts, now.Add(1), compareStart)
	}
	for _, s := range c.spans {
		if n < s.limit || had.forced {
			continue
		}
		if free := c.starts[n-s.limit].time.Add(s.length); free.After(at) {
			at, why = free, s.words
		}
	}
	if last := len(c.starts) - 1; why != "" && c.starts[last].time.After(at) {
		at = c.starts[last].time // the first to come starts first
	}
	c.insertStart(start{at, id, had.forced}, now)
	return at, why
}

// Force keeps a start for a dispatch that a person wants now, which no limit stops.
func (c *Ceiling) Force(id string, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.removeStart(id)
	c.insertStart(start{now, id, true}, now)
}

// IsForced reports whether a person wants a dispatch now.
func (c *Ceiling) IsForced(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.starts, func(s start) bool { return s.id == id && s.forced })
}

// Call counts a call of the agent of a dispatch, and says whether it is one more than the start that was kept for it.
func (c *Ceiling) Call(id string, now time.Time) (more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, has := c.removeStart(id)
	c.insertStart(start{time: now}, now)
	return !has
}

// GiveBack takes back a start that is kept for a dispatch.
func (c *Ceiling) GiveBack(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.removeStart(id)
}

// removeStart takes out what is kept for a dispatch; the caller holds mu.
func (c *Ceiling) removeStart(id string) (had start, has bool) {
	i := slices.IndexFunc(c.starts, func(s start) bool { return s.id == id && id != "" })
	if i < 0 {
		return start{}, false
	}
	had = c.starts[i]
	c.starts = slices.Delete(c.starts, i, i+1)
	return had, true
}

// insertStart adds a start and drops the outdated ones; the caller holds mu.
func (c *Ceiling) insertStart(s start, now time.Time) {
	old, _ := slices.BinarySearchFunc(c.starts, now.Add(-LongestSpan), compareStart)
	c.starts = slices.Delete(c.starts, 0, old)
	i, _ := slices.BinarySearchFunc(c.starts, s.time, compareStart)
	c.starts = slices.Insert(c.starts, i, s)
}

func compareStart(s start, at time.Time) int { return s.time.Compare(at) }

// Costs reports whether an answer of a role may cost money.
func (r *Roles) Costs(role string) bool {
	a, ok, _ := r.agentOf(role)
	return ok && r.answering(a).Costs()
}
