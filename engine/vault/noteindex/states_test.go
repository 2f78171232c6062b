package noteindex

import "testing"

// A note of which nothing is remembered any more costs nothing, also where it is forgotten while all are gone through.
func TestStatesForgetTheZeroValue(t *testing.T) {
	type state struct {
		asked bool
		lines []string
	}
	var all States[string, state]
	if all.Edit("a.md", func(*state) {}); all.Len() != 0 || all.Of("a.md").asked {
		t.Error("a note is remembered of which nothing is known")
	}
	all.Edit("a.md", func(s *state) { s.asked = true })
	all.Edit("b.md", func(s *state) { s.lines = []string{"one"} })
	all.Edit("a.md", func(s *state) { s.lines = append(s.lines, "two") })
	if a := all.Of("a.md"); !a.asked || len(a.lines) != 1 || all.Len() != 2 {
		t.Errorf("remembered are %+v, %d notes", a, all.Len())
	}
	for note := range all.All() {
		all.Edit(note, func(s *state) { *s = state{asked: s.asked && len(s.lines) == 0} })
	}
	if all.Len() != 0 {
		t.Errorf("%d notes are remembered", all.Len())
	}
}
