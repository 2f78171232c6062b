package renames

import (
	"strings"
	"time"
)

// index finds notes by what stands in them and by the end of their paths.
type index struct {
	keys  map[string][]string        // of each note
	notes map[string]map[string]bool // by key and end
	since map[string]time.Time
	order []string // as they were put; some of them were put again later, or dropped
	times []time.Time
}

func newIndex() index {
	return index{keys: make(map[string][]string), notes: make(map[string]map[string]bool), since: make(map[string]time.Time)}
}

// putNote adds a note with what stands in it, in the place of what stood there.
func (x *index) putNote(rel string, keys []string, now time.Time) {
	x.dropNote(rel)
	if len(keys) == 0 {
		return
	}
	x.keys[rel], x.since[rel] = keys, now
	x.order, x.times = append(x.order, rel), append(x.times, now)
	x.eachEntry(rel, func(entry string) {
		if x.notes[entry] == nil {
			x.notes[entry] = make(map[string]bool)
		}
		x.notes[entry][rel] = true
	})
}

// dropNote forgets a note.
func (x *index) dropNote(rel string) {
	x.eachEntry(rel, func(entry string) {
		if delete(x.notes[entry], rel); len(x.notes[entry]) == 0 {
			delete(x.notes, entry)
		}
	})
	delete(x.keys, rel)
	delete(x.since, rel)
}

// forgetOlder drops the notes that were put before a time, and returns them.
func (x *index) forgetOlder(before time.Time) (dropped []string) {
	for len(x.times) > 0 && x.times[0].Before(before) {
		if rel := x.order[0]; x.since[rel].Equal(x.times[0]) {
			x.dropNote(rel)
			dropped = append(dropped, rel)
		}
		x.order, x.times = x.order[1:], x.times[1:]
	}
	return dropped
}

func (x *index) eachEntry(rel string, do func(entry string)) {
	for _, end := range endsOf(rel) {
		for _, key := range x.keys[rel] {
			do(key + end)
		}
	}
}

// findBest returns the note that fits best, by at least one key: the one with the longest common end of
// paths, of several the one with the highest score. Where two have that there is none. What stands
// in too many notes says nothing.
func (x *index) findBest(rel string, keys []string, score func(rel string) int) string {
	for _, end := range endsOf(rel) {
		tried := make(map[string]bool)
		best, most, tie := "", 0, false
		for _, key := range keys {
			if len(x.notes[key+end]) > few {
				continue
			}
			for other := range x.notes[key+end] {
				if tried[other] {
					continue
				}
				tried[other] = true
				switch n := score(other); {
				case n > most:
					best, most, tie = other, n, false
				case n == most:
					tie = true
				}
			}
		}
		if most > 0 {
			if tie {
				return ""
			}
			return best
		}
	}
	return ""
}

// endsOf returns the ends of a path, without regard to case, the longest first and the empty one last.
func endsOf(rel string) []string {
	rel = strings.ToLower(rel)
	ends := []string{rel}
	for i := 0; i >= 0; {
		if i = strings.IndexByte(rel, '/'); i >= 0 {
			rel = rel[i+1:]
			ends = append(ends, rel)
		}
	}
	return append(ends, "")
}
