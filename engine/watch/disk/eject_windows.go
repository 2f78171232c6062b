package disk

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Buses on which whole disks come and go. What is in a card reader calls itself a
// removable drive, and a soldered memory card is on the same bus, so that the bus
// says nothing there.
const (
	busFireWire = 4
	busUSB      = 7
)

// isEjectable reports whether the drive with the volume at root, such as E:\, can be
// taken out by a person. Windows ejects no drive on which a folder is open:
// https://github.com/canton7/SyncTrayzor/issues/788,
// https://github.com/files-community/Files/pull/18906
func isEjectable(root *uint16) bool {
	if windows.GetDriveType(root) == windows.DRIVE_REMOVABLE {
		return true
	}
	bus, err := queryBus(root)
	return err == nil && (bus == busFireWire || bus == busUSB)
}

// queryBus asks the driver of a volume's disk for its kind of connection. That takes no rights to the disk. A volume
// on several disks does not answer.
func queryBus(root *uint16) (uint32, error) {
	name := make([]uint16, 64) // \\?\Volume{a GUID}\
	if err := windows.GetVolumeNameForVolumeMountPoint(root, &name[0], uint32(len(name))); err != nil {
		return 0, fmt.Errorf("finding the volume: %w", err)
	}
	if n := len(windows.UTF16ToString(name)); n > 0 {
		name[n-1] = 0 // without the backslash it is the device
	}
	h, err := windows.CreateFile(&name[0], 0, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		return 0, fmt.Errorf("opening the volume: %w", err)
	}
	defer windows.CloseHandle(h)

	// The question is a STORAGE_PROPERTY_QUERY for the device itself, which is all
	// zeros; in the STORAGE_DEVICE_DESCRIPTOR that answers it the bus is the word at 28.
	const queryProperty, at = 0x002D1400, 28
	var query [12]byte
	var answer [1024]byte
	var n uint32
	err = windows.DeviceIoControl(h, queryProperty, (*byte)(unsafe.Pointer(&query)), uint32(len(query)),
		&answer[0], uint32(len(answer)), &n, nil)
	if err != nil {
		return 0, fmt.Errorf("asking the disk: %w", err)
	}
	if n < at+4 {
		return 0, fmt.Errorf("asking the disk: an answer of %d bytes", n)
	}
	return binary.LittleEndian.Uint32(answer[at:]), nil
}
