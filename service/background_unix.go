//go:build !windows

package service

import (
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

// end asks a process to end.
func end(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
