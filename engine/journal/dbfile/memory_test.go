package dbfile

import (
	"maps"
	"slices"
	"testing"
)

type word string

func (w word) Size() int { return len(w) }

func TestMemory(t *testing.T) {
	var m Memory[word]
	kept := func() []int64 {
		known, _ := m.Pick([]int64{1, 2, 3})
		return slices.Sorted(maps.Keys(known))
	}
	is := func(when string, want ...int64) {
		t.Helper()
		if got := kept(); !slices.Equal(got, want) {
			t.Errorf("%s: %v is kept, want %v", when, got, want)
		}
	}
	read := map[int64][]word{1: {"one"}, 2: {"two", "too"}}
	m.Begin()
	_, missing := m.Pick([]int64{1, 2, 3})
	m.Forget(2) // after it was read
	m.Keep(missing, read, 9+3*beside)
	m.End()
	is("one has changed meanwhile", 1, 3) // 3 has nothing
	m.Begin()
	m.Begin()
	m.Forget(1)
	m.End()
	m.Keep([]int64{1, 2}, read, 9+3*beside)
	m.End()
	is("one has changed since the first call began", 2, 3)
	m.Begin()
	m.Keep([]int64{1}, read, 8+3*beside)
	m.End()
	is("too large by one byte", 2, 3)
	m.Begin()
	m.Keep([]int64{1}, read, 0)
	m.End()
	is("nothing fits", 3)
}
