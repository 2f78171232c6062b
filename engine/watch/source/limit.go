package source

import (
	"errors"
	"syscall"
)

// IsLimit reports whether an error is a limit of the system, which may have
// room again later.
func IsLimit(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) ||
		errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}
