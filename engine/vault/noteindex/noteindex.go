// Package noteindex finds notes by keys of their text and by the end of their paths.
//
//	x := noteindex.New()
//	x.Put("old/a.md", find.Keys(marker.Trace()))
//	for _, end := range noteindex.Ends("new/a.md") { // the longest first
//		x.With(note.FoldHead(marker.Text), end) // at "a.md" and at "": old/a.md
//	}
//
// # Promises
//
// An index is plain state for one owner. A question costs the same however many notes there are. Put
// costs by the number of keys and the depth of the note's path.
package noteindex

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Index knows notes by keys, which describe their text.
type Index struct {
	entries map[string]entry // of each note
	notes   map[place]map[string]bool
	puts    []put // those with a time, in order; some of the notes were put again later, or dropped
}

type put struct {
	rel  string
	time time.Time
}

// entry is what is known of a note.
type entry struct {
	keys []string
	time time.Time // of its last put
}

// place is a key in the notes whose paths have an end.
type place struct{ key, end string }

// New returns an index without notes.
func New() *Index {
	return &Index{entries: make(map[string]entry), notes: make(map[place]map[string]bool)}
}

// Put adds a note with its keys, and replaces its earlier ones. A note without keys is dropped.
func (x *Index) Put(rel string, keys []string) { x.PutAt(rel, keys, time.Time{}) }

// PutAt is Put, and remembers the time. Times rise.
func (x *Index) PutAt(rel string, keys []string, at time.Time) {
	if len(keys) > 0 && !at.IsZero() {
		if len(x.puts) > 2*len(x.entries)+64 { // a note that is put a thousand times takes no more room
			x.puts = slices.DeleteFunc(x.puts, func(p put) bool { return !x.Time(p.rel).Equal(p.time) })
		}
		x.puts = append(x.puts, put{rel, at})
	}
	if slices.Equal(x.entries[rel].keys, keys) {
		if len(keys) > 0 {
			x.entries[rel] = entry{x.entries[rel].keys, at}
		}
		return
	}
	x.Drop(rel)
	if len(keys) == 0 {
		return
	}
	x.entries[rel] = entry{keys, at}
	x.eachPlace(rel, func(at place) {
		if x.notes[at] == nil {
			x.notes[at] = make(map[string]bool)
		}
		x.notes[at][rel] = true
	})
}

// Drop forgets a note.
func (x *Index) Drop(rel string) {
	x.eachPlace(rel, func(at place) {
		if delete(x.notes[at], rel); len(x.notes[at]) == 0 {
			delete(x.notes, at)
		}
	})
	delete(x.entries, rel)
}

// DropOlder drops the notes that were put last before a time, and returns them.
func (x *Index) DropOlder(before time.Time) (dropped []string) {
	for ; len(x.puts) > 0 && x.puts[0].time.Before(before); x.puts = x.puts[1:] {
		if first := x.puts[0]; x.Time(first.rel).Equal(first.time) {
			x.Drop(first.rel)
			dropped = append(dropped, first.rel)
		}
	}
	return dropped
}

// Len is how many notes there are.
func (x *Index) Len() int { return len(x.entries) }

// Keys returns the keys of a note, which the caller must not change.
func (x *Index) Keys(rel string) []string { return x.entries[rel].keys }

// Time is when a note was put last with [Index.PutAt]; zero = it is not there.
func (x *Index) Time(rel string) time.Time { return x.entries[rel].time }

// With returns the notes with a key whose paths have an end ([Ends]). The set changes with the index,
// and the caller must not change it.
func (x *Index) With(key, end string) map[string]bool { return x.notes[place{key, end}] }

// WithAny returns the notes with one of the keys whose paths have an end, in order. Keys of more than
// most notes say little: they are left out and returned as crowded.
func (x *Index) WithAny(keys []string, end string, most int) (notes []string, crowded map[string]bool) {
	found := make(map[string]bool)
	crowded = make(map[string]bool)
	for _, key := range keys {
		if some := x.With(key, end); len(some) > most {
			crowded[key] = true
		} else {
			maps.Copy(found, some)
		}
	}
	return slices.Sorted(maps.Keys(found)), crowded
}

// FindBest returns the note that fits best, by at least one key: the one with the longest common end of paths with rel, of
// several the one with the highest score. If two share the highest score, it returns "". Keys of more than most notes say
// nothing.
func (x *Index) FindBest(rel string, keys []string, most int, score func(rel string) int) string {
	for _, end := range Ends(rel) {
		best, highest := "", 0
		notes, _ := x.WithAny(keys, end, most)
		for _, other := range notes {
			switch n := score(other); {
			case n > highest:
				best, highest = other, n
			case n == highest:
				best = ""
			}
		}
		if highest > 0 {
			return best
		}
	}
	return ""
}

func (x *Index) eachPlace(rel string, do func(at place)) {
	for _, end := range Ends(rel) {
		for _, key := range x.entries[rel].keys {
			do(place{key, end})
		}
	}
}

// Ends returns the ends of a path, without regard to case, the longest first and the empty one last.
func Ends(rel string) []string {
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

// SetOf returns the same names as a set.
func SetOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
