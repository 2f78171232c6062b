package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFirstPassReportsEveryNote(t *testing.T) {
	root := t.TempDir()
	for _, rel := range []string{"a.md", "B.MD", "deep/er/c.md", "ü/nö té.md", ".obsidian/d.md", "pic.png", "x/.e.md"} {
		write(t, filepath.Join(root, rel), rel)
	}
	v := watched(t, root)
	v.settled()
	if n := len(v.seen); n != 4 {
		t.Errorf("%d notes reported: %v", n, v.seen)
	}
	for _, e := range v.events {
		if e.Via != ViaStart || e.Kind != Changed || e.Time.IsZero() {
			t.Errorf("first pass reported %+v", e)
		}
	}
	s := v.w.Stats()
	if s.State != Watching || s.Source == "poll" || s.Reason == "" || s.Notes != 4 || s.Dirs != 5 || s.FirstPass.IsZero() {
		t.Errorf("stats are %+v", s)
	}
	v.mirrorsDisk()
	if !s.LastEvent.IsZero() {
		t.Errorf("an event at %v although nothing changed", s.LastEvent)
	}
}

func TestDeleteAndRename(t *testing.T) {
	byModes(t, func(t *testing.T, mode func(*Options)) {
		v := watched(t, t.TempDir(), mode)
		v.write("a.md", "a")
		v.write("b.md", "b")
		v.settled()
		must(t, os.Remove(v.path("a.md")))
		must(t, os.Rename(v.path("b.md"), v.path("c.md")))
		v.until("a.md removed", func() bool { _, removed := v.count("a.md"); return removed == 1 })
		v.until("b.md removed", func() bool { _, removed := v.count("b.md"); return removed == 1 })
		v.until("c.md", func() bool { return v.sees("c.md", "b") })
		must(t, os.Rename(v.path("c.md"), v.path("c.txt")))
		v.until("no note left", func() bool { return !v.knows("c.md") })
		must(t, os.Mkdir(v.path("c.md"), 0o755)) // a folder may be called like a note
		v.write("c.md/d.md", "d")
		v.until("a note in it", func() bool { return v.sees("c.md/d.md", "d") })
		must(t, os.RemoveAll(v.path("c.md")))
		v.write("c.md", "again a note")
		v.settled()
		v.until("one note known", func() bool { return v.w.Stats().Notes == 1 })
	})
}

// Folders made and filled at once: the note is written before anything can watch
// the folder that it is in.
func TestNewFoldersFilledAtOnce(t *testing.T) {
	t.Parallel()
	byModes(t, func(t *testing.T, mode func(*Options)) {
		v := watched(t, t.TempDir(), mode)
		for i := range *foldersFlag {
			v.write(fmt.Sprintf("a%d/b/c/n.md", i), fmt.Sprint(i))
		}
		v.settled()
		for i := range *foldersFlag {
			v.write(fmt.Sprintf("a%d/b/c/n.md", i), fmt.Sprint("later ", i))
			v.write(fmt.Sprintf("a%d/b/m.md", i), fmt.Sprint("new ", i))
		}
		v.settled()
		v.mirrorsDisk()
	})
}

func TestFoldersMovedIn(t *testing.T) {
	byModes(t, func(t *testing.T, mode func(*Options)) {
		root, outside := t.TempDir(), t.TempDir()
		v := watched(t, root, mode)
		for i := range *foldersFlag {
			name := fmt.Sprint("f", i)
			write(t, filepath.Join(outside, name, "n.md"), name)
			write(t, filepath.Join(outside, name, "sub/deep/m.md"), name)
			must(t, os.Rename(filepath.Join(outside, name), v.path(name)))
			v.write(name+"/sub/deep/later.md", name)
		}
		v.settled()
		if n := len(v.seen); n != 3**foldersFlag {
			t.Errorf("%d notes reported, want %d", n, 3**foldersFlag)
		}
		v.mirrorsDisk()
	})
}

