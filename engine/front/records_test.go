package front

import (
	"path/filepath"
	"testing"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/vault"
)

// What belongs to a vault that is not configured any more cannot be retried, and says so before it is tried.
func TestWhyNotRetriable(t *testing.T) {
	root := t.TempDir()
	f := New(Options{Vaults: &vault.Set{openVault(root)}})
	for _, status := range []journal.Status{journal.Failed, journal.Cancelled} {
		d := journal.Dispatch{Vault: filepath.Join(root, "gone"), Status: status, Withheld: status == journal.Cancelled}
		if f.whyNotRetriable(d) == "" {
			t.Errorf("%s, of a vault that is not configured", status)
		}
		d.Vault = root
		if reason := f.whyNotRetriable(d); reason != "" {
			t.Errorf("%s: %s", status, reason)
		}
	}
}
