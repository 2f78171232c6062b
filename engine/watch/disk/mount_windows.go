package disk

import (
	"fmt"

	"golang.org/x/sys/windows"
)

func queryMount(abs string) (Mount, error) {
	path, err := windows.UTF16PtrFromString(abs)
	if err != nil {
		return Mount{}, fmt.Errorf("finding the volume of %s: %w", abs, err)
	}
	volume := make([]uint16, 1<<15)
	if err := windows.GetVolumePathName(path, &volume[0], uint32(len(volume))); err != nil {
		return Mount{}, fmt.Errorf("finding the volume of %s: %w", abs, err)
	}
	m := Mount{Path: windows.UTF16ToString(volume)}
	if windows.GetDriveType(&volume[0]) == windows.DRIVE_REMOTE {
		m.FS, m.Remote = "a share", true
		return m, nil
	}
	m.Ejects = isEjectable(&volume[0])
	name := make([]uint16, windows.MAX_PATH+1)
	if windows.GetVolumeInformation(&volume[0], nil, 0, nil, nil, nil, &name[0], uint32(len(name))) == nil {
		m.FS = windows.UTF16ToString(name)
	}
	return m, nil
}

// MountsBelow knows of none: what is mounted in a vault is found by a comparison.
func MountsBelow(string) map[string]string { return nil }
