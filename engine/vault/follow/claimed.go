package follow

import (
	"maps"
	"slices"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/vault/noteindex"
)

const (
	// mostAlike is how many notes are held against one another by one thing that stands in them. Where they are more, it is those
	// that have more of their path in common, and those that have other things in common.
	mostAlike = 32

	// sweepTime is what it may take to look whether a note is there. A sweep through many comes no sooner again than it may have
	// taken, and one for claims no sooner than in sweepRest such times: those with the name of a note are looked for at each look.
	sweepTime = time.Millisecond
	sweepRest = 10
)

// claimed knows which notes have claims in the journal, and which of them may be gone: both by these claims ([note.Keys])
// and by the end of their paths. So what a look costs does not grow with the number of notes that have other questions, or
// other names.
type claimed struct {
	notes    map[string]bool // with claims in the journal
	unread   map[string]bool // of these, whose claims may be others than when they were read last
	suspects map[string]bool // of these, that the watcher or a look has not found
	index    *noteindex.Index
	missed   *noteindex.Index     // the suspects alone
	swept    map[string]time.Time // when all notes with a key were looked for last
	sweptAt  time.Time            // when what is over was forgotten
}

func newClaimed() *claimed {
	return &claimed{notes: make(map[string]bool), unread: make(map[string]bool), suspects: make(map[string]bool),
		index: noteindex.New(), missed: noteindex.New(), swept: make(map[string]time.Time)}
}

// Track says that a note has a claim that it may not have had before.
func (c *claimed) Track(rel string) { c.notes[rel], c.unread[rel] = true, true }

// Read says which claims a note has.
func (c *claimed) Read(rel string, claims []journal.Claim) {
	if delete(c.unread, rel); len(claims) == 0 {
		delete(c.notes, rel)
		c.Found(rel)
	}
	c.index.Put(rel, note.Keys(Traces(claims)...))
	if c.suspects[rel] {
		c.missed.Put(rel, c.index.Keys(rel))
	}
}

// Suspect says that a note with claims may be gone.
func (c *claimed) Suspect(rel string) {
	if c.notes[rel] {
		c.suspects[rel] = true
		c.missed.Put(rel, c.index.Keys(rel))
	}
}

// Found says that a note stands.
func (c *claimed) Found(rel string) {
	delete(c.suspects, rel)
	c.missed.Drop(rel)
}

// NotSwept returns those of the keys whose notes are to be looked for: they were not since looked, and not every news comes in
// time. A polled folder is passed slowly, and messages get lost. Where they are many it is not time again so soon; soon are these.
func (c *claimed) NotSwept(keys []string, looked time.Time, isWatched bool) (due, soon []string) {
	for _, key := range keys {
		n, last := len(c.index.With(key, "")), c.swept[key]
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
			c.swept[key] = at
		}
	}
	if at.Sub(c.sweptAt) > keepFor {
		c.sweptAt = at
		maps.DeleteFunc(c.swept, func(key string, _ time.Time) bool { return len(c.index.With(key, "")) == 0 })
	}
}
