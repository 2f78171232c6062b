//go:build !windows

package service

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// processExists reports whether a process has not ended yet. One that has ended, and whose
// parent has not asked how, holds nothing; only Linux tells.
func processExists(pid int) bool {
	stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z") && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

// endProcess asks a process to end.
func endProcess(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
