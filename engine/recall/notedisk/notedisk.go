// Package notedisk reads the notes of a vault from a disk that may hang. [New] makes
// the disk of one vault, and [Disk.Open] opens its folder for some calls.
//
// # Promises
//
// A share that hangs answers no call for as long as it likes. So each call ends with
// its context and leaves the system call behind, on at most four threads of one
// vault. No text is read through a link that leads out of the vault.
//
// If two states of a note have equal marks, they are the same. Where the file system
// keeps change times and inodes, which no program puts back, a mark covers all that it
// tells; elsewhere it covers size and time.
package notedisk

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// MaxNote is the size above which a note is found by its name only.
const MaxNote = 10 << 20

// diskCalls limits how many calls may wait for the disk of one vault.
const diskCalls = 4

// Note is a note as it was read.
type Note struct {
	Rel       string
	IsPresent bool  // it is a note, and not gone
	MTime     int64 // in nanoseconds
	Mark      int64 // of its state; 0, which no state has, where the next save may look the same
	Source    []byte
	Err       error // it exists and cannot be read
}

// Stamp is what the file system says of the state of a note.
type Stamp = disk.Stamp

// Disk is the disk of one vault. It is safe for concurrent use.
type Disk struct {
	// Read reads a note; a test may put a disk that hangs in its place.
	Read func(root *os.Root, rel string) ([]byte, error)

	root  string
	keeps func() bool   // whether change times and inodes tell anything; it touches the disk
	busy  chan struct{} // holds one token for each call at work
}

// New returns the disk of the vault at root, whose notes are read without what bare takes out of them. It touches
// nothing.
func New(root string, bare func(src []byte) []byte) *Disk {
	keeps := sync.OnceValue(func() bool {
		m, err := disk.FindMount(root)
		return err == nil && m.KeepsStamps()
	})
	return &Disk{root: root, keeps: keeps, busy: make(chan struct{}, diskCalls), Read: func(root *os.Root, rel string) ([]byte, error) {
		src, err := readNote(root, rel)
		return bare(src), err
	}}
}

// IsAs reports whether a note that has a stamp now is in the state of a mark.
func IsAs(s Stamp, mark int64) bool { return mark != 0 && int64(s.Digest()) == mark }

func (d *Disk) inspectNote(rel string) (disk.Entry, error) {
	e, err := disk.Inspect(filepath.Join(d.root, filepath.FromSlash(rel)))
	if !d.keeps() {
		e.Stamp.CTime, e.Stamp.Ino = 0, 0
	}
	return e, err
}

// onDisk runs one call to the disk, until ctx ends.
func onDisk[T any](ctx context.Context, d *Disk, call func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	var none T
	select {
	case d.busy <- struct{}{}:
	case <-ctx.Done():
		return none, ctx.Err()
	}
	done := make(chan result, 1)
	go func() {
		defer func() { <-d.busy }()
		value, err := call()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// Folder is the open folder of a vault. No link leads out of it.
type Folder struct {
	disk *Disk
	root *os.Root
}

// Open opens the folder of the vault.
func (d *Disk) Open(ctx context.Context) (Folder, error) {
	root, err := onDisk(ctx, d, func() (*os.Root, error) { return os.OpenRoot(d.root) })
	return Folder{d, root}, err
}

// Close closes the folder. Calls at work end by themselves.
func (f Folder) Close() { _ = f.root.Close() } // it was only read

// StatNote returns what the file system says of a note.
func (f Folder) StatNote(ctx context.Context, rel string) (fs.FileInfo, error) {
	return onDisk(ctx, f.disk, func() (fs.FileInfo, error) { return f.root.Stat(rel) })
}

// StatNotes returns the stamps of notes, in their order, and the zero stamp for what
// is no note any more.
func (d *Disk) StatNotes(ctx context.Context, rels []string) ([]Stamp, error) {
	return onDisk(ctx, d, func() ([]Stamp, error) {
		stamps := make([]Stamp, len(rels))
		for i, rel := range rels {
			if e, err := d.inspectNote(rel); err == nil && e.Type == disk.File {
				stamps[i] = e.Stamp
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		return stamps, nil
	})
}

// LoadNotes reads notes for the index, in their order: those that are wanted, and no more after most bytes.
func (d *Disk) LoadNotes(ctx context.Context, rels []string, most int, isWanted func(rel string) bool) ([]Note, error) {
	return onDisk(ctx, d, func() ([]Note, error) {
		root, err := os.OpenRoot(d.root)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		var list []Note
		for _, rel := range rels {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			n := Note{Rel: rel}
			if isWanted(rel) {
				n = d.loadNote(root, rel)
			}
			list = append(list, n)
			if most -= len(n.Source); most <= 0 {
				break
			}
		}
		return list, nil
	})
}

func (d *Disk) loadNote(root *os.Root, rel string) Note {
	n := Note{Rel: rel}
	begun := time.Now()
	e, err := d.inspectNote(rel)
	if err == nil && e.Type == disk.File {
		n.IsPresent, n.MTime = true, e.Stamp.MTime
		if e.Stamp.IsOldAt(begun) {
			n.Mark = int64(e.Stamp.Digest())
		}
		n.Source, err = d.Read(root, rel)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return Note{Rel: rel}
	}
	n.Err = err
	return n
}

// ReadNote returns the text of a note; see the function of that name.
func (f Folder) ReadNote(ctx context.Context, rel string) ([]byte, error) {
	return onDisk(ctx, f.disk, func() ([]byte, error) { return f.disk.Read(f.root, rel) })
}

// readNote reads a note. One that is too large
// is taken as empty.
func readNote(root *os.Root, rel string) ([]byte, error) {
	f, err := root.Open(rel)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var buf bytes.Buffer
	if info, err := f.Stat(); err == nil && info.Size() > MaxNote {
		return nil, nil
	} else if err == nil {
		buf.Grow(int(info.Size()) + bytes.MinRead) // once, not by doubling
	}
	_, err = buf.ReadFrom(io.LimitReader(f, MaxNote+1))
	if buf.Len() > MaxNote {
		return nil, err
	}
	return buf.Bytes(), err
}
