//go:build unix

package installer

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestStablePath: an entry names what outlives an upgrade by Homebrew, and nothing that leads elsewhere.
func TestStablePath(t *testing.T) {
	prefix, err := filepath.EvalSymlinks(t.TempDir())
	program := filepath.Join(prefix, "Cellar", ServiceName, "0.1.0", "bin", "wiki")
	link := filepath.Join(prefix, "bin", "wiki")
	for _, dir := range []string{filepath.Dir(program), filepath.Dir(link)} {
		err = errors.Join(err, os.MkdirAll(dir, 0o700))
	}
	if err = errors.Join(err, os.WriteFile(program, nil, 0o700)); err != nil {
		t.Fatal(err)
	}
	if got := stablePath(program); got != program {
		t.Errorf("without a link: %s", got)
	}
	if err := os.Symlink("../Cellar/"+ServiceName+"/0.1.0/bin/wiki", link); err != nil {
		t.Fatal(err)
	}
	if got := stablePath(program); got != link {
		t.Errorf("with its link: %s", got)
	}
	other := filepath.Join(prefix, "other")
	if err := errors.Join(os.WriteFile(other, nil, 0o700), os.Remove(link), os.Symlink(other, link)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{program, other, filepath.Join(prefix, "bin", "none")} {
		if got := stablePath(path); got != path {
			t.Errorf("%s: %s", path, got)
		}
	}
}
