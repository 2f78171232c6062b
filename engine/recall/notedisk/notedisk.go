// Package notedisk reads the notes of a vault from a disk that may hang. [New] makes
// the disk of one vault, and [Disk.Open] opens its folder for some calls.
//
// # Promises
//
// A share that hangs answers no call for as long as it likes. So each call ends with
// its context and leaves the system call behind, on at most four threads of one
// vault. No link leads out of the vault.
package notedisk

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"vaultdispatcher/engine/note"
)

// MaxNote is the size above which a note is found by its name only.
const MaxNote = 10 << 20

// diskCalls limits how many calls may wait for the disk of one vault.
const diskCalls = 4

// freshTime is how long a note counts as fresh. The clock of the file system may not
// tell such a note from its next save, so its stamp is kept with a sign that
// matches no file.
const freshTime = 2 * time.Second

// Note is a note as it was read.
type Note struct {
	Rel       string
	IsPresent bool // it is a note, and not gone
	Stamp     Stamp
	Source    []byte
	Err       error // it exists and cannot be read
}

// Stamp is the size and time of a note's file. The time of a fresh note is negative.
type Stamp struct{ Size, MTime int64 }

// StampOf returns the stamp of a file.
func StampOf(info fs.FileInfo) Stamp {
	return Stamp{Size: info.Size(), MTime: info.ModTime().UnixNano()}
}

// Disk is the disk of one vault. It is safe for concurrent use.
type Disk struct {
	// Read reads a note; a test may put a disk that hangs in its place.
	Read func(root *os.Root, rel string) ([]byte, error)

	root string
	busy chan struct{} // holds one token for each call at work
}

// New returns the disk of the vault at root. It touches nothing.
func New(root string) *Disk {
	return &Disk{root: root, busy: make(chan struct{}, diskCalls), Read: readNote}
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

// StatNotes returns the stamps of notes, in their order, and the zero stamp for a
// note that is gone.
func (f Folder) StatNotes(ctx context.Context, rels []string) ([]Stamp, error) {
	return onDisk(ctx, f.disk, func() ([]Stamp, error) {
		stamps := make([]Stamp, len(rels))
		for i, rel := range rels {
			if info, err := f.root.Stat(rel); err == nil {
				stamps[i] = StampOf(info)
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		return stamps, nil
	})
}

// LoadNote reads a note for the index.
func (f Folder) LoadNote(ctx context.Context, rel string) (Note, error) {
	n, err := onDisk(ctx, f.disk, func() (Note, error) {
		n := Note{Rel: rel}
		info, err := f.root.Stat(rel)
		if err == nil && info.Mode().IsRegular() {
			n.IsPresent, n.Stamp = true, StampOf(info)
			n.Source, err = f.disk.Read(f.root, rel)
		}
		return n, err
	})
	switch {
	case ctx.Err() != nil:
		return n, ctx.Err()
	case errors.Is(err, fs.ErrNotExist):
		return Note{Rel: rel}, nil
	}
	n.Rel, n.Err = rel, err
	if time.Since(time.Unix(0, n.Stamp.MTime)) < freshTime {
		n.Stamp.MTime = -n.Stamp.MTime
	}
	return n, nil
}

// ReadNote returns the text of a note; see the function of that name.
func (f Folder) ReadNote(ctx context.Context, rel string) ([]byte, error) {
	return onDisk(ctx, f.disk, func() ([]byte, error) { return f.disk.Read(f.root, rel) })
}

// readNote reads a note without the progress comments in it. One that is too large
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
	return note.Bare(buf.Bytes()).Text, err
}
