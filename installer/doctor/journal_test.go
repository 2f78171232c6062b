package doctor

import (
	"os"
	"path/filepath"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
)

// Doctor mends a damaged journal: what can be read is in the new one, the old bytes are kept.
func TestMendJournal(t *testing.T) {
	l, _ := healthy(t)
	l.engineErr, l.status = api.ErrNotRunning, api.Status{}
	file := filepath.Join(l.State, "journal.db")
	j, err := journal.On(database.Open(t.Context(), file))
	if err != nil {
		t.Fatal(err)
	}
	if err := j.SetLimit(t.Context(), journal.Limit{Role: "Miner", Reason: "r"}); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if found := checkJournal(t.Context(), l); found != nil {
		t.Fatalf("a sound journal: %+v", found)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	put(t, file, string(whole[:len(whole)-100]))
	found := checkJournal(t.Context(), l)
	if len(found) != 1 || found[0].Code != JournalDamaged || found[0].fix == nil {
		t.Fatalf("found %+v", found)
	}
	if _, err := Fix(t.Context(), found); err != nil {
		t.Fatal(err)
	}
	if found := checkJournal(t.Context(), l); found != nil {
		t.Errorf("after the mend: %+v", found)
	}
	if j, err = journal.On(database.Open(t.Context(), file)); err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	limits, err := j.Limits(t.Context())
	if err != nil || len(limits) != 1 || len(j.Damage()) != 1 {
		t.Errorf("limits %v, damage %+v, %v", limits, j.Damage(), err)
	}
	kept, err := os.ReadFile(j.Damage()[0].Path)
	if err != nil || string(kept) != string(whole[:len(whole)-100]) {
		t.Errorf("the damaged bytes were changed: %d of %d, %v", len(kept), len(whole)-100, err)
	}
}
