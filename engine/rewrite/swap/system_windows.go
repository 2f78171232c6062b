package swap

import (
	"errors"
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

var replaceFileW = windows.NewLazySystemDLL("kernel32.dll").NewProc("ReplaceFileW")

// leases means that the system can report a program that wants to write a held file.
const leases = true

// heldStays says that a held file keeps its name: ReplaceFileW opens the file that
// takes another's place without a sharing mode
// (https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-replacefilea).
const heldStays = true

// openHeld denies others what hold says. Names may always be exchanged under an
// open file of ours.
func openHeld(name string, hold Hold) (*os.File, func() bool, error) {
	access := uint32(windows.GENERIC_READ)
	share := uint32(windows.FILE_SHARE_READ | windows.FILE_SHARE_DELETE)
	switch hold {
	case Free:
		share |= windows.FILE_SHARE_WRITE
	case Alone:
		access |= windows.GENERIC_WRITE
		share = 0
	}
	p, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return nil, nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	h, err := windows.CreateFile(p, access, share, nil, windows.OPEN_EXISTING,
		windows.FILE_ATTRIBUTE_NORMAL|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
		return nil, nil, ErrBusy
	}
	if err != nil {
		return nil, nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	if hold == Free {
		return os.NewFile(uintptr(h), name), nil, nil
	}
	return os.NewFile(uintptr(h), name), func() bool { return true }, nil
}

func exchange(temp, note string) error {
	return steps{replace, os.Rename, renameNew, time.Sleep}.exchange(temp, note)
}

func replace(note, temp, old string) error {
	var p [3]*uint16
	for i, name := range []string{note, temp, old} {
		var err error
		if p[i], err = windows.UTF16PtrFromString(name); err != nil {
			return err
		}
	}
	const writeThrough = 1
	ok, _, err := replaceFileW.Call(uintptr(unsafe.Pointer(p[0])), uintptr(unsafe.Pointer(p[1])),
		uintptr(unsafe.Pointer(p[2])), writeThrough, 0, 0)
	if ok != 0 {
		return nil
	}
	return err
}

func renameNew(from, to string) error {
	a, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	b, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	err = windows.MoveFileEx(a, b, windows.MOVEFILE_WRITE_THROUGH)
	if errors.Is(err, windows.ERROR_NOT_SAME_DEVICE) {
		err = fmt.Errorf("%w (%w)", errors.ErrUnsupported, err)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
