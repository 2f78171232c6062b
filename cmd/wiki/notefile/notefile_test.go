package notefile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"vaultdispatcher/engine/testdata/silentdisk"
)

// Links count where the disk says where they lead; while it does not respond nobody waits, and the names count.
func TestIsInside(t *testing.T) {
	home := t.TempDir()
	real, link := filepath.Join(home, "real"), filepath.Join(home, "link")
	if err := errors.Join(os.Mkdir(real, 0o700), os.WriteFile(filepath.Join(real, "n.md"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip("this system makes no links:", err)
	}
	inside := func() [3]bool {
		return [3]bool{IsInside(filepath.Join(real, "n.md"), real), IsInside(link, real), IsInside(filepath.Join(home, "n.md"), real)}
	}
	if got := inside(); got != [3]bool{true, true, false} {
		t.Errorf("while the disk responds: %v", got)
	}
	silentdisk.Hang(t)
	if got := inside(); got != [3]bool{true, false, false} {
		t.Errorf("while it does not: %v", got)
	}
}
