package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The kernel is called here, not by way of github.com/landlock-lsm/go-landlock: its rules pass over a path that is
// missing and fail for one that may not be looked at or has a file above it, where most lists of ours hold some
// (https://github.com/landlock-lsm/go-landlock/blob/a066544/landlock/path_opt_linux.go); and what it can do of a list with the right to
// move files between folders, on the oldest kernels with Landlock, is either nothing or an error
// (https://github.com/landlock-lsm/go-landlock/blob/a066544/landlock/path_opt.go, downgrade). With both mended around it, it is no less code.

// The rights of the lists, and those that a file can have that is no folder.
const (
	readRights  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	runRights   = readRights | unix.LANDLOCK_ACCESS_FS_EXECUTE
	touchRights = readRights | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	writeRights = readRights | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE |
		unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_REFER |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SYM |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO
	fileRights = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	allRights = writeRights | runRights | touchRights | unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK
)

// nonblocking has a pipe opened at once.
const nonblocking = unix.O_NONBLOCK

// takeLock locks a file, which is made if it is not there; the kernel gives the lock back when this process ends.
func takeLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// giveBack ends a lock also where a program that is being started at that moment has a copy of the file.
func giveBack(lock *os.File) {
	_ = unix.Flock(int(lock.Fd()), unix.LOCK_UN)
	_ = lock.Close()
}

// isMine reports whether a file is of the user of this process.
func isMine(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

// version is the kernel's version of Landlock.
var version = sync.OnceValues(func() (int, error) {
	n, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	switch {
	case errno == unix.EOPNOTSUPP:
		return 0, errors.New("this kernel has Landlock switched off")
	case errno != 0:
		return 0, errors.New("this kernel has no Landlock")
	}
	return int(n), nil
})

func findSupport() error {
	_, err := version()
	return err
}

// handledRights are the rights that a version of Landlock knows; the kernel refuses
// others (https://docs.kernel.org/userspace-api/landlock.html#previous-limitations).
func handledRights(version int) unix.LandlockRulesetAttr {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: allRights}
	if version < 2 {
		attr.Handled_access_fs &^= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version < 3 {
		attr.Handled_access_fs &^= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version < 5 {
		attr.Handled_access_fs &^= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if version >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	return attr
}

// enforce holds this thread, and what it becomes, to the rules.
func (r rules) enforce() error {
	has, err := version()
	if err != nil {
		return err
	}
	attr := handledRights(has)
	set, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), rulesetSize(has), 0)
	if errno != 0 {
		return fmt.Errorf("make a set of rules: %w", errno)
	}
	for _, list := range []struct {
		paths  []string
		rights uint64
	}{{r.Read, readRights}, {r.Run, runRights}, {r.Touch, touchRights}, {r.Write, writeRights}} {
		for _, path := range list.paths {
			if err := addRule(int(set), path, list.rights&attr.Handled_access_fs); err != nil {
				return err
			}
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give new rights up: %w", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0); errno != 0 {
		return fmt.Errorf("take the rules on: %w", errno)
	}
	return unix.Close(int(set))
}

// rulesetSize is the size of what a version of Landlock reads: a kernel takes a longer
// one only while the rest is zero, which the fields behind these are.
func rulesetSize(version int) uintptr {
	switch {
	case version < 4:
		return 8
	case version < 6:
		return 16
	}
	return 24
}

// addRule allows what is at and below a path. One that is not there, or that this user
// may not look at, adds nothing.
func addRule(set int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || err == unix.ENOTDIR {
		return nil
	}
	if err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= fileRights
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return &fs.PathError{Op: "allow", Path: path, Err: errno}
	}
	return nil
}

// replaceProcess runs a program in the place of this one. An init function runs on the
// first thread and keeps it, so this is the thread that the rules hold.
func replaceProcess(path string, args []string) error {
	return &fs.PathError{Op: "run", Path: path, Err: syscall.Exec(path, args, os.Environ())}
}
