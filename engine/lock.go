package engine

import (
	"fmt"
	"os"
)

// lock keeps two engines from using the same state folder. The operating system
// gives it back when the process ends, however it ends.
type lock struct{ file *os.File }

// takeLock returns [ErrLocked] when another process holds the lock.
func takeLock(path string) (*lock, error) {
	f, err := lockFile(path)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return &lock{f}, nil
}

func (l *lock) release() error { return l.file.Close() }
