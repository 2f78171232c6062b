package front

import (
	"path/filepath"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/asking"
	"vaultdispatcher/engine/broadcast/speech"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
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

// A list of one note has what belongs to that note alone, and an unknown vault is refused.
func TestDispatchesOfANote(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	j, err := journal.On(database.Open(ctx, filepath.Join(dir, "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for _, place := range [][2]string{{dir, "a.md"}, {dir, "ba.md"}, {"/elsewhere", "a.md"}} {
		if _, _, err := j.Accept(ctx, journal.Dispatch{Vault: place[0], File: place[1], Key: "agent-miner", Role: "Miner", Status: journal.Queued,
			Markers: []journal.Marker{{Instruction: "why?"}}}, map[string]int{"": 1}); err != nil {
			t.Fatal(err)
		}
	}
	f := New(Options{Vaults: &vault.Set{openVault(dir)}, Journal: j, Steps: new(asking.Progress), Sound: new(speech.Desk)})
	list, err := f.Dispatches(ctx, api.Filter{Vault: "open", File: "a.md"})
	if err != nil || len(list) != 1 || list[0].Vault != "open" || list[0].File != "a.md" {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := f.Dispatches(ctx, api.Filter{Vault: "none"}); err == nil {
		t.Error("a vault that is not there is listed")
	}
}
