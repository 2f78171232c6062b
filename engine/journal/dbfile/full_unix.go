//go:build !windows

package dbfile

import (
	"errors"
	"syscall"
)

func isOutOfRoom(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
