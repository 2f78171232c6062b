package swap

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// leases means that the system can report a program that wants to write a held file.
const leases = true

// heldStays says that a held file cannot be put in another's place.
const heldStays = false

// openHeld takes a lease where one is asked for. The kernel refuses a lease on a
// file that is open for writing, and makes later writers wait for its end. A file
// system without leases, or another owner's file, is opened without:
// https://man.archlinux.org/man/core/man-pages/F_SETLEASE.2const.en
func openHeld(name string, hold Hold) (*os.File, func() bool, error) {
	flag, lease := os.O_RDONLY, unix.F_RDLCK
	if hold == Alone {
		flag, lease = os.O_RDWR, unix.F_WRLCK
	}
	f, err := os.OpenFile(name, flag|unix.O_NOFOLLOW, 0)
	if err != nil || hold == Free {
		return f, nil, err
	}
	_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, lease)
	switch {
	case errors.Is(err, unix.EAGAIN):
		f.Close()
		return nil, nil, ErrBusy
	case err != nil:
		return f, nil, nil
	}
	return f, func() bool {
		now, err := unix.FcntlInt(f.Fd(), unix.F_GETLEASE, 0)
		return err == nil && now == lease
	}, nil
}

// exchange says ErrUnsupported of a note that is a mount point itself, such as a file that a container
// was given: no name can take its place (https://man7.org/linux/man-pages/man2/rename.2.html, EBUSY).
// Whatever else is busy passes by itself.
func exchange(temp, note string) error {
	err := renameFlags("exchange", temp, note, unix.RENAME_EXCHANGE)
	if !errors.Is(err, unix.EBUSY) {
		return err
	}
	table, unread := os.ReadFile("/proc/self/mountinfo")
	if unread == nil && isMounted(string(table), note) {
		return fmt.Errorf("%w (%w)", errors.ErrUnsupported, err)
	}
	return fmt.Errorf("%w (%w)", ErrBusy, err)
}

// octal are the characters that mountinfo spells otherwise:
// https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html
var octal = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)

// isMounted reports whether the table, the text of mountinfo, has the file itself as a mount point.
func isMounted(table, file string) bool {
	for line := range strings.Lines(table) {
		if fields := strings.Fields(line); len(fields) > 4 && octal.Replace(fields[4]) == file {
			return true
		}
	}
	return false
}

func renameNew(from, to string) error {
	return renameFlags("rename", from, to, unix.RENAME_NOREPLACE)
}

// renameFlags says ErrUnsupported for everything that means "not on this file
// system" or "not between these two": http://man.he.net/man2/renameat2, "ERRORS".
func renameFlags(op, from, to string, flags uint) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, flags)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.EXDEV):
		err = fmt.Errorf("%w (%w)", errors.ErrUnsupported, err)
	}
	return &os.LinkError{Op: op, Old: from, New: to, Err: err}
}
