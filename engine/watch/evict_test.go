package watch

import (
	"os"
	"testing"
)

func TestEvictedNote(t *testing.T) {
	tests := map[string]string{
		".n.md.icloud": "n.md", "a/b/.n.md.icloud": "a/b/n.md", "a/..md.icloud": "a/.md",
		"n.md": "", ".n.md": "", "n.md.icloud": "", ".icloud": "", ".icloud/n.md": "", "": "",
	}
	for rel, want := range tests {
		if got, ok := evictedNote(rel); got != want || ok != (want != "") {
			t.Errorf("%q stands for %q, %v, want %q", rel, got, ok, want)
		}
	}
}

// A note that iCloud evicts is neither removed nor read, whether its placeholder comes
// before it goes or after; it is news when it is back, and removed when the
// placeholder goes as well.
func TestEvictedNotes(t *testing.T) {
	t.Parallel()
	byModes(t, func(t *testing.T, mode func(*Options)) {
		root := t.TempDir()
		for _, name := range []string{"back", "gone", "plain"} {
			write(t, root+"/d/"+name+".md", "here")
		}
		v := watched(t, root, mode)
		for _, name := range []string{"back", "gone"} {
			v.write("d/."+name+".md.icloud", "a placeholder")
			must(t, os.Remove(v.path("d/"+name+".md")))
		}
		must(t, os.Remove(v.path("d/plain.md")))
		v.until("the removal", func() bool { return !v.knows("d/plain.md") })
		v.w.Rescan()
		v.until("a comparison that knows two notes", func() bool { st := v.w.Stats(); return st.Rescans > 0 && st.Notes == 2 }) // told after the removal
		if _, removed := v.count(""); removed != 1 {
			t.Fatalf("%d removals", removed)
		}
		v.write("d/back.md", "here again")
		must(t, os.Remove(v.path("d/.back.md.icloud")))
		must(t, os.Remove(v.path("d/.gone.md.icloud")))
		v.settled()
		v.mirrorsDisk()
		if _, removed := v.count("d/back.md"); removed != 0 {
			t.Errorf("%d removals of the note that came back", removed)
		}
	})
}
