package front

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/behind"
	"vaultdispatcher/engine/vault/register"
)

// shutVault is a vault that was not opened yet, as one whose disk did not respond from the start.
func shutVault(dir string) *vault.Vault {
	return &vault.Vault{Name: "shut", Alias: dir, Opened: make(chan struct{})}
}

// deaf is an engine that is told nothing.
type deaf struct{ vault.Engine }

func (deaf) StatusChanged() {}

// openVault is a vault whose disk responds. Nothing of it runs.
func openVault(dir string) *vault.Vault {
	v := vault.New(vault.Options{Vault: config.Vault{Name: "open", Path: dir}, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, vault.Port{Engine: deaf{}})
	v.Root = dir
	close(v.Opened)
	return v
}

// A search that lacks a vault which is not open yet says so, and so does what explains a search.
func TestSearchNamesVaultsThatAreNotOpen(t *testing.T) {
	dir := t.TempDir()
	vaults := &vault.Set{shutVault(dir)}
	e := New(Options{Vaults: vaults})
	found, err := e.Search(t.Context(), "lantern", 5)
	if err != nil || !strings.HasPrefix(found.Notice, "the vault shut cannot be searched now: it is not open yet") {
		t.Errorf("%q, %v", found.Notice, err)
	}
	for _, file := range []string{"Note1.md", filepath.Join(dir, "Note1.md")} {
		if why, err := e.Explain(t.Context(), "lantern", file, 5); why != "The vault shut is not open yet; ask again when it is open." || err != nil {
			t.Errorf("%s: %q, %v", file, why, err)
		}
	}
	if why, err := e.Explain(t.Context(), "lantern", filepath.Join(filepath.Dir(dir), "Note1.md"), 5); why != "The note is in none of the configured vaults." || err != nil {
		t.Errorf("outside: %q, %v", why, err)
	}
	if list := Shelves(vaults); len(list) != 1 || list[0].Name != "shut" || list[0].Shut != "is not open yet" {
		t.Errorf("%+v", list)
	}
}

// A vault that is silent is named once.
func TestWhyNotSearched(t *testing.T) {
	silent := fmt.Errorf("find: %w", &behind.Silent{Vault: "v", Start: "not responding since 14:05"})
	if got, want := whyNotSearched("v", silent), "the vault v cannot be searched now: it is not responding since 14:05"; got != want {
		t.Errorf("%q", got)
	}
	if got, want := whyNotSearched("v", errors.New("no disk")), "the vault v cannot be searched now: no disk"; got != want {
		t.Errorf("%q", got)
	}
}

// Disks are asked side by side: each look here waits until all have begun. The answers come in the order of the vaults.
func TestDisksAreAskedSideBySide(t *testing.T) {
	const all = 6
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var begun atomic.Int32
	together := make(chan struct{})
	vaults := append(slices.Repeat(vault.Set{openVault(t.TempDir())}, all), shutVault(t.TempDir()))
	for i, wait := range askDisks(ctx, vaults, func(vault.Disk) (int32, error) {
		if begun.Add(1) == all {
			close(together)
		}
		select {
		case <-together:
		case <-ctx.Done():
		}
		return begun.Load(), nil
	}) {
		n, err := wait()
		if i < all && (n != all || err != nil) || i == all && !errors.Is(err, errShut) {
			t.Errorf("vault %d: %d looks had begun, %v", i, n, err)
		}
	}
}
