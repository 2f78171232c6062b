package disk

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
func stampOf(info fs.FileInfo) (Stamp, Ident) {
	s := Stamp{MTime: info.ModTime().UnixNano(), Size: info.Size(), Ino: 0}
	data, ok := info.Sys().(*syscall.Win32FileAttributeData)
	if ok && data.FileAttributes&elsewhere != 0 {
		s.Size = ^s.Size
	}
	return s, Ident{Dev: 0, Ino: 0}
}

// statOpened opens nothing: here a stat asks the server.
func statOpened(abs string) (Entry, error) { return statEntry(place{noFolder, abs}) }

// OpenFolder opens a folder to list it. os.Open would keep other programs from renaming or deleting it meanwhile.
func OpenFolder(abs string) (*os.File, error) {
	h, err := OpenHandle(abs, windows.FILE_LIST_DIRECTORY|windows.SYNCHRONIZE, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), abs), nil
}

// folderIdent opens the folder, which fetches nothing.
func folderIdent(abs string, _ fs.FileInfo) Ident {
	h, err := OpenHandle(abs, 0, 0)
	if err != nil {
		return Ident{}
	}
	defer windows.CloseHandle(h)
	var is windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &is); err != nil {
		return Ident{}
	}
	return Ident{Dev: uint64(is.VolumeSerialNumber), Ino: uint64(is.FileIndexHigh)<<32 | uint64(is.FileIndexLow)}
}

// OpenHandle opens a folder that other programs may still rename or delete.
func OpenHandle(path string, access, flags uint32) (windows.Handle, error) {
	p, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return windows.InvalidHandle, err
	}
	h, err := windows.CreateFile(p, access,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_BACKUP_SEMANTICS|flags, 0)
	if err != nil {
		return h, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return h, nil
}
