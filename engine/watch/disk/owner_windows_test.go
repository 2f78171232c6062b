package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

// A file that a person has just made is that person's own, in a folder as Windows makes it.
func TestOwnFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte("wiki: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := CheckOwner(file); err != nil {
		t.Error(err)
	}
}

// The lists are written as Windows writes them: https://learn.microsoft.com/windows/win32/secauthz/ace-strings
func TestRightsOfFiles(t *testing.T) {
	for _, test := range []struct {
		list         string
		file, folder bool
	}{
		{"D:(A;;FA;;;SY)(A;;FA;;;BA)(A;;FA;;;CO)", false, false},
		{"D:(A;;FR;;;WD)(A;;FRFX;;;BU)", false, false},
		{"D:(A;OICIIO;FA;;;AU)(A;;0x4;;;AU)", true, false}, // C:\, where every user may make folders
		{"D:(A;;0x1301bf;;;AU)", true, true},               // "Modify", as below C:\
		{"D:(A;;0x2;;;BU)", true, false},
		{"D:(A;;0x40;;;BU)", false, true},
		{"D:(A;;GA;;;WD)", true, true},
		{"D:(A;;WD;;;BG)", true, true},
		{"D:(D;;FA;;;WD)", false, false},
	} {
		sd, err := windows.SecurityDescriptorFromString(test.list)
		if err != nil {
			t.Fatalf("%s: %v", test.list, err)
		}
		list, _, err := sd.DACL()
		if err != nil {
			t.Fatalf("%s: %v", test.list, err)
		}
		if lets(list, changesFile) != test.file || lets(list, changesFolder) != test.folder {
			t.Errorf("%s: file %v, folder %v", test.list, lets(list, changesFile), lets(list, changesFolder))
		}
	}
	if !lets(nil, changesFile) || !lets(nil, changesFolder) {
		t.Error("without a list not everybody has all rights")
	}
}

func TestEverybodyMayWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte("wiki: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sd, err := windows.SecurityDescriptorFromString("D:P(A;;FA;;;WD)")
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := sd.DACL()
	if err != nil {
		t.Fatal(err)
	}
	if err := windows.SetNamedSecurityInfo(file, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION, nil, nil, list, nil); err != nil {
		t.Fatal(err)
	}
	f, ok := errors.AsType[*Foreign](CheckOwner(file))
	if !ok || f.Path != file || !strings.Contains(f.Mend, "icacls") {
		t.Errorf("found %v", f)
	}
}
