package linkgraph

import "testing"

func TestWhichNoteIsMeant(t *testing.T) {
	places := []Note{{1, "a/deep/Note.md"}, {2, "b/Note.md"}, {3, "Other.md"}, {4, "a/Other.md"}}
	for _, c := range []struct {
		from, target string
		want         int64
	}{
		{"x.md", "note", 2},           // the shortest path
		{"a/y.md", "note", 1},         // the asking note's folder first
		{"x.md", "deep/note", 1},      // the end of a path
		{"x.md", "a/deep/note", 1},    // the whole path
		{"a/y.md", "other", 3},        // a note at exactly that path
		{"a/y.md", "./other", 4},      // the folder of the asking note
		{"a/y.md", "./../b/note", 2},  // upwards
		{"a/y.md", "./b/note", 2},     // from the root, written without ./
		{"x.md", "nowhere/note", 0},   // no such folder
		{"b/z.md", "../a/other", 4},   // a wikilink upwards
		{"a/y.md", "/a/deep/note", 1}, // from the root
	} {
		if got, _ := chooseNote(c.from, c.target, places); got.ID != c.want {
			t.Errorf("%s in %s: %d, want %d", c.target, c.from, got.ID, c.want)
		}
	}
}
