//go:build unix

package files

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A program that is being started while the lock is given back holds it no longer.
func TestGivenBackBesideAStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	lock, err := TakeLock(path)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("cat")
	cmd.ExtraFiles = []*os.File{lock.file} // as every program has it until it begins
	in, inErr := cmd.StdinPipe()
	if err := errors.Join(inErr, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	defer func() { in.Close(); cmd.Wait() }()
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := TakeLock(path)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}
