// Package settle decides when a question has been unchanged for long enough to be asked.
//
//	s := settle.New(debounce, wait, find.Keys)
//	ready, next := s.SettleMarkers(rel, free, saved, now) // at each look at a note
//	s.ForgetStarted(rel, ready)
//
// Note apps save every two seconds while one types, so a line starts only when it has been
// unchanged for a while; other lines may change meanwhile.
//
// # Promises
//
// It is plain state for one owner: times come in as arguments, and nothing here waits.
package settle

import (
	"maps"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/vault/burst"
	"vaultdispatcher/engine/vault/noteindex"
)

// Markers remembers when each marker that no dispatch has claimed was first seen.
type Markers struct {
	Wait  time.Duration // a marker that has a line end
	tail  time.Duration // the last line without one: it may still be being typed
	group time.Duration // how long the first of a group waits for the others at most
	notes map[string]map[sight]sighting
	index *noteindex.Index             // the same notes, by their markers, and by their path without regard to case
	fewer map[string]bool              // notes that have fewer markers than the index knows
	total atomic.Int64                 // markers in notes; read by others than the owner
	keys  func(...note.Trace) []string // of what is in the index
}

// sight is one marker as it was seen; edited in any of its lines it is another sight.
type sight struct {
	text    string
	ordinal int
}

// sighting is since when a sight is known.
type sighting struct {
	noticed time.Time // when the watcher was told
	looked  time.Time // when the note was read
	asked   string    // all that was asked
	trace   note.Trace
	arrival *burst.Arrival
}

// New returns the settle rule for a debounce and a settle time: a marker starts at first sight +
// max(debounce, settle), an unterminated last line after half as long again as the settle time.
// keys are what markers are found by again (engine/note/find).
func New(debounce, settle time.Duration, keys func(...note.Trace) []string) *Markers {
	wait := max(debounce, settle)
	return &Markers{
		Wait:  wait,
		keys:  keys,
		tail:  max(wait, settle*3/2),
		group: max(wait, 3*settle),
		notes: make(map[string]map[sight]sighting),
		index: noteindex.New(),
		fewer: make(map[string]bool),
	}
}

// SettleMarkers takes the unclaimed markers of a note at now and returns those that may start,
// and when to look again for the others (zero = never).
//
// first is when the markers that are new here were noticed. The markers of one group start
// together: a ready one waits for its settling siblings, but not for ever.
func (s *Markers) SettleMarkers(rel string, free []note.Marker, first, now time.Time) (ready []note.Marker, next time.Time) {
	old, seen := s.notes[rel], make(map[sight]sighting, len(free))
	due := make([]time.Time, len(free))
	from, until := make(map[note.Key]time.Time), make(map[note.Key]time.Time)
	for i, m := range free {
		at, known := old[sightOf(m)]
		if !known || at.asked != m.Instruction { // the question in the lines below it may have been edited
			at = sighting{noticed: first, looked: now, asked: m.Instruction, arrival: at.arrival}
		}
		at.trace = m.Trace()
		seen[sightOf(m)] = at
		due[i] = at.noticed.Add(s.settleTime(m))
		if t, ok := from[m.Key()]; !ok || due[i].Before(t) {
			from[m.Key()] = due[i]
		}
		if due[i].After(until[m.Key()]) {
			until[m.Key()] = due[i]
		}
	}
	s.keepSeen(rel, seen)
	for i, m := range free {
		start := until[m.Key()]
		if limit := from[m.Key()].Add(s.group); limit.Before(start) {
			start = limit
		}
		if due[i].After(start) {
			start = due[i]
		}
		switch {
		case !start.After(now):
			ready = append(ready, m)
		case next.IsZero() || start.Before(next):
			next = start
		}
	}
	return ready, next
}

// FirstLook is when the last of the markers was looked at first; zero = none of them was.
func (s *Markers) FirstLook(rel string, markers ...note.Marker) (last time.Time) {
	for _, m := range markers {
		if at := s.notes[rel][sightOf(m)].looked; at.After(last) {
			last = at
		}
	}
	return last
}

