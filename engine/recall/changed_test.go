package recall

import (
	"path/filepath"
	"testing"
)

// Whoever shows the state of an index asks again when it is told to.
func TestChangedIsToldOfAnotherState(t *testing.T) {
	dir := t.TempDir()
	writeNote(t, dir, "a.md", "one")
	told := 0
	ix, err := Open(t.Context(), filepath.Join(t.TempDir(), "index.db"), dir, Options{Changed: func() { told++ }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	is := func(what string, notes int, ready bool) {
		t.Helper()
		if s := ix.State(); told == 0 || s.Notes != notes || s.Complete != ready {
			t.Errorf("%s: told %d times of %+v", what, told, s)
		}
		told = 0
	}
	syncIndex(t, ix, dir)
	is("the first pass", 1, true)
	writeNote(t, dir, "b.md", "two")
	change(t, ix, "b.md")
	is("another note", 2, true)
	if search(t, ix, "two"); told != 0 {
		t.Errorf("a search was told %d times", told)
	}
}
