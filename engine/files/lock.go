package files

import (
	"errors"
	"os"
)

// ErrHeld means that another process holds the lock.
var ErrHeld = errors.New("held by another process")

// TakeLock opens a file, which is made if it is not there, and holds it until it is closed: a second process
// that would do what only one may do at a time gets [ErrHeld], and so does a second call of the same process. It
// does not wait.
//
//	f, err := files.TakeLock(path)
//	defer f.Close() // gives it back
//
// The operating system gives a lock back when its process ends, however it ends; a file left behind blocks no
// process. A file made here is never removed: otherwise one of two processes could hold a file without a name.
func TakeLock(path string) (*Lock, error) {
	file, err := takeLock(path)
	if err != nil {
		return nil, err
	}
	return &Lock{file}, nil
}

// Lock is a lock that this process holds.
type Lock struct{ file *os.File }

// Close gives the lock back, also where a program that is being started at that moment has a copy of the file.
func (l *Lock) Close() error { return errors.Join(giveBack(l.file), l.file.Close()) }
