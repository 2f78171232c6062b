//go:build safety

package swap

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A note that is mounted by itself, as containers have files, is written in place. It needs root;
// .ci/safety runs it.
func TestMountedNoteIsWrittenInPlace(t *testing.T) {
	root, _ := vault(t, "")
	source, note := filepath.Join(t.TempDir(), "Source of it.md"), filepath.Join(root, "The mounted.md")
	write(t, source, before)
	write(t, note, "covered\n")
	if err := syscall.Mount(source, note, "", syscall.MS_BIND, ""); err != nil {
		t.Fatalf("mount: %v; this needs root", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(note, syscall.MNT_DETACH) })
	if out := file(t, On(nil), root, note, before, after); !out.InPlace {
		t.Errorf("got %+v, want it written in place", out)
	}
	wantNote(t, source, after)
	wantNoTemps(t, root)
}
