//go:build !windows

package listen

import (
	"errors"
	"syscall"
)

// setExclusive has nothing to do: no other socket can share a TCP port that
// listens without SO_REUSEPORT.
func setExclusive(_, _ string, _ syscall.RawConn) error { return nil }

func isInUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }

// isForbidden is the refusal of a port that is for root alone.
func isForbidden(err error) bool { return errors.Is(err, syscall.EACCES) }
