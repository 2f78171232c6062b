package watch

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/watch/source"
)

// unheard is a session at rest whose source tells of nothing.
func unheard(t *testing.T, root string, change ...func(*Options)) (*vault, *session) {
	t.Helper()
	v, s := atRest(t, root, change...)
	s.closeSource()
	s.src = deaf{}
	v.w.opener = func(string, *source.Hints, *slog.Logger) (source.Source, error) { return deaf{}, nil }
	return v, s
}

// What is mounted on a folder, and what appears when it is unmounted, is found by
// the next beat; of neither the system tells anything.
func TestMountsAreFound(t *testing.T) {
	root, disk := t.TempDir(), t.TempDir()
	write(t, filepath.Join(root, "d/below.md"), "below")
	write(t, filepath.Join(disk, "sub/n.md"), "on the disk")
	v, s := unheard(t, root)
	must(t, os.Rename(v.path("d"), v.path(".below")))
	must(t, os.Rename(disk, v.path("d")))
	v.w.mounts = func(string) map[string]string { return map[string]string{"d": "a disk"} }
	must(t, s.lookUnheard(t.Context(), time.Now()))
	if !v.sees("d/sub/n.md", "on the disk") || v.knows("d/below.md") {
		t.Errorf("mounted: %v", v.seen)
	}

	must(t, os.Rename(v.path("d"), v.path(".disk")))
	must(t, os.Rename(v.path(".below"), v.path("d")))
	v.w.mounts = func(string) map[string]string { return nil }
	must(t, s.lookUnheard(t.Context(), time.Now()))
	if !v.sees("d/below.md", "below") || v.knows("d/sub/n.md") {
		t.Errorf("unmounted: %v", v.seen)
	}
}

// A folder that could not be read is asked for with every beat, and then with all
// that is below it: what was saved there meanwhile could not be looked at.
func TestOutOfReachIsAskedForAgain(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "d/sub/n.md"), "before")
	v, s := unheard(t, root)
	away := strings.Repeat("l", 300) // no system takes such a name: not absent, out of reach
	must(t, s.lookAtPath(t.Context(), away+".md", manner{via: ViaNative}))
	if !s.unreached[away+".md"] {
		t.Fatal("a name that is too long is not out of reach")
	}
	s.unreadable["d"] = true
	v.write("d/sub/n.md", "saved meanwhile")
	must(t, s.lookUnheard(t.Context(), time.Now()))
	if !v.sees("d/sub/n.md", "saved meanwhile") || len(s.unreadable) > 0 {
		t.Errorf("it sees %v, %v unreadable", v.seen, s.unreadable)
	}
	if !s.unreached[away+".md"] {
		t.Error("what is still out of reach is forgotten")
	}
	s.unreached = map[string]bool{"d/sub/m.md": true}
	v.write("d/sub/m.md", "here now")
	must(t, s.lookUnheard(t.Context(), time.Now()))
	if !v.sees("d/sub/m.md", "here now") || len(s.unreached) > 0 {
		t.Errorf("it sees %v, %v out of reach", v.seen, s.unreached)
	}
}

// A folder that holds nothing but what was put there to probe it is a place where
// no disk is mounted, not a vault without notes.
func TestRootExchangedForProbedFolder(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	root := filepath.Join(home, "vault")
	write(t, filepath.Join(root, "n.md"), "n")
	v := watched(t, root, func(o *Options) { o.Probe = ".probed" })
	must(t, os.MkdirAll(filepath.Join(home, "place/.probed"), 0o755))
	must(t, first(nil, // Windows refuses while the note is being read
		func() error { return os.Rename(root, filepath.Join(home, "away")) },
		func() error { return os.Rename(filepath.Join(home, "place"), root) }))
	v.until("offline", func() bool {
		s := v.w.Stats()
		return s.State == Offline && strings.Contains(s.Reason, "empty")
	})
	if _, removed := v.count(""); removed != 0 {
		t.Errorf("%d notes reported as removed", removed)
	}
}

// A link that leads elsewhere is seen by the next beat; whoever cannot follow it is
// told so.
func TestLinkLeadsElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for two of the watcher's ten-second looks")
	}
	t.Parallel()
	home := t.TempDir()
	real, err := filepath.EvalSymlinks(home)
	must(t, err)
	write(t, filepath.Join(home, "first/n.md"), "first")
	write(t, filepath.Join(home, "second/n.md"), "second")
	link := filepath.Join(home, "vault")
	must(t, os.Symlink(filepath.Join(home, "first"), link))
	v := newVault(t, link, func(o *Options) { o.Target = filepath.Join(real, "first") })
	v.w.pulse = 100 * time.Millisecond
	v.start()
	v.waitReady()
	must(t, os.Remove(link))
	must(t, os.Symlink(filepath.Join(home, "second"), link))
	v.until("offline", func() bool {
		s := v.w.Stats()
		return s.State == Offline && strings.Contains(s.Reason, "restart the engine")
	})
	if v.sees("n.md", "second") {
		t.Error("the link was followed")
	}
	must(t, os.Remove(link))
	must(t, os.Symlink(filepath.Join(home, "first"), link))
	write(t, filepath.Join(home, "first/n.md"), "first, back")
	v.until("the vault back", func() bool { return v.sees("n.md", "first, back") })
}
