package files

import (
	"errors"
	"os"
)

// ErrHeld says that somebody else holds the lock.
var ErrHeld = errors.New("held by another process")

// TakeLock opens a file, which is made if it is not there, and holds it until it is closed: a second process
// that would do what only one may do at a time gets [ErrHeld], and so does a second call of the same process. It
// does not wait.
//
//	f, err := files.TakeLock(path)
//	defer f.Close() // gives it back
//
// The operating system gives a lock back when its process ends, however it ends; no file
// that is left behind is in anybody's way. A file made here is never removed: otherwise
// one of two processes could hold a file without a name.
func TakeLock(path string) (*os.File, error) { return takeLock(path) }