// After a rename the kernel's watches follow the folders and know them by their
// old names. Full paths are compared: base names would hide the mistake.
func TestFoldersRenamed(t *testing.T) {
	t.Parallel()
	byModes(t, func(t *testing.T, mode func(*Options)) {
		v := watched(t, t.TempDir(), mode)
		for i := range *foldersFlag {
			v.write(fmt.Sprintf("old%d/n.md", i), "n")
			v.write(fmt.Sprintf("old%d/sub/deep/m.md", i), "m")
		}
		v.settled()
		for i := range *foldersFlag {
			must(t, os.Rename(v.path(fmt.Sprint("old", i)), v.path(fmt.Sprint("new", i))))
			v.write(fmt.Sprintf("new%d/sub/deep/m.md", i), fmt.Sprint("at once ", i))
			v.write(fmt.Sprintf("new%d/n.md", i), fmt.Sprint("at once ", i))
		}
		v.settled()
		for i := range *foldersFlag {
			v.write(fmt.Sprintf("new%d/sub/deep/m.md", i), fmt.Sprint("later ", i))
			v.write(fmt.Sprintf("new%d/n.md", i), fmt.Sprint("later ", i))
		}
		v.settled()
		for i := range *foldersFlag {
			for _, rel := range []string{"n.md", "sub/deep/m.md"} {
				if _, removed := v.count(fmt.Sprintf("old%d/%s", i, rel)); removed != 1 {
					t.Errorf("old%d/%s reported as removed %d times", i, rel, removed)
				}
			}
		}
		v.mirrorsDisk()
	})
}

// A folder that moves into one that was just made is found there before the
// message about its old place has been read, and one that is moved away and back
// loses its watch on the way.
func TestFoldersThatWander(t *testing.T) {
	t.Parallel()
	byModes(t, func(t *testing.T, mode func(*Options)) {
		v := watched(t, t.TempDir(), mode)
		for i := range *foldersFlag {
			v.write(fmt.Sprintf("a%d/sub/n.md", i), "n")
		}
		v.settled()
		for i := range *foldersFlag {
			a, x := v.path(fmt.Sprint("a", i)), v.path(fmt.Sprint("x", i))
			must(t, os.Mkdir(x, 0o755))
			must(t, os.Rename(a, filepath.Join(x, "a")))
			if i%2 == 0 {
				must(t, os.Rename(filepath.Join(x, "a"), a))
			}
		}
		v.settled()
		for i := range *foldersFlag {
			rel := fmt.Sprintf("a%d", i)
			if i%2 != 0 {
				rel = fmt.Sprintf("x%d/a", i)
			}
			v.write(rel+"/sub/n.md", fmt.Sprint("later ", i))
			v.write(rel+"/m.md", fmt.Sprint("new ", i))
		}
		v.settled()
		v.mirrorsDisk()
	})
}

func TestFolderDeletedAndMadeAgain(t *testing.T) {
	t.Parallel()
	byModes(t, func(t *testing.T, mode func(*Options)) {
		v := watched(t, t.TempDir(), mode)
		for i := range *foldersFlag {
			v.write("d/sub/n.md", fmt.Sprint("first ", i))
			if i%2 == 0 {
				v.settled()
			}
			must(t, os.RemoveAll(v.path("d")))
		}
		v.settled()
		v.write("d/sub/n.md", "last")
		v.settled()
		v.write("d/sub/n.md", "really the last")
		v.settled()
		v.mirrorsDisk()
	})
}

