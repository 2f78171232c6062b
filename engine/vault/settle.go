package vault

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"vaultdispatcher/engine/note"
)

// settling remembers when each marker that no dispatch has claimed was first
// seen, because note apps save every two seconds while one types: a line starts
// only when it has stood unchanged for a while. Other lines may go on changing.
//
// It is plain state for one owner: times come in as arguments, and nothing here
// waits.
type settling struct {
	wait  time.Duration // a line that has a line end
	tail  time.Duration // the last line without one: it may still be being typed
	notes map[string]map[sight]sighting
	alike map[string]map[string]bool // the same notes, by their path without regard to case
	all   atomic.Int64               // markers in notes; read by others than the owner
}

// sight is one marker line as it was seen; an edited line is another sight.
type sight struct {
	text    string
	ordinal int
}

// sighting is since when a sight is known.
type sighting struct {
	noticed time.Time // when the watcher was told
	looked  time.Time // when the note was read
}

// newSettling returns the settle rule for a debounce and a settle time: a marker
// starts at first sight + max(debounce, settle), an unterminated last line after
// three times the settle time.
func newSettling(debounce, settle time.Duration) *settling {
	wait := max(debounce, settle)
	return &settling{
		wait:  wait,
		tail:  max(wait, 3*settle),
		notes: make(map[string]map[sight]sighting),
		alike: make(map[string]map[string]bool),
	}
}

// settleMarkers takes the unclaimed markers of a note as it stands at now and returns
// those that may start, and when to look again for the others (zero = never).
//
// first is when the markers that are new here were noticed. The markers of one
// group start together: a ready one waits for its settling siblings, but never
// longer than an unterminated line would have to.
func (s *settling) settleMarkers(rel string, free []note.Marker, first, now time.Time) (ready []note.Marker, next time.Time) {
	old, seen := s.notes[rel], make(map[sight]sighting, len(free))
	due := make([]time.Time, len(free))
	from, until := make(map[note.Key]time.Time), make(map[note.Key]time.Time)
	for i, m := range free {
		at, known := old[sightOf(m)]
		if !known {
			at = sighting{noticed: first, looked: now}
		}
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
		if limit := from[m.Key()].Add(s.tail); limit.Before(start) {
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

// firstLook is when the last of the markers was looked at first.
func (s *settling) firstLook(rel string, markers []note.Marker) (last time.Time) {
	for _, m := range markers {
		if at := s.notes[rel][sightOf(m)].looked; at.After(last) {
			last = at
		}
	}
	return last
}

// listUnseen returns the markers that no earlier look at the note has found free.
func (s *settling) listUnseen(rel string, free []note.Marker) []note.Marker {
	var fresh []note.Marker
	for _, m := range free {
		if _, known := s.notes[rel][sightOf(m)]; !known {
			fresh = append(fresh, m)
		}
	}
	return fresh
}

// settleTime is how long m has to stand unchanged.
func (s *settling) settleTime(m note.Marker) time.Duration {
	if m.Terminated {
		return s.wait
	}
	return s.tail
}

// keepSeen replaces what is remembered of a note.
func (s *settling) keepSeen(rel string, seen map[sight]sighting) {
	s.all.Add(int64(len(seen) - len(s.notes[rel])))
	folded := foldCase(rel)
	if len(seen) == 0 {
		delete(s.notes, rel)
		if delete(s.alike[folded], rel); len(s.alike[folded]) == 0 {
			delete(s.alike, folded)
		}
		return
	}
	s.notes[rel] = seen
	if s.alike[folded] == nil {
		s.alike[folded] = make(map[string]bool)
	}
	s.alike[folded][rel] = true
}

// listSpellings returns the notes whose path differs at most by the case of its letters.
func (s *settling) listSpellings(rel string) map[string]bool { return s.alike[foldCase(rel)] }

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

// notesWith returns the notes in which one of the lines is settling, in order.
func (s *settling) notesWith(lines map[string]bool) []string {
	var notes []string
	for rel, seen := range s.notes {
		for m := range seen {
			if lines[m.text] {
				notes = append(notes, rel)
				break
			}
		}
	}
	slices.Sort(notes)
	return notes
}

// forgetStarted forgets markers that have become a dispatch.
func (s *settling) forgetStarted(rel string, markers []note.Marker) {
	left := maps.Clone(s.notes[rel])
	for _, m := range markers {
		delete(left, sightOf(m))
	}
	s.keepSeen(rel, left)
}

// countMarkers returns how many markers are settling. Anybody may ask at any time.
func (s *settling) countMarkers() int { return int(s.all.Load()) }

func sightOf(m note.Marker) sight { return sight{m.Text, m.Ordinal} }
