package watch

import (
	"bytes"
	"encoding/binary"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// buffers are for the contents of folders: a vault has thousands, and one at a
// time is read.
var buffers = sync.Pool{New: func() any { buf := make([]byte, 16<<10); return &buf }}

// readFolder stats each name relative to the open folder. The kernel then looks
// up one name instead of the whole path, which on network file systems saves a
// round trip for each component.
func readFolder(abs string, want func(string, bool) wish) (listing, error) {
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := retry(func() (int, error) { return unix.Open(abs, flags, 0) })
	if err != nil {
		return listing{}, &os.PathError{Op: "open", Path: abs, Err: err}
	}
	defer unix.Close(fd)

	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return listing{}, &os.PathError{Op: "stat", Path: abs, Err: err}
	}
	spare := spares.Get().(*[]entry)
	l := listing{id: identOf(&st), times: timesOf(&st), plain: true, entries: *spare, spare: spare}
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for {
		n, err := retry(func() (int, error) { return unix.ReadDirent(fd, *buf) })
		if err != nil {
			return listing{}, &os.PathError{Op: "read", Path: abs, Err: err}
		}
		if n == 0 {
			return l, nil
		}
		l.appendDirents(fd, (*buf)[:n], want)
	}
}

// appendDirents decodes struct linux_dirent64: 8 bytes inode, 8 bytes offset, 2
// bytes length of the record, 1 byte type, then the name, ended by a zero byte.
func (l *listing) appendDirents(fd int, buf []byte, want func(string, bool) wish) {
	for len(buf) > 19 {
		size := int(binary.NativeEndian.Uint16(buf[16:]))
		if size < 20 || size > len(buf) {
			return
		}
		typ, name := buf[18], buf[19:size]
		buf = buf[size:]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		if string(name) == "." || string(name) == ".." {
			continue
		}
		e, wanted := direntEntry(fd, typ, string(name), want)
		if wanted && (e.kind == kindOther || e.kind == kindUnclear || typ == unix.DT_LNK || typ == unix.DT_UNKNOWN) {
			l.plain = false
		}
		if wanted && e.kind != kindOther {
			l.entries = append(l.entries, e)
		}
	}
}

// direntEntry stats what is wanted, and says whether it is. Of what is wanted and
// nothing to be listed the kind is kindOther. Some file systems (sshfs, old XFS) leave the
// type out of the folder, and there the stat has to come first.
func direntEntry(fd int, typ byte, name string, want func(string, bool) wish) (entry, bool) {
	switch typ {
	case unix.DT_DIR:
		switch want(name, true) {
		case refused:
			return entry{}, false
		case unasked:
			return entry{name: name, kind: kindFolder, unasked: true}, true
		}
	case unix.DT_REG, unix.DT_LNK:
		if want(name, false) == refused {
			return entry{}, false
		}
	case unix.DT_UNKNOWN:
	default:
		return entry{}, false
	}
	e, err := statAt(fd, name)
	if absent(err) {
		return entry{}, true
	}
	if typ == unix.DT_UNKNOWN && e.kind != kindUnclear && want(name, e.kind == kindFolder) == refused {
		return entry{}, false
	}
	e.name = name
	return e, true
}

// statNotes opens the folder without reading it, of which a FUSE program is not even
// told.
func statNotes(at place, id ident, f *folder, found func(i int, e entry)) bool {
	fd, err := openPath(at)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || identOf(&st) != id || timesOf(&st).digest() != f.times {
		return false
	}
	for i := range f.notes {
		e, err := statAt(fd, f.notes[i].name)
		if err != nil || e.kind != kindFile {
			return false
		}
		found(i, e)
	}
	return true
}

// noFolder is the folder of a path that says all by itself.
const noFolder = unix.AT_FDCWD

// openPath opens a folder for nothing but to be asked for what is in it. It keeps its
// file system from being unmounted until it is closed.
func openPath(at place) (fd int, err error) {
	const flags = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	return retry(func() (int, error) { return unix.Openat(at.in, at.path, flags, 0) })
}

func closePath(fd int) { unix.Close(fd) }

func openFolder(abs string) (*os.File, error) { return os.Open(abs) }

func statEntry(at place) (entry, error) {
	e, err := statAt(at.in, at.path)
	if err != nil {
		return e, &os.PathError{Op: "lstat", Path: at.path, Err: err}
	}
	return e, nil
}

// statAt follows a link once it has seen that it is one, so that the stamp is
// that of the text and not of the link.
func statAt(fd int, name string) (entry, error) {
	var st unix.Stat_t
	if err := fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return entry{kind: kindUnclear}, err
	}
	link := st.Mode&unix.S_IFMT == unix.S_IFLNK
	if link {
		if err := fstatat(fd, name, &st, 0); err != nil {
			return entry{kind: kindOther}, nil
		}
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return entry{kind: kindFile, stamp: stampOf(&st), shared: link || st.Nlink > 1}, nil
	case unix.S_IFDIR:
		if !link {
			return entry{kind: kindFolder, id: identOf(&st), stamp: timesOf(&st)}, nil
		}
	}
	return entry{kind: kindOther}, nil
}

// timesOf is the stamp of a folder. Its change time is part of it because programs
// that copy a folder copy its time as well, once the names are in it.
func timesOf(st *unix.Stat_t) stamp {
	return stamp{mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano()}
}

func stampOf(st *unix.Stat_t) stamp {
	return stamp{mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(), size: st.Size, ino: st.Ino}
}

// statOpened does not wait for a pipe that has taken the place of the note.
func statOpened(abs string) (entry, error) {
	fd, err := retry(func() (int, error) { return unix.Open(abs, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0) })
	if err != nil {
		return entry{kind: kindUnclear}, &os.PathError{Op: "open", Path: abs, Err: err}
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return entry{kind: kindUnclear}, &os.PathError{Op: "stat", Path: abs, Err: err}
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return entry{kind: kindOther}, nil
	}
	return entry{kind: kindFile, stamp: stampOf(&st)}, nil
}

func fstatat(fd int, name string, st *unix.Stat_t, flags int) error {
	_, err := retry(func() (int, error) { return 0, unix.Fstatat(fd, name, st, flags) })
	return err
}

func identOf(st *unix.Stat_t) ident {
	return ident{dev: uint64(st.Dev), ino: st.Ino}
}

// retry repeats a call that a signal interrupted, as network and FUSE file
// systems let signals do.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}
