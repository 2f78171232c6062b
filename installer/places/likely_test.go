package places

import (
	"path/filepath"
	"slices"
	"testing"

	"vaultdispatcher/engine/testdata/silentdisk"
)

// A folder that is named as folders of notes are is offered where it holds a note.
func TestLikely(t *testing.T) {
	home := t.TempDir()
	put(t, filepath.Join(home, "Notes/Daily/a.md"), "a")
	put(t, filepath.Join(home, "Documents/Obsidian Vault/b.MD"), "b")
	put(t, filepath.Join(home, "Wiki/readme.txt"), "no note")
	put(t, filepath.Join(home, "Vault/.git/c.md"), "hidden")
	put(t, filepath.Join(home, "Projects/d.md"), "no usual name")
	put(t, filepath.Join(home, "Journal"), "a file")
	want := []string{filepath.Join(home, "Notes"), filepath.Join(home, "Documents/Obsidian Vault")}
	if got := Likely(Machine{Home: home}); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Likely(Machine{System: "darwin", Home: home}); !slices.Equal(got, want[:1]) {
		t.Errorf("on macOS: %q, want %q", got, want[:1])
	}
	if got := Likely(Machine{}); got != nil {
		t.Errorf("without a home: %q", got)
	}
	silentdisk.Hang(t)
	if got := Likely(Machine{Home: home}); got != nil {
		t.Errorf("on a disk that does not respond: %q", got)
	}
}
