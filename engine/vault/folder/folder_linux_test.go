package folder

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// Asking whether a note can be written wakes nobody who watches it.
func TestWhyReadOnlyOpensNothing(t *testing.T) {
	f := &Folder{Root: t.TempDir()}
	path := filepath.Join(f.Root, "n.md")
	if err := os.WriteFile(path, []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	watcher, err := unix.InotifyInit1(unix.IN_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(watcher)
	if _, err := unix.InotifyAddWatch(watcher, f.Root, unix.IN_ALL_EVENTS); err != nil {
		t.Fatal(err)
	}
	if why := f.WhyReadOnly("n.md"); why != "" {
		t.Error(why)
	}
	if n, err := unix.Read(watcher, make([]byte, 4096)); err != unix.EAGAIN {
		t.Errorf("a watcher has %d bytes of events, %v", n, err)
	}
}
