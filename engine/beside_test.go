package engine

import (
	"testing"

	"vaultdispatcher/engine/front"
	"vaultdispatcher/engine/vault"
)

// A note that no open vault has may be in one that is not open yet.
func TestExplainBesideAVaultThatIsNotOpen(t *testing.T) {
	r := startEngine(t, t.TempDir(), nil)
	r.save("Here.md", "One lantern.\n")
	shut := &vault.Vault{Name: "shut", Alias: t.TempDir(), Opened: make(chan struct{})}
	beside := front.New(front.Options{Config: r.config, Vaults: &vault.Set{shut, r.vaults[0]}})
	const shutToo = "The vault shut is not open yet; ask again when it is open."
	if why, err := beside.Explain(t.Context(), "lantern", "Here.md", 5); why == shutToo || why == "" || err != nil {
		t.Errorf("it is looked for in another vault: %q, %v", why, err)
	}
	if why, err := beside.Explain(t.Context(), "lantern", "There.md", 5); why != shutToo || err != nil {
		t.Errorf("what is nowhere else is looked for in the open vault: %q, %v", why, err)
	}
}
