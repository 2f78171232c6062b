package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"vaultdispatcher/engine/testdata/silentdisk"
)

// A disk that responded to the first look and hangs at a later one, or at a drive inside the vault, holds no check: it is told
// once, and none of the checks behind that goes there.
func TestDiskThatFallsSilent(t *testing.T) {
	for _, first := range []string{"watches", "server.json", "space"} {
		t.Run(first, func(t *testing.T) {
			l, vault := healthy(t)
			put(t, filepath.Join(l.limits, "max_user_watches"), "100000\n")
			l.status.Port = 99
			l.free = func(path string) (uint64, error) {
				if path == vault {
					return 1 << 20, nil
				}
				return 1 << 40, nil
			}
			silentdisk.HangAt(t, vault)
			at := slices.IndexFunc(checks, func(c check) bool { return c.name == first })
			var codes []Code
			for _, c := range checks[at:] {
				if slices.Contains([]string{"watches", "server.json", "space"}, c.name) {
					for _, f := range c.find(t.Context(), l) {
						codes = append(codes, f.Code)
					}
				}
			}
			if !slices.Equal(codes, []Code{VaultSilent}) || len(l.Config.Vaults) > 0 {
				t.Errorf("found %q; %d vaults are left", codes, len(l.Config.Vaults))
			}
		})
	}
}

// A file in a vault whose disk hangs is mended no longer than it takes to see that.
func TestFixOnADiskThatFallsSilent(t *testing.T) {
	l, vault := healthy(t)
	l.status.Port = 99
	found := checkServerFiles(t.Context(), l)
	if len(found) != 1 || found[0].fix == nil {
		t.Fatalf("found %+v", found)
	}
	silentdisk.Hang(t)
	if err := found[0].fix(t.Context()); err == nil || err.Error() != "the disk of "+vault+" does not respond; server.json may still be written there" {
		t.Errorf("mended is %v", err)
	}
	if text, err := os.ReadFile(filepath.Join(vault, ".vault-mind", "server.json")); err != nil || string(text) != "{\"port\":4321}\n" {
		t.Errorf("it holds %q, %v", text, err)
	}
}
