package disk

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

func stampOf(info fs.FileInfo) (Stamp, Ident) {
	s := Stamp{MTime: info.ModTime().UnixNano(), Size: info.Size()}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return s, Ident{}
	}
	s.CTime = st.Ctimespec.Nano()
	s.Ino = st.Ino
	if st.Flags&unix.SF_DATALESS != 0 {
		s.Size = ^s.Size
	}
	return s, Ident{Dev: uint64(st.Dev), Ino: st.Ino}
}

// statOpened does not wait for a pipe that has taken the place of the note.
func statOpened(abs string) (Entry, error) {
	f, err := os.OpenFile(abs, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return Entry{Type: Unclear}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Entry{Type: Unclear}, err
	}
	return entryOf(abs, info), nil
}

func OpenFolder(abs string) (*os.File, error) { return os.Open(abs) }

func folderIdent(_ string, info fs.FileInfo) Ident {
	_, id := stampOf(info)
	return id
}
