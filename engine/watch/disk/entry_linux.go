package disk

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
func readFolder(abs string, want func(string, bool) Want) (Listing, error) {
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := retryCall(func() (int, error) { return unix.Open(abs, flags, 0) })
	if err != nil {
		return Listing{}, &os.PathError{Op: "open", Path: abs, Err: err}
	}
	defer unix.Close(fd)

	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return Listing{}, &os.PathError{Op: "stat", Path: abs, Err: err}
	}
	pooled := pool.Get().(*[]Entry)
	l := Listing{ID: identOf(&st), Times: timesOf(&st), Plain: true, Entries: *pooled, pooled: pooled}
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for {
		n, err := retryCall(func() (int, error) { return unix.ReadDirent(fd, *buf) })
		if err != nil {
			return Listing{}, &os.PathError{Op: "read", Path: abs, Err: err}
		}
		if n == 0 {
			return l, nil
		}
		l.appendDirents(fd, (*buf)[:n], want)
	}
}

// appendDirents decodes struct linux_dirent64: 8 bytes inode, 8 bytes offset, 2
// bytes length of the record, 1 byte type, then the name, ended by a zero byte.
func (l *Listing) appendDirents(fd int, buf []byte, want func(string, bool) Want) {
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
		e, wanted := inspectDirent(fd, typ, string(name), want)
		if wanted && (e.Type == Other || e.Type == Unclear || typ == unix.DT_LNK || typ == unix.DT_UNKNOWN) {
			l.Plain = false
		}
		if wanted && e.Type != Other {
			l.Entries = append(l.Entries, e)
		}
	}
}

// inspectDirent stats what is wanted, and says whether it is. An entry that is wanted and
// is neither note nor folder has type Other. Some file systems (sshfs, old XFS) leave the
// type out of the folder, and there the stat has to come first.
func inspectDirent(fd int, typ byte, name string, want func(string, bool) Want) (Entry, bool) {
	switch typ {
	case unix.DT_DIR:
		switch want(name, true) {
		case SkipName:
			return Entry{}, false
		case KeepName:
			return Entry{Name: name, Type: Folder, NameOnly: true}, true
		}
	case unix.DT_REG, unix.DT_LNK:
		if want(name, false) == SkipName {
			return Entry{}, false
		}
	case unix.DT_UNKNOWN:
	default:
		return Entry{}, false
	}
	e, err := statAt(fd, name)
	if IsAbsent(err) {
		return Entry{}, true
	}
	if typ == unix.DT_UNKNOWN && e.Type != Unclear && want(name, e.Type == Folder) == SkipName {
		return Entry{}, false
	}
	e.Name = name
	return e, true
}

// restatFiles opens the folder without reading it. A FUSE program does not even hear of that.
func restatFiles(at place, id Ident, times uint64, n int, name func(i int) string, found func(i int, e Entry)) bool {
	fd, err := openPlace(at)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || identOf(&st) != id || timesOf(&st).Digest() != times {
		return false
	}
	for i := range n {
		e, err := statAt(fd, name(i))
		if err != nil || e.Type != File {
			return false
		}
		found(i, e)
	}
	return true
}

// noFolder is the folder of a path that says all by itself.
const noFolder = unix.AT_FDCWD

// openPlace opens a folder for nothing but to be asked for what is in it. It keeps its
// file system from being unmounted until it is closed.
func openPlace(at place) (fd int, err error) {
	const flags = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	return retryCall(func() (int, error) { return unix.Openat(at.descriptor, at.path, flags, 0) })
}

func closePlace(fd int) { unix.Close(fd) }

func OpenFolder(abs string) (*os.File, error) { return os.Open(abs) }

func statEntry(at place) (Entry, error) {
	e, err := statAt(at.descriptor, at.path)
	if err != nil {
		return e, &os.PathError{Op: "lstat", Path: at.path, Err: err}
	}
	return e, nil
}

// statAt follows a link once it has seen that it is one, so that the stamp is
// that of the text and not of the link.
func statAt(fd int, name string) (Entry, error) {
	var st unix.Stat_t
	if err := statBelow(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return Entry{Type: Unclear}, err
	}
	link := st.Mode&unix.S_IFMT == unix.S_IFLNK
	if link {
		if err := statBelow(fd, name, &st, 0); err != nil {
			return Entry{Type: Other}, nil
		}
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return Entry{Type: File, Stamp: stampOf(&st), Shared: link || st.Nlink > 1}, nil
	case unix.S_IFDIR:
		if !link {
			return Entry{Type: Folder, ID: identOf(&st), Stamp: timesOf(&st)}, nil
		}
	}
	return Entry{Type: Other}, nil
}

// timesOf is the stamp of a folder. Its change time is part of it because programs
// that copy a folder copy its time as well, once the names are in it.
func timesOf(st *unix.Stat_t) Stamp {
	return Stamp{MTime: st.Mtim.Nano(), CTime: st.Ctim.Nano()}
}

func stampOf(st *unix.Stat_t) Stamp {
	return Stamp{MTime: st.Mtim.Nano(), CTime: st.Ctim.Nano(), Size: st.Size, Ino: st.Ino}
}

// statOpened does not wait for a pipe that has taken the place of the note.
func statOpened(abs string) (Entry, error) {
	fd, err := retryCall(func() (int, error) { return unix.Open(abs, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0) })
	if err != nil {
		return Entry{Type: Unclear}, &os.PathError{Op: "open", Path: abs, Err: err}
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return Entry{Type: Unclear}, &os.PathError{Op: "stat", Path: abs, Err: err}
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return Entry{Type: Other}, nil
	}
	return Entry{Type: File, Stamp: stampOf(&st)}, nil
}

func statBelow(fd int, name string, st *unix.Stat_t, flags int) error {
	_, err := retryCall(func() (int, error) { return 0, unix.Fstatat(fd, name, st, flags) })
	return err
}

func identOf(st *unix.Stat_t) Ident {
	return Ident{Dev: uint64(st.Dev), Ino: st.Ino}
}

// retryCall repeats a call that a signal interrupted, as network and FUSE file
// systems let signals do.
func retryCall(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}
