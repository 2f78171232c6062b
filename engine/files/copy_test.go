package files

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
)

// Each copy has a name that was free, and says when it was kept.
func TestKeepCopy(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	synctest.Test(t, func(t *testing.T) { // where the clock stands still
		for _, want := range []string{"one", "two", "three"} {
			name, err := KeepCopy(file, []byte(want), 0o600)
			if text, failed := os.ReadFile(name); err != nil || failed != nil || string(text) != want {
				t.Errorf("%s: %q, %v, %v", name, text, err, failed)
			}
		}
	})
	found, err := filepath.Glob(file + ".????????-??????*.bak")
	if err != nil || len(found) != 3 || found[2] != file+".20000101-000000.bak" || found[0] != file+".20000101-000000-1.bak" {
		t.Errorf("%q, %v", found, err)
	}
}
