package recall

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// An index that is only looked at answers while another process has it open,
// and is not changed by that.
func TestPeek(t *testing.T) {
	dir, path := t.TempDir(), filepath.Join(t.TempDir(), "index.db")
	writeNote(t, dir, "n.md", "A heron.\n")
	live := reopen(t, path, dir)
	syncIndex(t, live, dir)
	ix, err := Open(t.Context(), path, dir, Options{Peek: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := search(t, ix, "heron"); notesOf(got) != "n.md" || ix.State().Notes != 1 {
		t.Errorf("found %s of %d notes", notesOf(got), ix.State().Notes)
	}
	if err := ix.Close(); err != nil {
		t.Error(err)
	}
	writeNote(t, dir, "n.md", "A walrus.\n")
	change(t, live, "n.md")
	if got := search(t, live, "walrus"); notesOf(got) != "n.md" {
		t.Errorf("the live index finds %q", notesOf(got))
	}
}

func TestPeekLeavesDamageAlone(t *testing.T) {
	dir, path := t.TempDir(), filepath.Join(t.TempDir(), "index.db")
	writeNote(t, dir, "n.md", "A heron.\n")
	ix := reopen(t, path, dir)
	syncIndex(t, ix, dir)
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	torn := bytes.Clone(whole)
	for i := 4096; i < len(torn); i++ {
		torn[i] = 0xa5
	}
	for name, bytes := range map[string][]byte{"torn": torn, "short": whole[:5000], "foreign": []byte("not a database at all, but long enough to be looked at"), "empty": nil} {
		if err := os.WriteFile(path, bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), path, dir, Options{Peek: true}); !errors.Is(err, ErrUnusable) {
			t.Errorf("%s: %v", name, err)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != string(bytes) {
			t.Errorf("%s: the file was changed: %v", name, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, dir, Options{Peek: true}); !errors.Is(err, ErrUnusable) {
		t.Errorf("missing: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was made: %v", err)
	}
}
