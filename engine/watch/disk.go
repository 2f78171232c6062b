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

// mark is what is kept of a stamp: enough to see that another one differs, and when
// the note was written. A vault has a hundred thousand of them.
type mark struct {
	mtime int64
	rest  uint64 // the other fields, mixed; its lowest bit says that the note is away
}

// digest returns what is kept of the stamp of a folder: enough to see that another one
// differs.
func (s stamp) digest() uint64 { return s.mark().rest }

// mark returns what is kept of s. That two stamps of one note with equal mtime have
// the same mark by chance is as likely as a guessed number of 63 bits.
func (s stamp) mark() mark {
	const odd = 0x9E3779B97F4A7C15
	h := uint64(s.ctime)
	for _, field := range [...]uint64{uint64(s.size), s.ino, uint64(s.mtime)} {
		h = (h^h>>31)*odd + field
	}
	h = (h ^ h>>32) * odd
	m := mark{mtime: s.mtime, rest: (h ^ h>>29) &^ 1}
	if s.away() {
		m.rest |= 1
	}
	return m
}

// away is stamp.away of the stamp that was marked.
func (m mark) away() bool { return m.rest&1 == 1 }

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
	stamp stamp // of a folder its times alone
	id    ident // of a folder

	shared  bool // a link, or one of several names of a file
	unasked bool // a folder that was not looked at: id and stamp are zero
}

// listing is what one reading of a folder found.
type listing struct {
	id      ident
	times   stamp   // of the folder, before it was read; the rest of it is zero
	plain   bool    // its names are files and folders, and all of them could be asked for
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

// restat asks for the notes of a folder that was listed before, and does not list it
// again: while the times of the folder are the ones it had, so are its names. It
// calls found with the index of each note in f, and returns false, perhaps after
// some calls, when the folder has to be listed: it is not id, its times are others, a
// note does not answer, or the system has no way to ask that costs less.
func restat(at place, id ident, f *folder, found func(i int, e entry)) bool {
	return f.plain && statNotes(at, id, f, found)
}

// place is where something is: a path, or where the system can do that a path in an
// open folder, which is shorter to follow.
type place struct {
	in   int // the descriptor of the open folder, or noFolder
	path string
}

// inspect stats one path, in the same manner as list does.
func inspect(abs string) (entry, error) {
	e, err := inspectAt(place{noFolder, abs})
	e.name = filepath.Base(abs)
	return e, err
}

// inspectAt is inspect, and leaves out the name.
func inspectAt(at place) (entry, error) { return statEntry(at) }

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
