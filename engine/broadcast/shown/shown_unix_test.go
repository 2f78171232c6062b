//go:build unix

package shown

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"vaultdispatcher/engine/broadcast/shelf"
)

// A link in the folder, and a folder that is one, lead nowhere.
func TestLinks(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	p := put(t, outside, shelf.Work{})
	secret := filepath.Join(outside, filepath.FromSlash(p.Note))
	own := put(t, root, shelf.Work{})
	in := filepath.Join(root, folder)
	for _, name := range []string{"stolen.md", "the-bar-briefing.wav"} {
		if err := os.Symlink(secret, filepath.Join(in, name)); err != nil {
			t.Fatal(err)
		}
	}
	room, roots := open(folder, nil), []Root{{Name: "v", Path: root}}
	list := room.List(roots)
	if len(list) != 1 || len(list[0].Works) != 1 || list[0].Works[0].Note != own.Note || len(list[0].Works[0].Files) != 0 {
		t.Errorf("listed: %+v", list)
	}
	linked := t.TempDir()
	if err := os.Symlink(filepath.Join(outside, "Agent"), filepath.Join(linked, "Agent")); err != nil {
		t.Fatal(err)
	}
	if list := room.List([]Root{{Name: "v", Path: linked}}); len(list) != 0 {
		t.Errorf("through a link: %+v", list)
	}
}

// A pipe that takes the place of a file after it was looked at is not waited for.
func TestPipeInstead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.md")
	write(t, name, "x")
	dir, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	before, err := dir.Lstat("x.md")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name, name+".away"); err != nil { // or its number is free for the pipe
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := openSame(dir, "x.md", before); err != ErrNone {
		t.Errorf("it was opened: %v", err)
	}
}
