package watch

import (
	"io/fs"
	"syscall"

	"golang.org/x/sys/windows"
)

// elsewhere are the attributes of a note whose text is not on this disk: to read
// it would fetch it from the cloud or from a tape.
const elsewhere = windows.FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS | windows.FILE_ATTRIBUTE_RECALL_ON_OPEN | windows.FILE_ATTRIBUTE_OFFLINE

// stampOf has neither change time nor identity: Windows tells them only of an
// open file, and opening a note may fetch it from the cloud.
func stampOf(info fs.FileInfo) (stamp, ident) {
	s := stamp{mtime: info.ModTime().UnixNano(), size: info.Size(), ino: 0}
	data, ok := info.Sys().(*syscall.Win32FileAttributeData)
	if ok && data.FileAttributes&elsewhere != 0 {
		s.size = ^s.size
	}
	return s, ident{dev: 0, ino: 0}
}

// statOpened opens nothing: here a stat asks the server.
func statOpened(abs string) (entry, error) { return statEntry(abs) }
