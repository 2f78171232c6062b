package rewrite

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// writing holds one turn per note that is being written.
var writing struct {
	sync.Mutex // guards notes and the users of each turn
	notes      []*turn
}

// turn is one note's lock, taken by sending, and how many calls have it or wait. A note is known by
// its name and by its file: an exchange gives the same name another file, and a file is one under all
// its names.
type turn struct {
	path  string
	file  fs.FileInfo // nil when there was no file
	token chan struct{}
	users int
}

// Lock waits until no other call writes the note and returns the function that ends this. Answer and
// Undo take it themselves; any other code that changes a note, or ends an exchange, must have it.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	return Job{Path: path}.lock(ctx)
}

// lock is Lock for the note of a job, which is idle while others have it.
func (job Job) lock(ctx context.Context) (unlock func(), err error) {
	t := joinQueue(filepath.Clean(job.Path))
	leave := func() {
		writing.Lock()
		defer writing.Unlock()
		if t.users--; t.users == 0 {
			writing.notes = slices.DeleteFunc(writing.notes, func(other *turn) bool { return other == t })
		}
	}
	select {
	case t.token <- struct{}{}:
	default:
		err = job.Wait(func() error {
			select {
			case t.token <- struct{}{}:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}
	if err != nil {
		leave()
		return nil, err
	}
	return func() { <-t.token; leave() }, nil
}

// joinQueue returns the turn of a note, with one user more.
func joinQueue(path string) *turn {
	file, err := os.Stat(path)
	if err != nil {
		file = nil
	} else {
		_ = os.SameFile(file, file) // Windows identifies a file when it is compared first: now, see https://go.dev/src/os/types_windows.go
	}
	writing.Lock()
	defer writing.Unlock()
	for _, t := range writing.notes {
		if t.path == path || t.file != nil && file != nil && os.SameFile(t.file, file) {
			t.users++
			return t
		}
	}
	t := &turn{path: path, file: file, token: make(chan struct{}, 1), users: 1}
	writing.notes = append(writing.notes, t)
	return t
}
