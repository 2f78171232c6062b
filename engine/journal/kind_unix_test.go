//go:build !windows

package journal

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"vaultdispatcher/engine/journal/database"
)

// What is no file is named as such, with what to do, and stays as it is.
func TestOpenNamesWhatIsNoFile(t *testing.T) {
	t.Parallel()
	for _, tail := range []string{"", "-wal", "-journal"} {
		for kind, put := range map[string]func(string) error{
			"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
			"a pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
			"no file":  func(path string) error { return os.Symlink("/dev/null", path) },
		} {
			path := filepath.Join(t.TempDir(), "journal.db")
			if err := put(path + tail); err != nil {
				t.Fatal(err)
			}
			before, _ := os.Lstat(path + tail)
			want := "journal.db" + tail + " is " + kind + ", where a file belongs; move it away and start again"
			j, err := On(database.Open(t.Context(), path))
			if err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("%s as %s: %v", kind, tail, err)
			}
			if j != nil {
				j.Close()
			}
			if _, err := database.Inspect(t.Context(), path); err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("%s as %s is inspected: %v", kind, tail, err)
			}
			if after, err := os.Lstat(path + tail); err != nil || !os.SameFile(before, after) || before.Mode() != after.Mode() {
				t.Errorf("%s as %s did not stay: %v, %v", kind, tail, after, err)
			}
		}
	}
}
