//go:build unix && !linux

package agent

import "syscall"

func endWithStarter(*syscall.SysProcAttr) {}
