//go:build !windows

package watch

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"vaultdispatcher/engine/watch/disk"
	"vaultdispatcher/engine/watch/source"
)

// A folder is found under its new name before the message about the old one is
// read, and is back under the old name when it is.
func TestWatchesFollowAFolderThatReturns(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "a/sub/n.md"), "n")
	v, s := atRest(t, root)
	must(t, os.Rename(v.path("a"), v.path("b")))
	must(t, s.lookAtPath(t.Context(), "b", manner{via: ViaNative, basis: basisHint}))
	must(t, os.Rename(v.path("b"), v.path("a")))
	must(t, s.lookAtPath(t.Context(), "a", manner{via: ViaNative, scope: scopeRenewed, basis: basisHint}))
	must(t, s.lookAtPath(t.Context(), "b", manner{via: ViaNative, scope: scopeRenewed, basis: basisHint}))
	announces(v, s, "a/sub/n.md")
	announces(v, s, "a/m.md")
	if armed, _ := s.folders.Watches(); armed != 3 || len(s.snap.folders) != 3 {
		t.Errorf("%d folders watched, %d known", armed, len(s.snap.folders))
	}
}

// A report of an overflow is enough to find what was never announced: here a
// change of what a link points to.
func TestOverflowReported(t *testing.T) {
	t.Parallel()
	root, outside := t.TempDir(), t.TempDir()
	target := filepath.Join(outside, "target.md")
	write(t, target, "one")
	must(t, os.Symlink(target, filepath.Join(root, "link.md")))
	v := newVault(t, root)
	opened := make(chan *source.Hints, 1)
	v.onOpen(func(src source.FolderSource, h *source.Hints) source.Source { opened <- h; return src })
	v.start()
	v.waitReady()
	hints := <-opened
	for i := range 3 {
		text := fmt.Sprint("unannounced ", i)
		write(t, target, text)
		hints.AddOverflow()
		v.until("the change", func() bool { return v.sees("link.md", text) })
	}
	v.until("three comparisons", func() bool { return v.w.Stats().Rescans >= 3 })
	s := v.w.Stats()
	if s.Overflows != 3 {
		t.Errorf("stats are %+v", s)
	}
	if gap := sweepPause * time.Duration(s.Rescans-1); s.LastScan.Sub(s.FirstPass) < gap {
		t.Errorf("%d comparisons within %v of the first pass", s.Rescans, s.LastScan.Sub(s.FirstPass))
	}
}

// onOpen has f wrap each source that the vault opens.
func (v *vault) onOpen(f func(source.FolderSource, *source.Hints) source.Source) {
	open := v.w.opener
	v.w.opener = func(root string, h *source.Hints, log *slog.Logger) (source.Source, error) {
		src, err := open(root, h, log)
		if folders, ok := src.(source.FolderSource); ok {
			src = f(folders, h)
		}
		return src, err
	}
}

// scarce is a source on a machine that has few watches left.
type scarce struct {
	source.FolderSource
	room    *atomic.Int64 // watches left
	refused map[string]bool
}

func (s scarce) Arm(rel string, id disk.Ident, anew bool) error {
	if s.room.Add(-1) < 0 {
		s.refused[rel] = true
		return nil
	}
	return s.FolderSource.Arm(rel, id, anew)
}

func (s scarce) LimitReached() string {
	if len(s.refused) == 0 {
		return ""
	}
	return "no watch left"
}

// Where the kernel grants no more watches, the whole vault is polled, never a part
// of it left out, and the reason names the limit; when there is room again it is
// used.
func TestOutOfWatches(t *testing.T) {
	root := t.TempDir()
	plant(t, root, 20, 1)
	v := newVault(t, root, swift)
	var room atomic.Int64
	room.Store(5)
	v.onOpen(func(src source.FolderSource, _ *source.Hints) source.Source {
		return scarce{src, &room, make(map[string]bool)}
	})
	v.start()
	v.waitReady()
	s := v.w.Stats()
	if s.Source != "poll" || s.Watches != 0 || s.Reason != "no watch left" {
		t.Errorf("stats are %+v", s)
	}
	for i := range 20 {
		v.write(fmt.Sprintf("area %02d/topic %04d/new.md", i%10, i), "unannounced")
	}
	v.settled()
	v.until("all notes known", func() bool { return v.w.Stats().Notes == 40 })
	room.Store(1000)
	v.w.Rescan()
	v.until("all watched", func() bool { s := v.w.Stats(); return s.Source == "fsnotify" && s.Watches == s.Dirs })
	v.mirrorsDisk()
}

// unmounted is a source of which some watches have ended.
type unmounted struct {
	source.FolderSource
	ended *[]string
}

func (u unmounted) Ended() []string { return append(u.FolderSource.Ended(), *u.ended...) }

// A watch that the kernel has ended without a word, as it does with a file system that
// is unmounted, is made again; that of the root with all others.
func TestWatchesThatEndUnheard(t *testing.T) {
	for rel, want := range map[string]error{"d": nil, "": errGone} {
		root := t.TempDir()
		write(t, filepath.Join(root, "d/e/n.md"), "n")
		v, s := atRest(t, root)
		ended := []string{rel}
		if rel != "" {
			ended = append(ended, "d/e")
		}
		for _, rel := range ended {
			s.folders.Disarm(rel)
		}
		s.folders = unmounted{s.folders, &ended}
		if err := s.lookUnheard(t.Context(), time.Now()); !errors.Is(err, want) {
			t.Fatalf("%q: %v, want %v", rel, err, want)
		}
		if want == nil {
			announces(v, s, "d/n.md")
			announces(v, s, "d/e/m.md")
		}
		ended = nil
		if gone := s.folders.Ended(); len(gone) > 0 && want == nil {
			t.Errorf("still not watched: %q", gone)
		}
	}
}

func TestRootThatLeadsRound(t *testing.T) {
	root := filepath.Join(t.TempDir(), "vault")
	must(t, os.Symlink(root, root))
	v := newVault(t, root)
	v.start()
	want := root + " is a link that leads round in a circle"
	v.until("offline, in words", func() bool { s := v.w.Stats(); return s.State == Offline && s.Reason == want })
}
