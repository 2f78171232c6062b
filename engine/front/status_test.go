package front

import (
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/schedule/runs"
	"vaultdispatcher/engine/vault"
)

// As long as nothing changes a status reads nothing of the journal.
func TestStatusReadsWhatHasChanged(t *testing.T) {
	ctx := t.Context()
	j, err := journal.On(database.Open(ctx, filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	changes := uint64(1)
	f := New(Options{Vaults: &vault.Set{}, Journal: j, Changes: func() uint64 { return changes },
		Runs: runs.New(runs.Options{Journal: j, Zone: time.UTC, Log: slog.New(slog.DiscardHandler)})})
	if _, err := f.readPast(ctx, false); err != nil {
		t.Fatal(err)
	}
	f.history[0].read = time.Now().Add(time.Hour) // no second goes by
	j.Close()
	if _, err := f.readPast(ctx, false); err != nil {
		t.Errorf("nothing has changed: %v", err)
	}
	changes++
	if _, err := f.readPast(ctx, false); err == nil {
		t.Error("a change is not read")
	}
}
