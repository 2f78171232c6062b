package listen

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// exclusiveAddrUse is SO_EXCLUSIVEADDRUSE of winsock2.h: without it another
// program may open the same port and take our requests.
const exclusiveAddrUse = ^windows.SO_REUSEADDR

func setExclusive(_, _ string, conn syscall.RawConn) error {
	var failed error
	err := conn.Control(func(fd uintptr) {
		failed = windows.SetsockoptInt(windows.Handle(fd), windows.SOL_SOCKET, exclusiveAddrUse, 1)
	})
	return errors.Join(err, failed)
}

func isInUse(err error) bool { return errors.Is(err, windows.WSAEADDRINUSE) }

// isForbidden is the refusal of a port that another socket holds exclusively, or that
// the system has reserved.
func isForbidden(err error) bool { return errors.Is(err, windows.WSAEACCES) }
