package agent

import "golang.org/x/sys/windows"

// alive reports whether a process runs. One that ended keeps its number for as
// long as somebody has it open.
func alive(pid int) bool {
	process, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(process)
	ended, err := windows.WaitForSingleObject(process, 0)
	return err == nil && ended == uint32(windows.WAIT_TIMEOUT)
}
