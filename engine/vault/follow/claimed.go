package follow

import (
	"maps"
	"slices"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/vault/noteindex"
)

const (
	// mostAlike is how many notes are compared by one common key. With more, only notes that share
	// more of their path, or other keys, are compared.
	mostAlike = 32

	// sweepTime is how long a check for one note may take. A sweep through many notes starts again no
	// sooner than it may have taken, a sweep for claims no sooner than sweepRest times that; notes
	// with the same name are looked for at each look.
	sweepTime = time.Millisecond
	sweepRest = 10
)

// claimed knows which notes have claims in the journal, and which of them may be gone: both by these claims ([find.Keys])
// and by the end of their paths. So what a look costs does not grow with the number of notes that have other questions, or
// other names.
type claimed struct {
	*memory
	unread    []string // notes that may be unread
	index     *noteindex.Index
	suspects  *noteindex.Index     // the suspects alone
	sweeps    map[string]time.Time // when all notes with a key were looked for last
	sweepTime time.Time            // when what is over was forgotten
}

func newClaimed(m *memory) *claimed {
	return &claimed{memory: m, index: noteindex.New(), suspects: noteindex.New(), sweeps: make(map[string]time.Time)}
}

// Track says that a note has a claim that it may not have had before.
func (c *claimed) Track(rel string) {
	if !c.Of(rel).isUnread {
		c.unread = append(c.unread, rel)
	}
	c.Edit(rel, func(s *noteState) { s.isClaimed, s.isUnread = true, true })
}

// Read says which claims a note has.
func (c *claimed) Read(rel string, claims []journal.Claim) {
	c.Edit(rel, func(s *noteState) { s.isUnread, s.isClaimed = false, len(claims) > 0 })
	if len(claims) == 0 {
		c.Found(rel)
	}
	c.index.Put(rel, find.Keys(Traces(claims)...))
	if c.Of(rel).isSuspect {
		c.suspects.Put(rel, c.index.Keys(rel))
	}
}

// Suspect says that a note with claims may be gone.
func (c *claimed) Suspect(rel string) {
	if c.Of(rel).isClaimed {
		c.Edit(rel, func(s *noteState) { s.isSuspect = true })
		c.suspects.Put(rel, c.index.Keys(rel))
	}
}

// Found records that a note is there.
func (c *claimed) Found(rel string) {
	c.Edit(rel, func(s *noteState) { s.isSuspect = false })
	c.suspects.Drop(rel)
}

// NotSwept returns the keys whose notes are to be looked for now (due) or later (soon). A watched
// vault is not swept twice for one key after looked. Even there not all news comes in time: a polled
// folder is passed slowly, and messages get lost. A key with many notes is due less often.
func (c *claimed) NotSwept(keys []string, looked time.Time, isWatched bool) (due, soon []string) {
	for _, key := range keys {
		n, last := len(c.index.With(key, "")), c.sweeps[key]
		switch {
		case isWatched && last.After(looked):
		case n > mostAlike && time.Since(last) < time.Duration(n)*sweepRest*sweepTime:
			soon = append(soon, key)
		default:
			due = append(due, key)
		}
	}
	return due, soon
}

// WithEnd returns the notes that have a key and more of a path in common than others, in so far as they are few.
func (c *claimed) WithEnd(key, rel string) map[string]bool {
	for _, end := range slices.Backward(noteindex.Ends(rel)) {
		if notes := c.index.With(key, end); len(notes) <= mostAlike {
			return notes
		}
	}
	return nil
}

// Swept says that the notes with these keys were looked for.
func (c *claimed) Swept(keys []string, at time.Time) {
	for _, key := range keys {
		if len(c.index.With(key, "")) > 0 {
			c.sweeps[key] = at
		}
	}
	if at.Sub(c.sweepTime) > For {
		c.sweepTime = at
		maps.DeleteFunc(c.sweeps, func(key string, _ time.Time) bool { return len(c.index.With(key, "")) == 0 })
	}
}
