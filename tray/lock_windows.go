package tray

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// sharing is what Windows says of a file that somebody has for himself.
const sharing = syscall.Errno(32)

// only makes this the user's one tray, until unlock or the end of the process.
func only(state string) (unlock func(), err error) {
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, fmt.Errorf("make the state folder: %w", err)
	}
	name, err := syscall.UTF16PtrFromString(filepath.Join(state, "tray.lock"))
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharing) {
		return nil, ErrRunning
	}
	if err != nil {
		return nil, fmt.Errorf("lock the tray: %w", err)
	}
	return func() { syscall.CloseHandle(h) }, nil
}
