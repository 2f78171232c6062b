//go:build !windows

package watch

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A folder is found under its new name before the message about the old one is
// read, and is back under the old name when it is.
func TestWatchesFollowAFolderThatReturns(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "a/sub/n.md"), "n")
	v, s := atRest(t, root)
	must(t, os.Rename(v.path("a"), v.path("b")))
	must(t, s.look(t.Context(), "b", how{via: ViaNative, told: true}))
	must(t, os.Rename(v.path("b"), v.path("a")))
	must(t, s.look(t.Context(), "a", how{via: ViaNative, told: true, anew: true}))
	must(t, s.look(t.Context(), "b", how{via: ViaNative, told: true, anew: true}))
	announces(v, s, "a/sub/n.md")
	announces(v, s, "a/m.md")
	if len(s.src.(*native).folders) != 3 || len(s.snap.folders) != 3 {
		t.Errorf("watched %v", s.src.(*native).folders)
	}
}

// A report of an overflow is enough to find what was never announced: here a
// change of what a link points to.
func TestOverflowReported(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	target := filepath.Join(outside, "target.md")
	write(t, target, "one")
	must(t, os.Symlink(target, filepath.Join(root, "link.md")))
	v := newVault(t, root)
	opened := make(chan *native, 1)
	v.onOpen(func(n *native) { opened <- n })
	v.start()
	v.waitReady()
	src := <-opened
	for i := range 3 {
		text := fmt.Sprint("unannounced ", i)
		write(t, target, text)
		src.w.Errors <- fsnotify.ErrEventOverflow
		v.until("the change", func() bool { return v.sees("link.md", text) })
	}
	v.until("three comparisons", func() bool { return v.w.Stats().Rescans >= 3 })
	s := v.w.Stats()
	if s.Overflows != 3 {
		t.Errorf("stats are %+v", s)
	}
	if gap := sweepPause * time.Duration(s.Rescans-1); s.LastScan.Sub(s.Ready) < gap {
		t.Errorf("%d comparisons within %v of the first pass", s.Rescans, s.LastScan.Sub(s.Ready))
	}
}

// onOpen calls f with each source that the vault opens.
func (v *vault) onOpen(f func(*native)) {
	open := v.w.open
	v.w.open = func(root string, h *hints, log *slog.Logger) (source, error) {
		src, err := open(root, h, log)
		if n, ok := src.(*native); ok {
			f(n)
		}
		return src, err
	}
}

// Where the kernel grants no more watches, the whole vault is polled, never a part
// of it left out, and the reason names the limit; when there is room again it is
// used.
func TestOutOfWatches(t *testing.T) {
	root := t.TempDir()
	plant(t, root, 20, 1)
	v := newVault(t, root, swift)
	var mu sync.Mutex
	room := 5
	v.onOpen(func(n *native) {
		add := n.add
		n.add = func(abs string) error {
			mu.Lock()
			defer mu.Unlock()
			if room == 0 {
				return syscall.ENOSPC
			}
			room--
			return add(abs)
		}
	})
	v.start()
	v.waitReady()
	s := v.w.Stats()
	if s.Source != "poll" || s.Watches != 0 || !strings.Contains(s.Reason, limitName(syscall.ENOSPC)) {
		t.Errorf("stats are %+v", s)
	}
	for i := range 20 {
		v.write(fmt.Sprintf("area %02d/topic %04d/new.md", i%10, i), "unannounced")
	}
	v.settled()
	v.until("all notes known", func() bool { return v.w.Stats().Notes == 40 })
	mu.Lock()
	room = 1000
	mu.Unlock()
	v.w.Rescan()
	v.until("all watched", func() bool { s := v.w.Stats(); return s.Source == "fsnotify" && s.Watches == s.Dirs })
	v.mirrorsDisk()
}

// A watch that the kernel has ended without a word, as it does with a file system that
// is unmounted, is made again; that of the root with all others.
func TestWatchesThatEndUnheard(t *testing.T) {
	for rel, want := range map[string]error{"d": nil, "": errGone} {
		root := t.TempDir()
		write(t, filepath.Join(root, "d/e/n.md"), "n")
		v, s := atRest(t, root)
		n, ok := s.src.(*native)
		if !ok {
			t.Fatalf("the source is %T", s.src)
		}
		must(t, n.w.Remove(n.abs(rel)))
		if rel != "" {
			must(t, n.w.Remove(n.abs("d/e")))
		}
		if err := s.beat(t.Context(), time.Now()); !errors.Is(err, want) {
			t.Fatalf("%q: %v, want %v", rel, err, want)
		}
		if want == nil {
			announces(v, s, "d/n.md")
			announces(v, s, "d/e/m.md")
		}
		if gone := n.ended(); len(gone) > 0 && want == nil {
			t.Errorf("still not watched: %q", gone)
		}
	}
}
