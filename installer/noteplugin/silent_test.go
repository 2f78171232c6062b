package noteplugin

import (
	"os"
	"testing"

	"vaultdispatcher/engine/testdata/silentdisk"
)

// A write that has begun on a disk that does not respond is told as one that goes on.
func TestPutOnASilentDisk(t *testing.T) {
	all := vaults(t, "Notes*")
	silentdisk.Hang(t)
	if IsPlace(all[0].Path) {
		t.Error("it waits for the disk to tell whether the folder is a vault of Obsidian")
	}
	if err := putFiles(all[0].Path, []string{"main.js"}); err == nil || err.Error() != silent+"; the plugin is still being written" {
		t.Errorf("%v", err)
	}
	if done := PutAll(all, true); len(done) != 1 || done[0].Problem != silent {
		t.Errorf("%+v", done)
	}
	if _, err := os.Stat(doneIn(all[0].Path).Folder); !os.IsNotExist(err) {
		t.Errorf("nobody waited, and it was written: %v", err)
	}
}
