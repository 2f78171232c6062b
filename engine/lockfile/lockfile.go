// Package lockfile keeps a second process from doing what only one may do at a time.
//
//	f, err := lockfile.Take(path) // ErrHeld: another process is at it
//	defer f.Close()               // gives it back
//
// The operating system gives a lock back when its process ends, however it ends; no file
// that is left behind is in anybody's way. A file made here is never removed: otherwise
// one of two processes could hold a file without a name.
package lockfile

import (
	"errors"
	"os"
)

// ErrHeld says that somebody else holds the file.
var ErrHeld = errors.New("held by another process")

// Take opens path, which is made if it is not there, and holds it until it is closed.
// It does not wait: where it is held already it returns [ErrHeld], in the same process
// too.
func Take(path string) (*os.File, error) { return takeLock(path) }
