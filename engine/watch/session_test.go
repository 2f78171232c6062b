package watch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/watch/disk"
)

// atRest is a session that has compared the vault once and does nothing by
// itself, so that a test decides in which order things are noticed.
func atRest(t *testing.T, root string, change ...func(*Options)) (*vault, *session) {
	t.Helper()
	v := newVault(t, root, change...)
	e, err := disk.Inspect(root)
	must(t, err)
	s := newSession(v.w, root, e.ID, v.sink)
	t.Cleanup(s.closeSession)
	must(t, s.sweepVault(t.Context(), true))
	return v, s
}

// announces reports, after a change, whether the kernel tells of it.
func announces(v *vault, s *session, rel string) {
	v.Helper()
	s.hints.Take()
	v.write(rel, "a change to be told")
	v.until("a message about "+rel, func() bool {
		paths, _ := s.hints.Take()
		_, told := paths[rel]
		return told
	})
}

// A folder is found to be another one of the same name, although its notes look
// the same, and that one is watched: by a comparison, and by a look at the folder
// above it.
func TestWatchesFollowAnExchangedFolder(t *testing.T) {
	ways := map[string]func(*session) error{
		"comparison": func(s *session) error { return s.sweepVault(t.Context(), false) },
		"look":       func(s *session) error { return s.lookAtPath(t.Context(), "", manner{via: ViaRescan}) },
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			root, outside := t.TempDir(), t.TempDir()
			write(t, filepath.Join(root, "d/sub/n.md"), "n")
			v, s := atRest(t, root)
			must(t, os.Rename(v.path("d"), filepath.Join(outside, "d")))
			v.write("d/sub/n.md", "n")
			must(t, way(s))
			announces(v, s, "d/sub/n.md")
			announces(v, s, "d/m.md")
		})
	}
}

// Whatever is looked at while the vault is away ends the session; nothing is
// taken for removed, neither by its own name nor with the folder it was in.
func TestNothingIsRemovedWhileTheVaultIsAway(t *testing.T) {
	home := t.TempDir()
	root, away := filepath.Join(home, "vault"), filepath.Join(home, "away")
	write(t, filepath.Join(root, "n.md"), "n")
	write(t, filepath.Join(root, "d/sub/m.md"), "m")
	v, s := atRest(t, root)
	ways := map[string]func() error{
		"note":   func() error { return s.lookAtPath(t.Context(), "n.md", manner{scope: scopeRenewed, basis: basisHint}) },
		"folder": func() error { return s.lookAtPath(t.Context(), "d", manner{scope: scopeRenewed, basis: basisHint}) },
		"visit":  func() error { return s.visitFolder(t.Context(), s.snap.folders["d/sub"], disk.Ident{}, manner{}) },
		"list":   func() error { return s.clearMissing(s.snap.folders["d/sub"], nil, manner{}) },
		"sweep":  func() error { return s.sweepVault(t.Context(), true) },
		"root":   func() error { return s.lookAtPath(t.Context(), "", manner{}) },
	}
	must(t, os.Rename(root, away))
	for _, place := range []string{"nothing", "another folder"} {
		if place != "nothing" {
			must(t, os.Mkdir(root, 0o755))
		}
		for name, way := range ways {
			if err := way(); !errors.Is(err, errGone) {
				t.Errorf("%s, with %s in its place: %v", name, place, err)
			}
		}
	}
	if _, removed := v.count(""); removed != 0 || s.snap.notes != 2 {
		t.Errorf("%d notes reported as removed, %d known", removed, s.snap.notes)
	}
}

// The tests may run as a user who is allowed to read everything, so this folder
// is out of reach by the length of its path.
func TestUnreadableFolderKeepsItsNotes(t *testing.T) {
	v := newVault(t, t.TempDir(), func(o *Options) { o.Log = nil }) // the path fills pages
	id, err := disk.Inspect(v.root)
	must(t, err)
	s := newSession(v.w, v.root, id.ID, v.sink)
	defer s.closeSession()
	f := s.snap.folders[""]
	for range 300 {
		f = s.snap.addFolder(f, strings.Repeat("x", 20))
	}
	s.snap.putNote(f, "n.md", disk.Stamp{Size: 1})
	for _, h := range []manner{{}, {scope: scopeRenewed}} {
		if err := s.visitFolder(t.Context(), f, f.id, h); err != nil {
			t.Error(err)
		}
	}
	must(t, s.lookAtPath(t.Context(), f.join("n.md"), manner{scope: scopeRenewed}))
	if _, known := f.findNote("n.md"); !known || !s.unreadable[f.path] || len(v.events) != 0 {
		t.Errorf("known %v, unreadable %v, events %v", known, s.unreadable, v.events)
	}
}
