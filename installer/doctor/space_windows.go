package doctor

import "golang.org/x/sys/windows"

func free(path string) (uint64, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, err
	}
	var bytes uint64
	err = windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil)
	return bytes, err
}
