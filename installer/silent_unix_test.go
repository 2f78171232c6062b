//go:build unix

package installer

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/testdata/silentdisk"
)

// What keeps a vault clean in git is not waited for on a disk of which the system remembers enough for a first look.
func TestLeaveGitOnADiskThatHangsLater(t *testing.T) {
	vault := filepath.Join(t.TempDir(), "notes")
	silentdisk.HangAtOpen(t, vault)
	ended := make(chan error, 1)
	go func() {
		_, err := leaveGit([]config.Vault{{Path: vault}}, "0123456789abcdef")
		ended <- err
	}()
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(err.Error(), "the disk of "+vault+" does not respond") {
			t.Errorf("%v", err)
		}
	case <-time.After(time.Minute):
		t.Error("it waits for the disk")
	}
}
