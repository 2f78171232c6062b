//go:build unix

package noteplugin

import (
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/testdata/silentdisk"
)

// A disk that is asked for what the system remembers, and then for what it does not: the first look answers, the next one
// hangs. A pipe in the place of the vault does so, for opening it waits for who writes. Nobody waits for that.
func TestRemoveFromADiskThatHangsLater(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	vault := filepath.Join(t.TempDir(), "notes")
	silentdisk.HangAtOpen(t, vault)
	ended := make(chan []Done, 1)
	go func() { ended <- RemoveAll([]config.Vault{{Path: vault}}) }()
	select {
	case gone := <-ended:
		if len(gone) != 1 || gone[0].Problem != silent || gone[0].Changed || gone[0].Absent {
			t.Errorf("%+v", gone)
		}
	case <-time.After(time.Minute):
		t.Error("it waits for the disk")
	}
}
