package recall

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

// maxNote is the size above which a note is found by its name only.
const maxNote = 10 << 20

// diskCalls is how many calls may wait for the disk of one vault at a time.
const diskCalls = 4

// disk reads the notes of a vault. A share that hangs answers no call for as long
// as it likes, so each call ends with its context and leaves the system call
// behind; diskCalls bounds how many threads that costs. No lock of the index is
// held meanwhile, except the turn of [Index.writeNotes].
type disk struct {
	root string
	busy chan struct{} // holds one token for each call at work
	read func(root *os.Root, rel string) ([]byte, error)
}

func newDisk(root string) *disk {
	return &disk{root: root, busy: make(chan struct{}, diskCalls), read: readNote}
}

// onDisk runs one call to the disk, until ctx ends.
func onDisk[T any](ctx context.Context, d *disk, call func() (T, error)) (T, error) {
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

// folder is the open folder of a vault. No link leads out of it.
type folder struct {
	disk *disk
	root *os.Root
}

func (d *disk) openFolder(ctx context.Context) (folder, error) {
	root, err := onDisk(ctx, d, func() (*os.Root, error) { return os.OpenRoot(d.root) })
	return folder{d, root}, err
}

func (f folder) close() { _ = f.root.Close() } // it was only read

// statNote returns what the file system says of a note.
func (f folder) statNote(ctx context.Context, rel string) (fs.FileInfo, error) {
	return onDisk(ctx, f.disk, func() (fs.FileInfo, error) { return f.root.Stat(rel) })
}

// statNotes returns the stamps of notes, in their order, and the zero stamp for a
// note that is gone.
func (f folder) statNotes(ctx context.Context, rels []string) ([]stamp, error) {
	return onDisk(ctx, f.disk, func() ([]stamp, error) {
		stamps := make([]stamp, len(rels))
		for i, rel := range rels {
			if info, err := f.root.Stat(rel); err == nil {
				stamps[i] = stampOf(info)
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		return stamps, nil
	})
}

// loadNote reads a note for the index.
func (f folder) loadNote(ctx context.Context, rel string) (loadedNote, error) {
	n, err := onDisk(ctx, f.disk, func() (loadedNote, error) {
		n := loadedNote{rel: rel}
		info, err := f.root.Stat(rel)
		if err == nil && info.Mode().IsRegular() {
			n.isPresent, n.stamp = true, stampOf(info)
			n.source, err = f.disk.read(f.root, rel)
		}
		return n, err
	})
	switch {
	case ctx.Err() != nil:
		return n, ctx.Err()
	case errors.Is(err, fs.ErrNotExist):
		return loadedNote{rel: rel}, nil
	}
	n.rel, n.err = rel, err
	if time.Since(time.Unix(0, n.stamp.mtime)) < freshTime {
		n.stamp.mtime = -n.stamp.mtime
	}
	return n, nil
}

// readNote returns the text of a note; see the function of that name.
func (f folder) readNote(ctx context.Context, rel string) ([]byte, error) {
	return onDisk(ctx, f.disk, func() ([]byte, error) { return f.disk.read(f.root, rel) })
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
	if info, err := f.Stat(); err == nil && info.Size() > maxNote {
		return nil, nil
	} else if err == nil {
		buf.Grow(int(info.Size()) + bytes.MinRead) // once, not by doubling
	}
	_, err = buf.ReadFrom(io.LimitReader(f, maxNote+1))
	if buf.Len() > maxNote {
		return nil, err
	}
	return note.Bare(buf.Bytes()).Text, err
}