func TestIgnoredFoldersAreNotWatched(t *testing.T) {
	asked := make(map[string]bool) // by the goroutine of Run only
	v := watched(t, t.TempDir(), func(o *Options) {
		o.Ignore = func(rel string, dir bool) bool {
			asked[rel] = true
			return isIgnored(rel, dir) || dir && rel == "Templates" || rel == "skip.md"
		}
	})
	for i := range 20 {
		v.write(".git/objects/aa/n.md", fmt.Sprint(i))
		v.write("Templates/daily/n.md", fmt.Sprint(i))
		v.write("skip.md", fmt.Sprint(i))
		v.write("notes/Templates/n.md", fmt.Sprint(i))
	}
	v.until("a note of the same name elsewhere", func() bool { return v.sees("notes/Templates/n.md", "19") })
	v.write("last.md", "")
	v.until("last.md", func() bool { return v.knows("last.md") })
	v.until("three folders watched", func() bool {
		s := v.w.Stats()
		return s.Dirs == 3 && (s.Source != "fsnotify" || s.Watches == 3)
	})
	v.stop()
	for _, e := range v.events {
		if strings.HasPrefix(e.Path, ".git") || strings.HasPrefix(e.Path, "Templates") || e.Path == "skip.md" {
			t.Errorf("reported %s", e.Path)
		}
	}
	for rel := range asked {
		if strings.Contains(rel, "objects") || strings.Contains(rel, "daily") {
			t.Errorf("went into an ignored folder as far as %s", rel)
		}
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	byModes(t, func(t *testing.T, mode func(*Options)) {
		root, outside := t.TempDir(), t.TempDir()
		write(t, filepath.Join(outside, "target.md"), "one")
		write(t, filepath.Join(outside, "other.md"), "two")
		write(t, filepath.Join(outside, "folder/n.md"), "hidden")
		v := watched(t, root, mode)
		must(t, os.Symlink(filepath.Join(outside, "folder"), v.path("folder")))
		must(t, os.Symlink(filepath.Join(outside, "folder"), v.path("folder.md")))
		must(t, os.Symlink(filepath.Join(outside, "nowhere"), v.path("dangling.md")))
		must(t, os.Symlink(root, v.path("loop")))
		must(t, os.Symlink(filepath.Join(outside, "target.md"), v.path("link.md")))
		v.until("a link to a file", func() bool { return v.sees("link.md", "one") })

		must(t, os.Remove(v.path("link.md")))
		must(t, os.Symlink(filepath.Join(outside, "other.md"), v.path("link.md")))
		v.until("the link changed", func() bool { return v.sees("link.md", "two") })

		write(t, filepath.Join(outside, "other.md"), "three")
		v.w.Rescan()
		v.until("its target changed", func() bool { return v.sees("link.md", "three") })
		v.until("the link alone known", func() bool { return v.w.Stats().Notes == 1 })
	})
}

func TestLinkedRoot(t *testing.T) {
	t.Parallel()
	byModes(t, func(t *testing.T, mode func(*Options)) {
		first, second, home := t.TempDir(), t.TempDir(), t.TempDir()
		write(t, filepath.Join(first, "same.md"), "same")
		write(t, filepath.Join(first, "n.md"), "first")
		write(t, filepath.Join(second, "n.md"), "second vault")
		link := filepath.Join(home, "vault")
		must(t, os.Symlink(first, link))
		v := watched(t, link, mode)
		v.until("the note", func() bool { return v.sees("n.md", "first") })
		write(t, filepath.Join(first, "n.md"), "first, saved")
		v.until("a save", func() bool { return v.sees("n.md", "first, saved") })

		must(t, os.Remove(link))
		must(t, os.Symlink(second, link))
		v.w.Rescan()
		v.until("the other vault", func() bool { return v.sees("n.md", "second vault") && !v.knows("same.md") })
		write(t, filepath.Join(second, "n.md"), "second, saved")
		v.until("a save there", func() bool { return v.sees("n.md", "second, saved") })
	})
}

// Run may be called again, and then reports what happened in between.
func TestRunAgain(t *testing.T) {
	v := watched(t, t.TempDir())
	for _, rel := range []string{"stays.md", "changes.md", "goes.md"} {
		v.write(rel, "before")
	}
	v.settled()
	v.stop()
	if s := v.w.Stats(); s.State != Stopped || s.Watches != 0 {
		t.Errorf("after Run: %+v", s)
	}
	v.write("changes.md", "meanwhile")
	v.write("comes.md", "meanwhile")
	must(t, os.Remove(v.path("goes.md")))
	v.events = nil
	v.start()
	v.settled()
	if _, removed := v.count("goes.md"); removed != 1 {
		t.Error("goes.md was not reported as removed")
	}
	if all, _ := v.count("stays.md"); all != 0 {
		t.Error("stays.md was reported although it did not change")
	}
	for _, e := range v.events {
		if e.Via != ViaRescan {
			t.Errorf("%+v", e)
		}
	}
	if err := v.w.Run(t.Context(), v.sink); err == nil {
		t.Error("two Runs at a time were allowed")
	}
}

func TestNewRefusesNothing(t *testing.T) {
	if _, err := New(Options{}); err == nil {
		t.Error("a watcher for no folder was made")
	}
}

// The comparison that needs no reason finds what nothing announced.
func TestSafetyRescan(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	target := filepath.Join(outside, "target.md")
	write(t, target, "one")
	must(t, os.Symlink(target, filepath.Join(root, "link.md")))
	v := watched(t, root, func(o *Options) { o.Rescan = 20 * time.Millisecond })
	write(t, target, "two, unannounced")
	v.until("the change", func() bool { return v.sees("link.md", "two, unannounced") })
	v.until("a comparison", func() bool { return v.w.Stats().Rescans > 0 })
}
