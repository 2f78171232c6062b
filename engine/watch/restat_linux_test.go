package watch

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// rested is a session on a vault that has not changed for a while, so that the times
// of its folders can be believed.
func rested(t *testing.T, paths ...string) (*vault, *session) {
	t.Helper()
	root := t.TempDir()
	for _, p := range paths {
		write(t, filepath.Join(root, p), "first")
	}
	v, s := atRest(t, root, func(o *Options) { o.Mode = ModePoll })
	v.until("the folders are old enough", func() bool {
		for _, f := range s.snap.folders {
			e, err := disk.Inspect(s.root.Abs(f.path))
			must(t, err)
			if e.Stamp.IsFresh(time.Now()) {
				return false
			}
		}
		return true
	})
	v.until("nothing is looked at again", func() bool {
		s.revisits.takeDue(time.Now())
		return s.revisits.isEmpty()
	})
	must(t, s.sweepVault(t.Context(), false))
	return v, s
}

// unlisted reports whether a folder needs no listing.
func unlisted(s *session, rel string) bool {
	f := s.snap.folders[rel]
	return f.restatNotes(s.root, f.id, func(int, disk.Entry) {})
}

// A folder that is at rest is not listed, and a single comparison finds whatever
// becomes of it all the same, also where programs put the old times back.
func TestComparisonWithoutListing(t *testing.T) {
	t.Parallel()
	old := func(t *testing.T, path string, change func()) {
		t.Helper()
		before, err := os.Stat(path)
		must(t, err)
		change()
		must(t, os.Chtimes(path, before.ModTime(), before.ModTime()))
	}
	changes := map[string]func(t *testing.T, v *vault){
		"in place":                 func(t *testing.T, v *vault) { v.write("d/n.md", "second") },
		"in place, with old times": func(t *testing.T, v *vault) { old(t, v.path("d/n.md"), func() { v.write("d/n.md", "again") }) },
		"by rename": func(t *testing.T, v *vault) {
			v.write("draft", "second")
			must(t, os.Rename(v.path("draft"), v.path("d/n.md")))
		},
		"new":                  func(t *testing.T, v *vault) { v.write("d/new.md", "new") },
		"new, with old times":  func(t *testing.T, v *vault) { old(t, v.path("d"), func() { v.write("d/new.md", "new") }) },
		"gone":                 func(t *testing.T, v *vault) { must(t, os.Remove(v.path("d/n.md"))) },
		"gone, with old times": func(t *testing.T, v *vault) { old(t, v.path("d"), func() { must(t, os.Remove(v.path("d/n.md"))) }) },
		"a folder": func(t *testing.T, v *vault) {
			must(t, os.Remove(v.path("d/n.md")))
			v.write("d/n.md/m.md", "m")
		},
		"another folder": func(t *testing.T, v *vault) {
			must(t, os.Rename(v.path("d"), v.path(".away")))
			v.write("d/x.md", "x")
		},
		"a folder below": func(t *testing.T, v *vault) { v.write("d/e/f/n.md", "n") },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, s := rested(t, "d/n.md", "d/m.md", "d/e/n.md", "top.md")
			for _, rel := range []string{"", "d", "d/e"} {
				if !unlisted(s, rel) {
					t.Errorf("the folder %q is listed", rel)
				}
			}
			change(t, v)
			must(t, s.sweepVault(t.Context(), false))
			v.settled()
		})
	}
}

// Of a folder with links in it nothing is believed: what a link leads to may come
// without a trace in the folder.
func TestFoldersWithLinksAreListed(t *testing.T) {
	t.Parallel()
	v, s := rested(t, "n.md")
	target := filepath.Join(t.TempDir(), "target.md")
	must(t, os.Symlink(target, v.path("link.md")))
	must(t, s.sweepVault(t.Context(), false))
	if unlisted(s, "") {
		t.Error("the folder is not listed")
	}
	write(t, target, "target")
	must(t, s.sweepVault(t.Context(), false))
	v.settled()
}

// One comparison of some believes nothing.
func TestThoroughComparisons(t *testing.T) {
	_, s := atRest(t, t.TempDir())
	n := 0
	for range 120 {
		if s.countThorough() {
			n++
		}
	}
	if n != 5 {
		t.Errorf("%d of 120 comparisons list every folder", n)
	}
}
