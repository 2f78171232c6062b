package watch

import (
	"cmp"
	"maps"
	"slices"
)

// hot are the notes that changed last, by their path in the vault.
//
// They are asked for in turns. On a slow link a turn takes longer than there is time
// for at once; then every other note that is asked for is one of the latest, so that
// these do not wait for two hundred others, and the others do not wait for ever.
type hot struct {
	notes map[string]int64 // when, in nanoseconds since 1970

	rest  []string // of the turn that is under way
	whole bool     // it has not been cut off yet
	slow  bool     // the latest turn was
	asked int      // notes
}

const (
	hotLimit = 200
	// latestFew is how many notes a slow link is asked for out of turn: as many as a
	// person has open.
	latestFew = 3
)

func newHot() *hot { return &hot{notes: make(map[string]int64)} }

// addNote makes a note hot; beyond the limit the one that has been quiet for longest
// is cold again.
func (h *hot) addNote(rel string, when int64) {
	if h.notes[rel] = max(h.notes[rel], when); len(h.notes) <= hotLimit {
		return
	}
	coldest, at := rel, when
	for r, w := range h.notes {
		if w < at {
			coldest, at = r, w
		}
	}
	delete(h.notes, coldest)
}

// seedLatest takes the notes of a vault that were written last.
func (h *hot) seedLatest(s *snapshot) {
	var times []int64
	for _, f := range s.folders {
		for _, n := range f.notes {
			times = append(times, n.mark.MTime)
		}
	}
	slices.Sort(times)
	from := int64(0)
	if len(times) > hotLimit {
		from = times[len(times)-hotLimit]
	}
	for _, f := range s.folders {
		for _, n := range f.notes {
			if n.mark.MTime >= from && len(h.notes) < hotLimit {
				h.addNote(f.join(n.name), n.mark.MTime)
			}
		}
	}
}

func (h *hot) isHot(rel string) bool {
	_, ok := h.notes[rel]
	return ok
}

// nextNote returns the next note to stat; any is false at the end of a turn.
func (h *hot) nextNote() (rel string, any bool) {
	if len(h.rest) == 0 {
		h.slow = !h.whole
		return "", false
	}
	h.asked++
	if latest := h.latestNotes(); h.asked%2 == 0 && len(latest) > 0 {
		return latest[h.asked/2%len(latest)], true
	}
	rel = h.rest[len(h.rest)-1]
	h.rest = h.rest[:len(h.rest)-1]
	return rel, true
}

// beginTurn continues the turn that was cut off, or begins another.
func (h *hot) beginTurn() {
	h.whole = len(h.rest) == 0
	if !h.whole {
		h.slow = true
		return
	}
	h.rest = slices.AppendSeq(h.rest[:0], maps.Keys(h.notes))
}

// latestNotes returns the notes that changed last, the last one first, and none where
// turns are not cut off.
func (h *hot) latestNotes() []string {
	if !h.slow {
		return nil
	}
	all := slices.SortedFunc(maps.Keys(h.notes), func(a, b string) int {
		return cmp.Or(cmp.Compare(h.notes[b], h.notes[a]), cmp.Compare(a, b))
	})
	return all[:min(latestFew, len(all))]
}
