package swap

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Files is every operation on the file system that an exchange is made of.
// Names are absolute. The operating system's is the default; tests have one
// that fails or stops at a chosen call.
type Files interface {
	Resolve(name string) (string, error)    // follows every link
	Lstat(name string) (fs.FileInfo, error) // follows none
	ReadDir(name string) ([]fs.DirEntry, error)
	Mkdir(name string, perm fs.FileMode) error // no error when it is there
	Create(name string) (Handle, error)        // the name must be free; only the owner may read it
	Open(name string, hold Hold) (Handle, error)
	Rename(from, to string) error    // between our own temps
	RenameNew(from, to string) error // to must be free; errors.ErrUnsupported if the system has no such rename
	Touch(name string) error         // says that it was written now
	Exchange(temp, note string) error
	Remove(name string) error
	SyncDir(name string) error // makes names durable; no error if the system has no such call
}

// Hold says how a file is kept while it is open.
type Hold int

// Alone opens for writing; the others for reading.
const (
	Free  Hold = iota // every program may do everything
	Quiet             // no program has it open for writing, and we learn when one wants to
	Alone             // no other program has it open; one that wants to waits
)

// Handle is an open file. If the system has no way to hold a file, Open succeeds all the same, Leased
// is false and Undisturbed always true. On a system that has leases such a file is another user's, or
// on a file system without them.
type Handle interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Stat() (fs.FileInfo, error)
	Append(p []byte) (at int64, err error) // writes where the end is by then, and says where that was
	Truncate(size int64) error
	Sync() error
	Links() (int, error)
	Like(other Handle) error // takes over mode, owner, attributes and access list; errOwner if all but the owner
	Leased() bool
	Undisturbed() bool // no program has asked for an access that our hold denies
}

// errOwner says that a file cannot be given another's owner or group.
var errOwner = errors.New("the owner cannot be kept")

// readAll reads a whole file, at most one byte more than [Limit].
func readAll(h Handle) ([]byte, error) {
	fi, err := h.Stat()
	if err != nil {
		return nil, err
	}
	buf := make([]byte, 0, min(fi.Size(), Limit)+1)
	for len(buf) <= Limit {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := h.ReadAt(buf[len(buf):min(cap(buf), Limit+1)], int64(len(buf)))
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return buf, nil
}

// System returns the operating system's file operations.
func System() Files { return osFiles{} }

// osFiles is the operating system's Files.
type osFiles struct{}

func (osFiles) Resolve(name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

func (osFiles) Lstat(name string) (fs.FileInfo, error)     { return os.Lstat(name) }
func (osFiles) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (osFiles) Rename(from, to string) error               { return os.Rename(from, to) }
func (osFiles) RenameNew(from, to string) error            { return renameNew(from, to) }
func (osFiles) Touch(name string) error                    { return os.Chtimes(name, time.Time{}, time.Now()) }
func (osFiles) Exchange(temp, note string) error           { return exchange(temp, note) }
func (osFiles) Remove(name string) error                   { return os.Remove(name) }
func (osFiles) SyncDir(name string) error                  { return syncDir(name) }

// Mkdir refuses a link: a synced vault could bring one that leads elsewhere.
func (osFiles) Mkdir(name string, perm fs.FileMode) error {
	err := os.Mkdir(name, perm)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	fi, err := os.Lstat(name)
	if err == nil && !fi.IsDir() {
		return &fs.PathError{Op: "mkdir", Path: name, Err: errors.New("there is something else than a folder")}
	}
	return err
}

func (osFiles) Create(name string) (Handle, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &osHandle{File: f}, nil
}

func (osFiles) Open(name string, hold Hold) (Handle, error) {
	f, undisturbed, err := openHeld(name, hold)
	if err != nil {
		return nil, err
	}
	return &osHandle{f, undisturbed}, nil
}

// osHandle is an open file and, if it is held, the question whether it still is.
type osHandle struct {
	*os.File
	undisturbed func() bool
}

func (h *osHandle) Leased() bool                   { return h.undisturbed != nil }
func (h *osHandle) Undisturbed() bool              { return h.undisturbed == nil || h.undisturbed() }
func (h *osHandle) Append(p []byte) (int64, error) { return appendAtEnd(h.File, p) }
func (h *osHandle) Links() (int, error)            { return countLinks(h.File) }

func (h *osHandle) Like(other Handle) error {
	o, ok := other.(*osHandle)
	if !ok {
		return errors.ErrUnsupported
	}
	return copyAttributes(h.File, o.File)
}
