package watch

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// elsewhere are the attributes of a note whose text is not on this disk: to read
// it would fetch it from the cloud or from a tape.
const elsewhere = windows.FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS | windows.FILE_ATTRIBUTE_RECALL_ON_OPEN | windows.FILE_ATTRIBUTE_OFFLINE

// stampOf has neither change time nor identity of a note: a stat by name does not tell
// them, and opening a note may fetch it from the cloud.
func stampOf(info fs.FileInfo) (stamp, ident) {
	s := stamp{mtime: info.ModTime().UnixNano(), size: info.Size(), ino: 0}
	data, ok := info.Sys().(*syscall.Win32FileAttributeData)
	if ok && data.FileAttributes&elsewhere != 0 {
		s.size = ^s.size
	}
	return s, ident{dev: 0, ino: 0}
}

// statOpened opens nothing: here a stat asks the server.
func statOpened(abs string) (entry, error) { return statEntry(place{noFolder, abs}) }

// openFolder opens a folder to list it. os.Open would keep it from being renamed or
// deleted meanwhile, by whoever tries just then.
func openFolder(abs string) (*os.File, error) {
	h, err := openDir(abs, windows.FILE_LIST_DIRECTORY|windows.SYNCHRONIZE, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), abs), nil
}

// folderIdent opens the folder, which fetches nothing.
func folderIdent(abs string, _ fs.FileInfo) ident {
	h, err := openDir(abs, 0, 0)
	if err != nil {
		return ident{}
	}
	defer windows.CloseHandle(h)
	var is windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &is); err != nil {
		return ident{}
	}
	return ident{dev: uint64(is.VolumeSerialNumber), ino: uint64(is.FileIndexHigh)<<32 | uint64(is.FileIndexLow)}
}
