//go:build !windows

package source

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/fsnotify/fsnotify"

	"vaultdispatcher/engine/watch/disk"
)

func openTest(t *testing.T, root string) (*native, *Hints) {
	t.Helper()
	h := NewHints()
	n, err := openNative(root, h, slog.New(slog.DiscardHandler))
	must(t, err)
	t.Cleanup(n.Close)
	return n, h
}

func idOf(t *testing.T, path string) disk.Ident {
	t.Helper()
	e, err := disk.Inspect(path)
	must(t, err)
	return e.ID
}

// An overflow that the library reports is said, and so is every other error.
func TestErrorsWidenTheSearch(t *testing.T) {
	n, h := openTest(t, t.TempDir())
	for _, err := range []error{fsnotify.ErrEventOverflow, syscall.EINVAL, errors.New("another")} {
		n.w.Errors <- err
		<-h.Wake
		if _, all := h.Take(); !all {
			t.Errorf("%v: not everything is looked at", err)
		}
	}
	if h.Overflows() != 1 {
		t.Errorf("%d overflows, want 1", h.Overflows())
	}
}

// Where the kernel grants no more watches that is a refusal which names the limit,
// and no error; a folder that is not there is one.
func TestNoWatchLeft(t *testing.T) {
	root := t.TempDir()
	n, _ := openTest(t, root)
	must(t, n.Arm("", idOf(t, root), false))
	if got := n.LimitReached(); got != "" {
		t.Errorf("limit %q", got)
	}
	add := n.add
	n.add = func(string) error { return syscall.ENOSPC }
	must(t, os.Mkdir(filepath.Join(root, "d"), 0o755))
	must(t, n.Arm("d", idOf(t, filepath.Join(root, "d")), false))
	if armed, refused := n.Watches(); armed != 1 || refused != 1 || !strings.Contains(n.LimitReached(), NameLimit(syscall.ENOSPC)) {
		t.Errorf("%d armed, %d refused, %q", armed, refused, n.LimitReached())
	}
	n.add = add
	must(t, n.Arm("d", idOf(t, filepath.Join(root, "d")), false))
	if armed, refused := n.Watches(); armed != 2 || refused != 0 || n.LimitReached() != "" {
		t.Errorf("%d armed, %d refused, %q", armed, refused, n.LimitReached())
	}
	if err := n.Arm("nothing", disk.Ident{}, false); err == nil {
		t.Error("a folder that is not there is watched")
	}
}

// A watch that ends without a word, as on a file system that is unmounted, is named.
func TestEndedWatches(t *testing.T) {
	root := t.TempDir()
	n, _ := openTest(t, root)
	must(t, os.Mkdir(filepath.Join(root, "d"), 0o755))
	must(t, n.Arm("", idOf(t, root), false))
	must(t, n.Arm("d", idOf(t, filepath.Join(root, "d")), false))
	if gone := n.Ended(); len(gone) > 0 {
		t.Errorf("ended: %q", gone)
	}
	must(t, n.w.Remove(n.absPath("d")))
	if gone := n.Ended(); !slices.Equal(gone, []string{"d"}) {
		t.Errorf("ended: %q", gone)
	}
	n.Disarm("d")
	if gone := n.Ended(); len(gone) > 0 {
		t.Errorf("ended: %q", gone)
	}
}
