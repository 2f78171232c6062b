//go:build unix

package shelf

import (
	"os"
	"path/filepath"
	"testing"
)

// A link in the vault leads nothing out of it.
func TestPutThroughLink(t *testing.T) {
	outside, root := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, "Agent")); err != nil {
		t.Fatal(err)
	}
	if p, err := Put(t.Context(), root, folder, work("A", "x")); err == nil {
		t.Errorf("put at %q through a link that leads out", p.Note)
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Errorf("written outside: %v", left)
	}
}
