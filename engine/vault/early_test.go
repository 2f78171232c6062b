package vault

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/vault/folder"
)

// Notes without a marker, of which a vault has thousands, leave no row that each later one goes through; and the few that
// start early are counted all the same.
func TestEarlyNotesLeaveNoRows(t *testing.T) {
	v := &Vault{early: make(map[string]int), disk: folder.Folder{Root: t.TempDir()}}
	v.opts.Given = time.Now().Add(-time.Hour)
	early := func(name string, markers int) bool {
		t.Helper()
		if err := os.WriteFile(filepath.Join(v.disk.Root, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return v.startsEarly(Save{Rel: name, Trigger: "watch"}, markers)
	}
	for i := range 100 {
		if !early(fmt.Sprint(i, ".md"), 0) {
			t.Fatal("a note without a marker waits")
		}
	}
	if len(v.early) != 0 {
		t.Errorf("%d rows are kept", len(v.early))
	}
	started := 0
	for early(fmt.Sprint("q", started, ".md"), 1) {
		started++
	}
	if started == 0 || len(v.early) != started || !early("0.md", 0) {
		t.Errorf("%d notes start early, %d rows", started, len(v.early))
	}
}
