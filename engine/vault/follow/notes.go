package follow

import (
	"maps"
	"slices"
	"time"
)

// noteState is what following remembers of one note, beside what stands in it.
type noteState struct {
	isClaimed    bool        // it has claims in the journal
	isUnread     bool        // these may be others than when they were read last
	isSuspect    bool        // it has claims, and the watcher or a look has not found it
	isMissing    bool        // it has claims and is gone
	missingSince time.Time   // zero = for as long as is known
	emptySince   time.Time   // it has claims and is empty
	goneSince    time.Time   // it was found to be gone
	departures   []departure // the questions that were followed from it
	places       []place     // of its answers, where it went
	newName      string      // under which it went on
}

func (s noteState) isNothing() bool {
	return !s.isClaimed && !s.isUnread && !s.isSuspect && !s.isMissing && s.emptySince.IsZero() && s.goneSince.IsZero() &&
		len(s.departures)+len(s.places)+len(s.newName) == 0
}

// memory has what following remembers, by note.
type memory struct {
	notes map[string]noteState
}

func newMemory() *memory { return &memory{make(map[string]noteState)} }

// of returns what is remembered of a note.
func (m *memory) of(rel string) noteState { return m.notes[rel] }

// edit changes what is remembered of a note.
func (m *memory) edit(rel string, change func(s *noteState)) {
	s := m.notes[rel]
	if change(&s); s.isNothing() {
		delete(m.notes, rel)
	} else {
		m.notes[rel] = s
	}
}

// list returns the notes of which something holds, in order.
func (m *memory) list(holds func(s noteState) bool) (notes []string) {
	for rel, s := range m.notes {
		if holds(s) {
			notes = append(notes, rel)
		}
	}
	slices.Sort(notes)
	return notes
}

// editAll changes what is remembered of each note.
func (m *memory) editAll(change func(s *noteState)) {
	for rel := range maps.Clone(m.notes) {
		m.edit(rel, change)
	}
}
