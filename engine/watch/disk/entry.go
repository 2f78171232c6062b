// Package disk tells the kind of a file system and lists the contents of a folder, on all systems alike.
//
// [FindMount] names the file system of a folder, and [Classify] says how far its change notifications can be trusted.
// A [Root] and [ListFolder] read a folder's entries: every [Entry] has a [Stamp], which tells one state of a file
// from the next, and the identity of a folder, which a rename does not change.
//
// # Promises
//
//   - Nothing is written, and no file is opened but by [InspectOpened]: to read a file
//     may fetch it from the cloud.
//   - A folder is opened so that any program may rename or delete it meanwhile.
//   - No function starts a goroutine or takes a context: a call that the system has
//     begun cannot be taken back. On a share whose server is gone every function that
//     takes a path may wait for as long as the mount is made to, which on a hard NFS
//     mount is for ever, and on FUSE until its program answers (measured here:
//     .ci/filesystems). Callers keep these calls away from locks and from what must
//     end in time.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
)

// Type is the type of an entry.
type Type uint8

// The types of entries.
const (
	Other   Type = iota // neither a folder nor a file
	Folder              //
	File                // a regular file, or a link to one
	Unclear             // there, but the system would not say what it is
)

// Entry is one name in a folder, as the disk has it.
type Entry struct {
	Name  string
	Type  Type
	Stamp Stamp // of a folder its times alone
	ID    Ident // of a folder

	Shared   bool // a link, or one of several names of a file
	NameOnly bool // a folder that was not looked at: ID and Stamp are zero
}

// Listing is what one reading of a folder found.
type Listing struct {
	ID      Ident
	Times   Stamp   // of the folder, before it was read; the rest of it is zero
	Plain   bool    // its names are files and folders, and all of them could be asked for
	Entries []Entry // in no order; a name may come twice when it was moved meanwhile

	pooled *[]Entry // where the space for Entries came from; nil if it was made for them
}

// pool holds the space for the entries of folders. Most entries are compared and forgotten at once.
var pool = sync.Pool{New: func() any { entries := make([]Entry, 0, 64); return &entries }}

// Release gives back the space for Entries, which may not be used any more.
func (l *Listing) Release() {
	if l.pooled == nil {
		return
	}
	clear(l.Entries)
	*l.pooled = l.Entries[:0]
	pool.Put(l.pooled)
	l.Entries, l.pooled = nil, nil
}

// Want says what [ListFolder] finds out about a name.
type Want uint8

// The parts of an entry that [ListFolder] finds out.
const (
	SkipName Want = iota // nothing: it is left out
	StatName             // all of its entry
	KeepName             // of a folder its name alone, where the system tells folders from files
)

// ListFolder reads the folder at abs. Names that want refuses are left out, without a
// stat where the folder itself says what they are. A link is never followed to
// reach the folder, and only links to regular files are listed, with the stamp
// of the file.
func ListFolder(abs string, want func(name string, dir bool) Want) (Listing, error) {
	return readFolder(abs, want)
}

// Inspect stats one path as [ListFolder] does.
func Inspect(abs string) (Entry, error) {
	e, err := statEntry(place{noFolder, abs})
	e.Name = filepath.Base(abs)
	return e, err
}

// InspectOpened is [Inspect] through an open file, for file systems that tell the
// times of a note from memory until it is opened. Only a path that was a note
// when it was last looked at may be given.
func InspectOpened(abs string) (Entry, error) {
	e, err := statOpened(abs)
	e.Name = filepath.Base(abs)
	return e, err
}

// IsAbsent reports whether err says that there is nothing at the path, as opposed
// to nothing that could be reached for now.
func IsAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// IsEmpty reports whether a folder holds no name but one.
func IsEmpty(dir, but string) (bool, error) {
	f, err := OpenFolder(dir)
	if err != nil {
		return false, err
	}
	defer f.Close()
	names, err := f.Readdirnames(2)
	if err == io.EOF {
		err = nil
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == but })
	return len(names) == 0, err
}
