package rewrite

import (
	"context"
	"path/filepath"
	"sync"
)

// writing holds one turn per note that is being written. A note known by two
// names through a link has two; then the exchange itself tells them apart.
var writing = struct {
	sync.Mutex // guards notes and the users of each turn
	notes      map[string]*turn
}{notes: make(map[string]*turn)}

// turn is one note's lock, taken by sending, and how many have it or wait.
type turn struct {
	taken chan struct{}
	users int
}

// lock waits for the note's turn and returns the function that ends it.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	path = filepath.Clean(path)
	writing.Lock()
	t := writing.notes[path]
	if t == nil {
		t = &turn{taken: make(chan struct{}, 1)}
		writing.notes[path] = t
	}
	t.users++
	writing.Unlock()
	leave := func() {
		writing.Lock()
		defer writing.Unlock()
		if t.users--; t.users == 0 {
			delete(writing.notes, path)
		}
	}
	select {
	case t.taken <- struct{}{}:
		return func() { <-t.taken; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}
