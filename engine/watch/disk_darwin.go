package watch

import (
	"io/fs"
	"syscall"
)

func stampOf(info fs.FileInfo) (stamp, ident) {
	s := stamp{mtime: info.ModTime().UnixNano(), size: info.Size()}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return s, ident{}
	}
	s.ctime = st.Ctimespec.Nano()
	s.ino = st.Ino
	return s, ident{dev: uint64(st.Dev), ino: st.Ino}
}
