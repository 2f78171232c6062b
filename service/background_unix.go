//go:build !windows

package service

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// inBackground starts a program apart from the terminal when it is to outlive us.
func inBackground(cmd *exec.Cmd, outlives bool) {
	if outlives {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	}
}

// there reports whether a process has not ended yet.
func there(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// end asks a process to end.
func end(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
