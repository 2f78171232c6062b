//go:build unix

package files

import (
	"errors"
	"os"
	"syscall"
)

func takeLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, ErrHeld
	}
	return nil, err
}

// giveBack ends the lock at once. Closing the file does so only when its last copy is closed, and between its fork and its
// exec every program has one (https://man7.org/linux/man-pages/man2/flock.2.html).
func giveBack(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