// ListUnseen returns the markers that no earlier look at the note has found free.
func (s *Markers) ListUnseen(rel string, free []note.Marker) []note.Marker {
	var fresh []note.Marker
	for _, m := range free {
		if _, known := s.notes[rel][sightOf(m)]; !known {
			fresh = append(fresh, m)
		}
	}
	return fresh
}

// Longest is how long a marker settles at most.
func (s *Markers) Longest() time.Duration { return max(s.tail, s.group) }

// settleTime is how long m has to be unchanged.
func (s *Markers) settleTime(m note.Marker) time.Duration {
	if m.Terminated {
		return s.Wait
	}
	return s.tail
}

// ForgetNote forgets a note.
func (s *Markers) ForgetNote(rel string) { s.keepSeen(rel, nil) }

// keepSeen replaces what is remembered of a note.
func (s *Markers) keepSeen(rel string, seen map[sight]sighting) {
	s.total.Add(int64(len(seen) - len(s.notes[rel])))
	s.putIndex(rel, seen)
	if len(seen) == 0 {
		delete(s.notes, rel)
		return
	}
	s.notes[rel] = seen
}

// putIndex has a note found by the markers that it has, and by its path.
func (s *Markers) putIndex(rel string, seen map[sight]sighting) {
	delete(s.fewer, rel)
	if len(seen) == 0 {
		s.index.Drop(rel)
		return
	}
	var traces []note.Trace
	for _, at := range seen {
		traces = append(traces, at.trace)
	}
	s.index.Put(rel, append(s.keys(traces...), spellingKey(rel)))
}

// ListSpellings returns the notes whose path differs at most by the case of its letters.
func (s *Markers) ListSpellings(rel string) map[string]bool {
	return s.index.With(spellingKey(rel), "")
}

// spellingKey is the key of a path. No marker has one, because none begins with this byte.
func spellingKey(rel string) string { return "\x00" + foldCase(rel) }

// foldCase returns the same text for all texts that [strings.EqualFold] calls equal.
func foldCase(text string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, text)
}

// NotesWith returns the notes with a settling marker that has one of the keys (find.Keys), and
// whose paths have an end ([noteindex.Ends]), in order. Keys of more than most notes are left out
// and returned as crowded.
func (s *Markers) NotesWith(keys []string, end string, most int) (notes []string, crowded map[string]bool) {
	for rel := range maps.Clone(s.fewer) {
		s.putIndex(rel, s.notes[rel])
	}
	return s.index.WithAny(keys, end, most)
}

// Arrival is what a marker was counted as; nil = it was not counted.
func (s *Markers) Arrival(rel string, m note.Marker) *burst.Arrival {
	return s.notes[rel][sightOf(m)].arrival
}

// KeepArrival remembers what a settling marker was counted as.
func (s *Markers) KeepArrival(rel string, m note.Marker, a *burst.Arrival) {
	at := s.notes[rel][sightOf(m)]
	at.arrival = a
	s.notes[rel][sightOf(m)] = at
}

// ForgetStarted forgets markers that have become a dispatch. It costs by their number, however
// many others the note has.
func (s *Markers) ForgetStarted(rel string, markers []note.Marker) {
	left := s.notes[rel]
	before := len(left)
	for _, m := range markers {
		delete(left, sightOf(m))
	}
	if len(left) == 0 {
		s.total.Add(int64(-before))
		s.keepSeen(rel, nil)
	} else if len(left) < before {
		s.total.Add(int64(len(left) - before))
		s.fewer[rel] = true
	}
}

// CountMarkers returns how many markers are settling. It is safe for concurrent use.
func (s *Markers) CountMarkers() int { return int(s.total.Load()) }

func sightOf(m note.Marker) sight { return sight{m.Text, m.Ordinal} }
