package main

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/patience"
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

// Vaults that do not respond are waited for as long as one of them, and each is told.
func TestGreetBesideSilentVaults(t *testing.T) {
	silent, there := []string{t.TempDir(), t.TempDir()}, t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		silentdisk.HangAt(t, silent...)
		var told strings.Builder
		begun := time.Now()
		greet(&command.App{Stderr: &told}, config.Config{Vaults: []config.Vault{{Path: silent[0]}, {Path: there}, {Path: silent[1]}}}, 1)
		if took := time.Since(begun); took != patience.DiskTime {
			t.Errorf("it took %v", took)
		}
		for _, line := range []string{silent[0] + " does not respond now", "watching " + there, silent[1] + " does not respond now"} {
			if !strings.Contains(told.String(), line) {
				t.Errorf("%q is not told in %s", line, told.String())
			}
		}
	})
}
