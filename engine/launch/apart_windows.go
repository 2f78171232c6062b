package launch

import (
	"syscall"

	"golang.org/x/sys/windows"
)

func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
}
