package follow

import (
	"maps"
	"slices"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
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

// memory has what following remembers, by note. It knows which notes have claims in the journal,
// and which of them may be gone: both by these claims ([find.Keys]) and by the end of their
// paths. So what a look costs does not grow with the number of notes that have other questions,
// or other names.
//
// It also remembers which notes are gone and for how long, and which questions were followed from
// them, so that these can return. A sync program moves a note aside and puts another version of
// it in its place: https://github.com/abraunegg/onedrive/issues/3439.
type memory struct {
	noteindex.States[string, noteState]
	unread    []string // notes that may be unread
	index     *noteindex.Index
	suspects  *noteindex.Index     // the suspects alone
	sweeps    map[string]time.Time // when all notes with a key were looked for last
	settle    time.Duration        // how long a note is gone before it is believed to be
	lookFor   time.Duration        // how long its questions are looked for, if the vault is not behind
	young     []note.Marker        // of the note that is looked at, that wait until it is known whether another note is gone
	sweepTime time.Time            // when what is over was forgotten
}

func newMemory(settle, lookFor time.Duration) *memory {
	return &memory{index: noteindex.New(), suspects: noteindex.New(), sweeps: make(map[string]time.Time), settle: settle, lookFor: lookFor}
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

const (
	// mostAlike is how many notes are compared by one common key. With more, only notes that
	// share more of their path, or other keys, are compared.
	mostAlike = 32

	// sweepTime is how long a check for one note may take. A sweep through many notes starts
	// again no sooner than it may have taken, a sweep for claims no sooner than sweepRest times
	// that; notes with the same name are looked for at each look.
	sweepTime = time.Millisecond
	sweepRest = 10
)

// Track says that a note has a claim that it may not have had before.
func (m *memory) Track(rel string) {
	if !m.Of(rel).isUnread {
		m.unread = append(m.unread, rel)
	}
	m.Edit(rel, func(s *noteState) { s.isClaimed, s.isUnread = true, true })
}

// Read says which claims a note has.
func (m *memory) Read(rel string, claims []journal.Claim) {
	m.Edit(rel, func(s *noteState) { s.isUnread, s.isClaimed = false, len(claims) > 0 })
	if len(claims) == 0 {
		m.Found(rel)
	}
	m.index.Put(rel, find.Keys(Traces(claims)...))
	if m.Of(rel).isSuspect {
		m.suspects.Put(rel, m.index.Keys(rel))
	}
}

// Suspect says that a note with claims may be gone.
func (m *memory) Suspect(rel string) {
	if m.Of(rel).isClaimed {
		m.Edit(rel, func(s *noteState) { s.isSuspect = true })
		m.suspects.Put(rel, m.index.Keys(rel))
	}
}

// Found records that a note is there.
func (m *memory) Found(rel string) {
	m.Edit(rel, func(s *noteState) { s.isSuspect = false })
	m.suspects.Drop(rel)
}

// NotSwept returns the keys whose notes are to be looked for now (due) or later (soon). A watched
// vault is not swept twice for one key after looked. Even there not all news comes in time: a
// polled folder is passed slowly, and messages get lost. A key with many notes is due less often.
func (m *memory) NotSwept(keys []string, looked time.Time, isWatched bool) (due, soon []string) {
	for _, key := range keys {
		n, last := len(m.index.With(key, "")), m.sweeps[key]
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

// WithEnd returns the notes that have a key and more of a path in common than others, in so far
// as they are few.
func (m *memory) WithEnd(key, rel string) map[string]bool {
	for _, end := range slices.Backward(noteindex.Ends(rel)) {
		if notes := m.index.With(key, end); len(notes) <= mostAlike {
			return notes
		}
	}
	return nil
}

// Swept says that the notes with these keys were looked for.
func (m *memory) Swept(keys []string, at time.Time) {
	for _, key := range keys {
		if len(m.index.With(key, "")) > 0 {
			m.sweeps[key] = at
		}
	}
	m.forgetOld(at)
}

// departure is a dispatch whose question was followed to another note.
type departure struct {
	dispatch, target string
	time             time.Time
}

// UntilGone is for how long a note that is not there may yet come back before it is believed to
// be gone; it is not positive when it is.
func (m *memory) UntilGone(rel string) time.Duration {
	since := m.Of(rel).goneSince
	if since.IsZero() {
		since = time.Now()
		m.forgetOld(since)
		m.Edit(rel, func(s *noteState) { s.goneSince = since })
	}
	return m.settle - time.Since(since)
}

// Stands records that a note is there, or that the search for it is over.
func (m *memory) Stands(rel string) {
	m.Edit(rel, func(s *noteState) { s.goneSince = time.Time{} })
}

// Wait has markers of the note that is looked at wait until it is known whether the note is gone
// whose they would be.
func (m *memory) Wait(markers []note.Marker) { m.young = append(m.young, markers...) }

// DropWaiting returns the markers of the note except those that wait, and forgets the wait.
func (m *memory) DropWaiting(markers []note.Marker) []note.Marker {
	young := m.young
	m.young = nil
	return slices.DeleteFunc(slices.Clone(markers), func(one note.Marker) bool {
		return slices.ContainsFunc(young, func(y note.Marker) bool { return y.Line == one.Line })
	})
}

// Lost says that the question of a dispatch was followed from one note to another.
func (m *memory) Lost(from, to, dispatch string) {
	m.forgetOld(time.Now())
	m.Edit(from, func(s *noteState) {
		s.goneSince, s.departures = time.Time{}, append(s.departures, departure{dispatch, to, time.Now()})
	})
}

// Left returns the notes to which questions of this one were followed lately, by the dispatches
// that may return.
func (m *memory) Left(rel string) map[string]string {
	if len(m.Of(rel).departures) == 0 {
		return nil
	}
	m.drop(rel, func(d departure) bool { return time.Since(d.time) > For })
	notes := make(map[string]string)
	for _, d := range m.Of(rel).departures {
		notes[d.dispatch] = d.target
	}
	return notes
}

// Returned says that a dispatch is back in a note.
func (m *memory) Returned(rel, dispatch string) {
	m.drop(rel, func(d departure) bool { return d.dispatch == dispatch })
}

func (m *memory) drop(rel string, isOver func(d departure) bool) {
	m.Edit(rel, func(s *noteState) {
		if s.departures = slices.DeleteFunc(s.departures, isOver); len(s.departures) == 0 {
			s.departures = nil
		}
	})
}

// forgetOld drops what no caller has asked about since: keys that no note has any more, notes
// that were believed to be gone long ago, and questions that may not return any more. It does so
// at most once in the time for which these may.
func (m *memory) forgetOld(now time.Time) {
	if now.Sub(m.sweepTime) < For {
		return
	}
	m.sweepTime = now
	maps.DeleteFunc(m.sweeps, func(key string, _ time.Time) bool { return len(m.index.With(key, "")) == 0 })
	for rel, s := range m.All() {
		if !s.goneSince.IsZero() && now.Sub(s.goneSince) > m.settle+2*m.lookFor {
			m.Stands(rel)
		}
		m.drop(rel, func(d departure) bool { return now.Sub(d.time) > For })
	}
}
