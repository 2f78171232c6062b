package watch

import (
	"os"
	"path/filepath"
	"testing"
)

// While a vault is watched its folders can be renamed, moved and deleted by
// anybody, at every depth, and so can the vault itself.
func TestNothingIsBlocked(t *testing.T) {
	home := t.TempDir()
	root := filepath.Join(home, "vault")
	v := newVault(t, root)
	v.write("a/b/c/n.md", "n")
	v.start()
	v.waitReady()
	if s := v.w.Stats(); s.Source != "rdcw" {
		t.Fatalf("the source is %s", s.Source)
	}
	for _, step := range [][2]string{{"a/b/c", "a/b/d"}, {"a/b", "a/e"}, {"a", "f"}, {"f/e/d", "top"}, {"f", "a"}} {
		must(t, os.Rename(v.path(step[0]), v.path(step[1])))
		v.settled()
	}
	must(t, os.RemoveAll(v.path("a")))
	v.settled()
	must(t, os.Rename(root, root+" moved"))
	must(t, os.Rename(root+" moved", root))
	v.write("late.md", "late")
	v.settled()
}
