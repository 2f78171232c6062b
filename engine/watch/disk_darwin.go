package watch

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

func stampOf(info fs.FileInfo) (stamp, ident) {
	s := stamp{mtime: info.ModTime().UnixNano(), size: info.Size()}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return s, ident{}
	}
	s.ctime = st.Ctimespec.Nano()
	s.ino = st.Ino
	if st.Flags&unix.SF_DATALESS != 0 {
		s.size = ^s.size
	}
	return s, ident{dev: uint64(st.Dev), ino: st.Ino}
}

// statOpened does not wait for a pipe that has taken the place of the note.
func statOpened(abs string) (entry, error) {
	f, err := os.OpenFile(abs, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return entry{kind: kindUnclear}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return entry{kind: kindUnclear}, err
	}
	return entryOf(abs, info), nil
}

func openFolder(abs string) (*os.File, error) { return os.Open(abs) }

func folderIdent(_ string, info fs.FileInfo) ident {
	_, id := stampOf(info)
	return id
}
