package watch

import (
	"errors"
	"io/fs"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// stamp is what tells one state of a note from the next without opening it.
// The change time is part of it because programs that copy a time stamp back
// (rsync -t, unzip) leave the rest equal; it is zero where the system has none.
type stamp struct {
	mtime, ctime int64 // nanoseconds since 1970
	size         int64
	ino          uint64
}

// fresh reports whether the note was written so shortly before now that another
// write may still get the same stamp. Two seconds cover the coarsest clock in
// use, that of FAT.
func (s stamp) fresh(now time.Time) bool {
	return within(now, s.mtime) || within(now, s.ctime)
}

// away reports whether only the name of the note is on this disk, and its text in
// the cloud. The size is then kept as its complement.
func (s stamp) away() bool { return s.size < 0 }

const freshness = 2 * time.Second

func within(now time.Time, nano int64) bool {
	d := now.UnixNano() - nano
	return d < int64(freshness) && d > -int64(freshness)
}

// ident is the identity of a folder, whatever it is called. It is the zero
// value where the system does not tell.
type ident struct{ dev, ino uint64 }

type kind uint8

const (
	kindOther   kind = iota // nothing that could be a note or hold one
	kindFolder              //
	kindFile                // a regular file, or a link to one
	kindUnclear             // there, but the system would not say what it is
)

// entry is one name in a folder, as the disk has it.
type entry struct {
	name  string
	kind  kind
	stamp stamp // of a folder its mtime alone
	id    ident // of a folder

	shared  bool // a link, or one of several names of a file
	unasked bool // a folder that was not looked at: id and stamp are zero
}

// listing is what one reading of a folder found.
type listing struct {
	id      ident
	mtime   int64   // of the folder, before it was read
	entries []entry // in no order; a name may come twice when it was moved meanwhile

	spare *[]entry // where the space for entries came from; nil if it was made for them
}

// spares are for the entries of folders, most of which are compared and forgotten
// at once.
var spares = sync.Pool{New: func() any { entries := make([]entry, 0, 64); return &entries }}

// free gives back the space for entries, which are not used any more.
func (l *listing) free() {
	if l.spare == nil {
		return
	}
	clear(l.entries)
	*l.spare = l.entries[:0]
	spares.Put(l.spare)
	l.entries, l.spare = nil, nil
}

// wish is what list shall find out about a name.
type wish uint8

const (
	refused wish = iota // nothing: it is left out
	asked               // all of its entry
	unasked             // that it is there is enough, if it is a folder and list can tell
)

// list reads the folder at abs. Names that want refuses are left out, without a
// stat where the folder itself says what they are. A link is never followed to
// reach the folder, and only links to regular files are listed, with the stamp
// of the file.
func list(abs string, want func(name string, dir bool) wish) (listing, error) {
	return readFolder(abs, want)
}

// inspect stats one path, in the same manner as list does.
func inspect(abs string) (entry, error) {
	e, err := statEntry(abs)
	e.name = filepath.Base(abs)
	return e, err
}

// openedEntry is inspect through an open file, for file systems that tell the
// times of a note from memory until it is opened. Only a path that was a note
// when it was last looked at may be given.
func openedEntry(abs string) (entry, error) {
	e, err := statOpened(abs)
	e.name = filepath.Base(abs)
	return e, err
}

// absent reports whether err says that there is nothing at the path, as opposed
// to nothing that could be reached for now.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
