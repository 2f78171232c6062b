package swap

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// leases means that the system can report a program that wants to write a held file.
const leases = false

// heldStays says that a held file cannot be put in another's place.
const heldStays = false

// openHeld holds nothing: macOS has no leases.
func openHeld(name string, hold Hold) (*os.File, func() bool, error) {
	flag := os.O_RDONLY
	if hold == Alone {
		flag = os.O_RDWR
	}
	f, err := os.OpenFile(name, flag|unix.O_NOFOLLOW, 0)
	return f, nil, err
}

func exchange(temp, note string) error {
	return renameFlags("exchange", temp, note, unix.RENAME_SWAP)
}

func renameNew(from, to string) error {
	return renameFlags("rename", from, to, unix.RENAME_EXCL)
}

// renameFlags says ErrUnsupported for everything that means "not on this file
// system" or "not between these two".
func renameFlags(op, from, to string, flags uint32) error {
	err := unix.RenamexNp(from, to, flags)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.EXDEV):
		err = fmt.Errorf("%w (%w)", errors.ErrUnsupported, err)
	}
	return &os.LinkError{Op: op, Old: from, New: to, Err: err}
}
