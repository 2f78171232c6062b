package burst

import (
	"maps"
	"time"
)

// Crowd tells which notes changed together with many others, as after a copy, a checkout or a
// sync, and not because a person has saved one. A note behind such a crowd only waits for its
// turn. The zero value has seen no note; one goroutine at a time uses it.
type Crowd struct {
	arrivals  [Ways][many]time.Time // the last that came each way
	oldest    [Ways]int             // index of the oldest in each row of arrivals
	notes     map[string]changed
	sweepTime time.Time // when old ones were dropped from notes
}

// changed is when a note last changed.
type changed struct {
	time      time.Time
	isCrowded bool
}

// Way is how a note came to be changed. Each way has its own crowds: a person who copies notes in
// may write in another one.
type Way int

// The ways, and how many there are.
const (
	Edited Way = iota
	Made
	Gone
	Found // by a comparison with the disk
	Ways
)

const (
	many     = 10 // notes that changed within together are a crowd
	together = time.Second
	theirs   = 10 * Within // a note that was saved alone is its writer's for so long, whatever else happens
)

// Add counts a change of a note, and reports whether it came with many others.
func (c *Crowd) Add(rel string, way Way, now time.Time) (isCrowded bool) {
	was, isKnown := c.notes[rel]
	c.dropOld(now)
	switch age := now.Sub(was.time); {
	case isKnown && !was.isCrowded && age < theirs:
	case isKnown && was.isCrowded && age < together:
		return true
	default:
		oldest := &c.arrivals[way][c.oldest[way]]
		isCrowded = now.Sub(*oldest) < together
		*oldest, c.oldest[way] = now, (c.oldest[way]+1)%many
	}
	c.notes[rel] = changed{now, isCrowded}
	return isCrowded
}

// dropOld drops old entries, seldom enough to cost nothing, often enough to stay small.
func (c *Crowd) dropOld(now time.Time) {
	if c.notes == nil {
		c.notes = make(map[string]changed)
	}
	if now.Sub(c.sweepTime) < Within {
		return
	}
	maps.DeleteFunc(c.notes, func(_ string, n changed) bool {
		return now.Sub(n.time) >= theirs || n.isCrowded && now.Sub(n.time) >= together
	})
	c.sweepTime = now
}
