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

// leases says that the system can tell who wants to write a held file.
const leases = true

// open denies others what hold says. Names may always be exchanged under an
// open file of ours.
func open(name string, hold Hold) (*os.File, func() bool, error) {
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
	if errors.Is(err, windows.ERROR_SHARING_VIOLATION) && hold != Free {
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

// exchange is made of two steps: the note is replaced and its old file gets a
// third name, then that becomes the temp's. Always with such a third name:
// without one the system may delete the old file before it fails.
func exchange(temp, note string) error {
	old := sibling(temp, oldKind)
	err := patiently(func() error { return replace(note, temp, old) })
	switch {
	case errors.Is(err, windows.ERROR_UNABLE_TO_MOVE_REPLACEMENT_2):
		// The note has its third name and nothing stands in its place.
		if back := patiently(func() error { return renameNew(old, note) }); back != nil {
			err = errors.Join(err, back)
		}
	case errors.Is(err, windows.ERROR_NOT_SUPPORTED), errors.Is(err, windows.ERROR_INVALID_FUNCTION),
		errors.Is(err, windows.ERROR_NOT_SAME_DEVICE):
		err = fmt.Errorf("%w (%w)", errors.ErrUnsupported, err)
	case err == nil:
		err = patiently(func() error { return os.Rename(old, temp) })
	}
	if err != nil {
		return &os.LinkError{Op: "exchange", Old: temp, New: note, Err: err}
	}
	return nil
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

// patiently repeats what virus scanners and indexers make fail for a moment.
func patiently(do func() error) error {
	wait, end := time.Millisecond, time.Now().Add(2*time.Second)
	for {
		err := do()
		passing := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED) ||
			errors.Is(err, windows.ERROR_UNABLE_TO_MOVE_REPLACEMENT)
		if !passing || time.Now().Add(wait).After(end) {
			return err
		}
		time.Sleep(wait)
		wait *= 2
	}
}
