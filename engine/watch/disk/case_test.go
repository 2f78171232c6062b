package disk

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
		if got := SameName(tt.a, tt.b); got != tt.want {
			t.Errorf("%q and %q: %v", tt.a, tt.b, got)
		}
	}
}

func TestFolds(t *testing.T) {
	usual := runtime.GOOS == "windows" || runtime.GOOS == "darwin"
	root := t.TempDir()
	if FoldsCase(root) != usual || FoldsCase(filepath.Join(root, "nothing")) != usual {
		t.Error("an empty folder tells something")
	}
	write(t, filepath.Join(root, "123.md"), "a name that has only small letters")
	if got := FoldsCase(root); got != usual {
		t.Errorf("this system folds: %v", got)
	}
	both := t.TempDir()
	write(t, filepath.Join(both, "note.md"), "one")
	write(t, filepath.Join(both, "NOTE.MD"), "another, where there can be two")
	if got := FoldsCase(both); got != usual {
		t.Errorf("with both spellings: %v", got)
	}
}
