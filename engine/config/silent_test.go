package config

import (
	"os"
	"path/filepath"
	"testing"

	"vaultdispatcher/engine/config/site"
	"vaultdispatcher/engine/testdata/silentdisk"
)

// The looks at folders are counted among those that may be left behind: while too many are, none is begun, and a folder is
// known by its path only.
func TestFoldersOnASilentDisk(t *testing.T) {
	home := t.TempDir()
	real, link := filepath.Join(home, "real"), filepath.Join(home, "link")
	if err := os.Mkdir(real, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip("this system makes no links:", err)
	}
	look := map[string]func() []site.Site{
		"edit":        func() []site.Site { _, after := inspectVaults(nil, []string{real, link}); return after },
		"definitions": func() []site.Site { return InspectAll([]string{real, link}) }, // NewSet of engine/config/definition
	}
	for name, look := range look {
		if sites := look(); !sites[0].IsSame(sites[1]) {
			t.Errorf("%s: %s and %s are not one folder", name, real, link)
		}
	}
	silentdisk.Hang(t)
	for name, look := range look {
		if sites := look(); sites[0].Path != real || sites[1].Path != link || sites[0].IsSame(sites[1]) {
			t.Errorf("%s: a folder was looked at: %+v", name, sites)
		}
	}
}
