package disk

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
	var l Listing
	l.appendDirents(fd, buf, unlessIgnored)
	got := l.Entries
	if len(got) != 2 || got[0].Name != "a.md" || got[0].Type != File || got[1].Name != "sub" || got[1].Type != Folder {
		t.Errorf("got %+v", got)
	}
}

func unlessIgnored(name string, dir bool) Want {
	if name[0] == '.' || !dir && filepath.Ext(name) != ".md" {
		return SkipName
	}
	return StatName
}

func TestTornDirents(t *testing.T) {
	whole := dirent(unix.DT_REG, "some name.md")
	for n := range whole {
		all := func(string, bool) Want { return StatName }
		var l Listing
		if l.appendDirents(-1, whole[:n], all); len(l.Entries) != 0 {
			t.Errorf("%d bytes of a record gave %+v", n, l.Entries)
		}
	}
}
