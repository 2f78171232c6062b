package notes

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestWalk(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{
		"a.md", "Sub/b.MD", "Private/c.md", ".obsidian/d.md", "node_modules/e.md", "Sub/.trash/f.md", "text.txt", "note.sync-conflict-20240101-120000-ABCDEFG.md",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("text\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	err := Walk(root, []string{"Private/**"}, func(rel string, info fs.FileInfo) { got = append(got, rel) })
	if want := []string{"Sub/b.MD", "a.md"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if err := Walk(filepath.Join(root, "gone"), nil, nil); err == nil {
		t.Error("a folder that is not there has notes")
	}
}
