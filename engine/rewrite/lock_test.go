package rewrite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// The file of a note is the one that was there when its turn was taken: it is not looked for again, at a name where another may
// be by now, while all who want a turn wait for that look.
func TestFileOfATurn(t *testing.T) {
	dir := t.TempDir()
	a, b, c := filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md"), filepath.Join(dir, "c.md")
	if err := errors.Join(os.WriteFile(a, nil, 0o644), os.Link(a, b)); err != nil {
		t.Fatal(err)
	}
	unlock, err := Lock(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if err := os.Rename(a, c); err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{a, b, c} {
		if _, err := Lock(gone, name); !errors.Is(err, context.Canceled) {
			t.Errorf("%s can be taken as well: %v", filepath.Base(name), err)
		}
	}
}
