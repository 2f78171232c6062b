package watch

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// dirent builds what the kernel would return for one name.
func dirent(typ byte, name string) []byte {
	size := (19 + len(name) + 1 + 7) / 8 * 8
	b := make([]byte, size)
	binary.NativeEndian.PutUint16(b[16:], uint16(size))
	b[18] = typ
	copy(b[19:], name)
	return b
}

// Where the folder does not say what its names are, they are found all the same.
func TestFolderWithoutTypes(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "text")
	write(t, filepath.Join(dir, "pic.png"), "text")
	must(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	must(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755))
	must(t, unix.Mkfifo(filepath.Join(dir, "pipe.md"), 0o600))
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	must(t, err)
	defer unix.Close(fd)

	var buf []byte
	for _, name := range []string{".", "..", "a.md", "pic.png", "sub", ".git", "pipe.md", "gone.md"} {
		buf = append(buf, dirent(unix.DT_UNKNOWN, name)...)
	}
	var l listing
	l.appendDirents(fd, buf, unlessIgnored)
	got := l.entries
	if len(got) != 2 || got[0].name != "a.md" || got[0].kind != kindFile || got[1].name != "sub" || got[1].kind != kindFolder {
		t.Errorf("got %+v", got)
	}
}

func unlessIgnored(name string, dir bool) wish {
	if ignored(name, dir) {
		return refused
	}
	return asked
}

// A pipe called like a note would block whoever opens it.
func TestPipesAreNoNotes(t *testing.T) {
	v := watched(t, t.TempDir())
	must(t, unix.Mkfifo(v.path("pipe.md"), 0o600))
	v.write("n.md", "n")
	v.until("the note", func() bool { return v.sees("n.md", "n") })
	v.w.Rescan()
	v.until("a comparison", func() bool { return v.w.Stats().Rescans > 0 })
	if all, _ := v.count("pipe.md"); all != 0 {
		t.Errorf("the pipe was reported %d times", all)
	}
}

func TestTornDirents(t *testing.T) {
	whole := dirent(unix.DT_REG, "some name.md")
	for n := range whole {
		all := func(string, bool) wish { return asked }
		var l listing
		if l.appendDirents(-1, whole[:n], all); len(l.entries) != 0 {
			t.Errorf("%d bytes of a record gave %+v", n, l.entries)
		}
	}
}
