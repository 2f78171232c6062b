package main

import (
	"path/filepath"
	"testing"

	"vaultdispatcher/engine/testdata/silentdisk"
)

// A folder of --vault has to exist. While its disk does not respond nobody waits for it, and the engine says so when it starts.
func TestNamedVaultOnASilentDisk(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	if vaults, err := namedVaults([]string{gone}); err == nil {
		t.Errorf("a folder that is not there is taken: %+v", vaults)
	}
	silentdisk.Hang(t)
	if vaults, err := namedVaults([]string{gone}); err != nil || len(vaults) != 1 || vaults[0].Path != gone {
		t.Errorf("a folder of which nothing is known: %+v, %v", vaults, err)
	}
}
