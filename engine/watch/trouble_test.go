package watch

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"vaultdispatcher/engine/watch/source"
)

func TestBurst(t *testing.T) {
	v := watched(t, t.TempDir())
	const writers, notes, rounds = 4, 50, 25
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for r := range rounds {
				for n := range notes {
					path := v.path(fmt.Sprintf("w%d/n%d.md", w, n))
					os.MkdirAll(filepath.Dir(path), 0o755)
					if err := os.WriteFile(path, []byte(fmt.Sprint(w, r, n)), 0o644); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	v.settled()
	v.until("all notes known", func() bool { return v.w.Stats().Notes == writers*notes })
}

func TestRootMovedAwayAndBack(t *testing.T) {
	t.Parallel()
	byModes(t, func(t *testing.T, mode func(*Options)) {
		home := t.TempDir()
		root, away := filepath.Join(home, "vault"), filepath.Join(home, "away")
		for i := range 20 {
			write(t, filepath.Join(root, fmt.Sprintf("d/n%d.md", i)), "before")
		}
		v := watched(t, root, mode)
		must(t, os.Rename(root, away))
		v.until("offline, in words", func() bool {
			s := v.w.Stats()
			return s.State == Offline && s.Reason == root+" is not there"
		})
		if _, removed := v.count(""); removed != 0 {
			t.Errorf("%d notes reported as removed while the vault is away", removed)
		}
		if s := v.w.Stats(); s.Notes != 20 || s.Watches != 0 {
			t.Errorf("while away: %+v", s)
		}
		write(t, filepath.Join(away, "d/n0.md"), "written elsewhere")
		write(t, filepath.Join(away, "d/new.md"), "written elsewhere")
		must(t, os.Remove(filepath.Join(away, "d/n1.md")))
		must(t, os.Rename(away, root))
		v.settled()
		v.until("watching", func() bool { return v.w.Stats().State == Watching })
		if _, removed := v.count(""); removed != 1 {
			t.Errorf("%d removals, want that of d/n1.md: %v", removed, v.events[20:])
		}
		// Whoever was told of the first pass may not have read it all in time.
		if all, _ := v.count("d/n3.md"); all != 2 {
			t.Errorf("d/n3.md, reported just before the vault went, was reported %d times", all)
		}
		v.write("d/n2.md", "after")
		v.settled()
		v.mirrorsDisk()
	})
}

// An empty folder in the place of the vault is a disk that is not mounted, not a
// vault whose notes were deleted.
func TestRootExchangedForEmptyFolder(t *testing.T) {
	t.Parallel()
	byModes(t, func(t *testing.T, mode func(*Options)) {
		home := t.TempDir()
		root, away := filepath.Join(home, "vault"), filepath.Join(home, "away")
		write(t, filepath.Join(root, "n.md"), "before")
		v := watched(t, root, mode)
		must(t, os.Rename(root, away))
		must(t, os.Mkdir(root, 0o755))
		v.until("offline", func() bool {
			s := v.w.Stats()
			return s.State == Offline && strings.Contains(s.Reason, "empty")
		})
		if _, removed := v.count(""); removed != 0 {
			t.Errorf("%d notes reported as removed", removed)
		}
		v.write("m.md", "a vault again")
		v.w.Rescan()
		v.settled()
		if v.knows("n.md") {
			t.Error("n.md is still known, although the vault is there without it")
		}
	})
}

func TestRootAppearsLater(t *testing.T) {
	root := filepath.Join(t.TempDir(), "later", "vault")
	v := newVault(t, root)
	v.start()
	v.until("offline", func() bool { return v.w.Stats().State == Offline })
	v.write("n.md", "here")
	v.w.Rescan()
	v.waitReady()
	v.until("the note", func() bool { return v.sees("n.md", "here") })
	if v.events[0].Via != ViaStart {
		t.Errorf("reported as %+v", v.events[0])
	}
}

func TestRootThatIsNoFolder(t *testing.T) {
	root := filepath.Join(t.TempDir(), "vault")
	write(t, root, "a file")
	v := newVault(t, root)
	v.start()
	v.until("offline", func() bool {
		s := v.w.Stats()
		return s.State == Offline && strings.Contains(s.Reason, "not a folder")
	})
}

// Without any notifications the vault is polled.
func TestWithoutNotifications(t *testing.T) {
	v := newVault(t, t.TempDir(), swift)
	v.w.opener = func(string, *source.Hints, *slog.Logger) (source.Source, error) { return nil, syscall.EMFILE }
	v.start()
	v.waitReady()
	v.write("n.md", "unannounced")
	v.until("the note", func() bool { return v.sees("n.md", "unannounced") })
	if s := v.w.Stats(); s.Source != "poll" || !strings.Contains(s.Reason, source.NameLimit(syscall.EMFILE)) {
		t.Errorf("stats are %+v", s)
	}
}

// Nothing is left behind: no watch of a folder that is gone, and no goroutine
// once Run has returned.
func TestNothingLeaks(t *testing.T) {
	v := watched(t, t.TempDir())
	for i := range 300 {
		v.write(fmt.Sprintf("d%d/sub/n.md", i), "n")
		switch i % 3 {
		case 0:
			must(t, os.RemoveAll(v.path(fmt.Sprintf("d%d", i))))
		case 1:
			must(t, os.Rename(v.path(fmt.Sprintf("d%d/sub", i)), v.path(fmt.Sprintf("moved%d", i))))
		}
		if i%50 == 0 {
			v.settled()
		}
	}
	v.settled()
	v.mirrorsDisk()
	v.stop()
	v.until("every goroutine ended", func() bool {
		buf := make([]byte, 1<<20)
		all := string(buf[:runtime.Stack(buf, true)])
		return !strings.Contains(all, "fsnotify.(*") && !strings.Contains(all, "source.(*native)") && !strings.Contains(all, "source.(*rdcw)") && !strings.Contains(all, "watch.(*reconciler)")
	})
}
