package doctor

import (
	"os"
	"path/filepath"
	"testing"
)

// A look at a folder that may become a vault leaves it as it was, and what an engine has put there stays.
func TestFolderLeavesNothing(t *testing.T) {
	for name, put := range map[string]string{"new": "", "empty": ownFolder, "in use": ownFolder + "/tmp"} {
		t.Run(name, func(t *testing.T) {
			vault := t.TempDir()
			if err := os.MkdirAll(filepath.Join(vault, put), 0o700); err != nil {
				t.Fatal(err)
			}
			if found := Folder(vault, "auto"); found[0].Code != VaultGood && found[0].Code != VaultPolled {
				t.Fatalf("%+v", found)
			}
			if isThere(vault, ownFolder) != (put != "") || !isThere(vault, put) {
				t.Error("it is not as it was")
			}
		})
	}
}
