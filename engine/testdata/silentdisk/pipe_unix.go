//go:build unix

package silentdisk

import (
	"os"
	"syscall"
	"testing"
)

// HangAtOpen makes a path where a look answers and opening it hangs until the test ends: so does a share whose server is
// gone, of which the system remembers something.
func HangAtOpen(t testing.TB, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // who writes has all who wait go on, and hangs without one
		if f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			f.Close()
		}
	})
}
