package watch

import (
	"path/filepath"
	"runtime"
	"testing"
)

func TestSameName(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"Note.md", "nOTE.MD", true}, {"Caf\u00e9.md", "Cafe\u0301.md", true}, {"CAF\u00c9.md", "cafe\u0301.md", true},
		{"note.md", "notes.md", false}, {"a", "b", false},
	}
	for _, tt := range tests {
		if got := sameName(tt.a, tt.b); got != tt.want {
			t.Errorf("%q and %q: %v", tt.a, tt.b, got)
		}
	}
}

func TestFolds(t *testing.T) {
	usual := runtime.GOOS == "windows" || runtime.GOOS == "darwin"
	root := t.TempDir()
	if folds(root) != usual || folds(filepath.Join(root, "nothing")) != usual {
		t.Error("an empty folder tells something")
	}
	write(t, filepath.Join(root, "123.md"), "a name that has only small letters")
	if got := folds(root); got != usual {
		t.Errorf("this system folds: %v", got)
	}
	both := t.TempDir()
	write(t, filepath.Join(both, "note.md"), "one")
	write(t, filepath.Join(both, "NOTE.MD"), "another, where there can be two")
	if got := folds(both); got != usual {
		t.Errorf("with both spellings: %v", got)
	}
}

// A hint in another spelling is about the note that is known, also when the folder
// is spelled otherwise; a note that was renamed to another case is followed.
func TestHintsInAnotherSpelling(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "Areas/Caf\u00e9.md"), "before")
	v, s := atRest(t, root)
	s.folding = true
	v.write("Areas/Caf\u00e9.md", "after, and longer")
	must(t, s.look(t.Context(), "areas/CAFE\u0301.md", how{via: ViaNative, told: true}))
	v.settled()
	if all, _ := v.count("areas/CAFE\u0301.md"); all != 0 || s.snap.notes != 1 {
		t.Errorf("%d notes known, reported as %+v", s.snap.notes, v.events)
	}
	must(t, s.look(t.Context(), "areas/new.md", how{via: ViaNative, told: true}))
	v.write("Areas/new.md", "new")
	must(t, s.look(t.Context(), "areas/new.md", how{via: ViaNative, told: true}))
	v.settled()
	if len(s.snap.folders) != 2 {
		t.Errorf("%d folders known", len(s.snap.folders))
	}
}
