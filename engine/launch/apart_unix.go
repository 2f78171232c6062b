//go:build unix

package launch

import "syscall"

func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
