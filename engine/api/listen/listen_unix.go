//go:build !windows

package listen

import (
	"errors"
	"syscall"
)

// exclusive has nothing to do: no other socket can share a TCP port that
// listens without SO_REUSEPORT.
func exclusive(_, _ string, _ syscall.RawConn) error { return nil }

func inUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }

// forbidden is the refusal of a port that is for root alone.
func forbidden(err error) bool { return errors.Is(err, syscall.EACCES) }
