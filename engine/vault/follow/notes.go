package follow

import (
	"slices"
	"time"

	"vaultdispatcher/engine/vault/noteindex"
)

// noteState is what following remembers of one note, beside its text.
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
	newName      string      // its name after a rename
}

// memory has what following remembers, by note.
type memory struct {
	noteindex.States[string, noteState]
}

// list returns the notes whose state holds, in order.
func (m *memory) list(holds func(s noteState) bool) (notes []string) {
	for rel, s := range m.All() {
		if holds(s) {
			notes = append(notes, rel)
		}
	}
	slices.Sort(notes)
	return notes
}
