//go:build unix

package main

import (
	"strconv"
	"syscall"
)

// alive reports whether a process exists.
func alive(pid string) bool {
	n, err := strconv.Atoi(pid)
	return err == nil && syscall.Kill(n, 0) == nil
}
