package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/vault"
)

// A question that is saved after the first start does not wait until the vault was met; the ones
// that stood there before do, and wait for a person then.
func TestSaveBeforeTheMeeting(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, folder := range []string{"vault", "state"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	text := ""
	for i := range vault.FewMarkers + 1 {
		text += fmt.Sprintf("line %d\n\n> @agent-Miner:t%d question %d?\n\n", i, i, i)
	}
	old, before := filepath.Join(dir, "vault", "old.md"), time.Now().Add(-time.Hour)
	if err := os.WriteFile(old, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(old, before, before); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "state", "journal.db")
	j, err := journal.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	execute(t, file, "CREATE TRIGGER unmet BEFORE INSERT ON vaults BEGIN SELECT RAISE(FAIL, 'not yet'); END")

	runner := &echoes{}
	r := startEngine(t, dir, runner)
	save := func(name, text string) { // the file system's own clock may be some milliseconds late
		t.Helper()
		tmp, now := filepath.Join(r.vault, name+".tmp~"), time.Now()
		for _, err := range []error{os.WriteFile(tmp, []byte(text), 0o600), os.Chtimes(tmp, now, now), os.Rename(tmp, filepath.Join(r.vault, name))} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	save("new.md", question(100))
	r.until("new.md", answer(100))
	save("many.md", text)
	save("another.md", question(101))
	r.until("another.md", answer(101))
	if n := runner.runs.Load(); n != 2 {
		t.Errorf("%d questions were asked before the vault was met", n)
	}

	execute(t, file, "DROP TRIGGER unmet")
	for len(r.heldNotices()) == 0 {
		r.pause()
	}
	r.until("many.md", answer(vault.FewMarkers))
	if src, err := os.ReadFile(old); err != nil || string(src) != text {
		t.Errorf("the old note is %q, %v", src, err)
	}
}
