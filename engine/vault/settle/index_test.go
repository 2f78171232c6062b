package settle

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/testdata/testseed"
	"vaultdispatcher/engine/vault/testdata/growth"
)

// Notes are found by the markers that they have now, whatever was done with them.
func TestNotesWithWhatSettles(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.Take(t), 0))
	s, notes := New(0, 0, find.Keys), make(map[string][]note.Marker)
	var keys []string // all that were seen
	for range 3000 {
		rel := []string{"a.md", "A.md", "x/a.md", "b.md"}[r.IntN(4)]
		switch r.IntN(4) {
		case 0:
			s.ForgetNote(rel)
			delete(notes, rel)
		case 1, 2:
			text := ""
			for range r.IntN(5) {
				text += []string{"one\n\n", "two\n\n", "> @agent-Miner what?\n\n", "> @agent-Miner why?\n\n"}[r.IntN(4)]
			}
			notes[rel] = note.Parse([]byte(text)).Markers
			s.SettleMarkers(rel, notes[rel], at(0), at(0))
			for _, m := range notes[rel] {
				s.KeepArrival(rel, m, nil)
			}
		case 3:
			cut := r.IntN(len(notes[rel]) + 1)
			s.ForgetStarted(rel, notes[rel][:cut])
			notes[rel] = notes[rel][cut:]
		}
		all, with := 0, make(map[string]map[string]bool) // by key
		for rel, markers := range notes {
			all += len(markers)
			for _, m := range markers {
				for _, key := range find.Keys(m.Trace()) {
					if with[key] == nil {
						with[key] = make(map[string]bool)
					}
					with[key][rel] = true
					if !slices.Contains(keys, key) {
						keys = append(keys, key)
					}
				}
			}
		}
		if got := s.CountMarkers(); got != all {
			t.Fatalf("%d markers, want %d", got, all)
		}
		if r.IntN(3) == 0 {
			continue // nobody asks
		}
		for _, key := range keys {
			want := slices.Sorted(maps.Keys(with[key]))
			if got, _ := s.NotesWith([]string{key}, "", math.MaxInt); !slices.Equal(got, want) {
				t.Fatalf("%q is in %q, want %q", key, got, want)
			}
		}
	}
}

// The markers of a note start one after the other.
func TestGrowthOfForgettingTheStarted(t *testing.T) {
	growth.Gently(t, 100, func(n int) func() {
		s, markers := New(0, 0, find.Keys), make([]note.Marker, n)
		for i := range markers {
			markers[i] = marker(fmt.Sprint("Miner:", i), "what?", true)
		}
		s.SettleMarkers("n.md", markers, at(0), at(0))
		return func() {
			for _, m := range markers {
				s.ForgetStarted("n.md", []note.Marker{m})
			}
			if left := s.CountMarkers(); left > 0 {
				t.Errorf("%d are left", left)
			}
		}
	})
}
