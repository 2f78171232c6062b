//go:build unix

package main

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// alive reports whether a process exists. One that has ended and that nobody has
// collected yet does nothing any more; where the system tells, it does not count.
func alive(pid string) bool {
	n, err := strconv.Atoi(pid)
	if err != nil || syscall.Kill(n, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	return err != nil || !bytes.Contains(stat, []byte(") Z "))
}
