package disk

import (
	"testing"

	"golang.org/x/sys/windows"
)

// A disk that is built in is listened to, and one that is away keeps nobody from
// asking.
func TestEjectable(t *testing.T) {
	system, err := windows.GetSystemWindowsDirectory()
	must(t, err)
	for _, root := range []string{system[:3], `Q:\`} {
		p, err := windows.UTF16PtrFromString(root)
		must(t, err)
		bus, err := queryBus(p)
		t.Logf("%s: bus %d, %v", root, bus, err)
		if isEjectable(p) {
			t.Errorf("%s can be taken out", root)
		}
	}
}
