package service

import (
	"os"

	"golang.org/x/sys/windows"
)

// processExists reports whether a process has not ended yet.
func processExists(pid int) bool {
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h)
	event, err := windows.WaitForSingleObject(h, 0)
	return err == nil && event == uint32(windows.WAIT_TIMEOUT)
}

// endProcess ends a process; there is no asking without a console of its own.
func endProcess(p *os.Process) error { return p.Kill() }
