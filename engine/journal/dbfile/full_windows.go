package dbfile

import (
	"errors"
	"syscall"
)

// The codes are those of https://learn.microsoft.com/en-us/windows/win32/debug/system-error-codes.
const (
	errHandleDiskFull    = syscall.Errno(39)
	errDiskFull          = syscall.Errno(112)
	errDiskQuotaExceeded = syscall.Errno(1295)
)

func isOutOfRoom(err error) bool {
	return errors.Is(err, errDiskFull) || errors.Is(err, errHandleDiskFull) || errors.Is(err, errDiskQuotaExceeded)
}
