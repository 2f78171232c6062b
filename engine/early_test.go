package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/past"
	"vaultdispatcher/engine/testdata/testmain"
)

// unmet keeps a journal from learning that a vault was met.
const unmet = "CREATE TRIGGER unmet BEFORE INSERT ON vaults BEGIN SELECT RAISE(FAIL, 'not yet'); END"

// manyQuestions is a note of more questions than start without a word where they stood before.
func manyQuestions() string {
	text := ""
	for i := range past.Few + 1 {
		text += fmt.Sprintf("line %d\n\n> @agent-Miner:t%d question %d?\n\n", i, i, i)
	}
	return text
}

// saveNow writes a file that was changed now: the file system's own clock may be some milliseconds late.
func saveNow(t *testing.T, file, text string) {
	t.Helper()
	tmp, now := file+".tmp~", time.Now()
	for _, err := range []error{os.WriteFile(tmp, []byte(text), 0o600), os.Chtimes(tmp, now, now), os.Rename(tmp, file)} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What is saved after the first start is not old, however soon that engine has ended: the next one answers
// it, and what stood there before both waits for a person.
func TestSaveBeforeAMeetingThatWasCutShort(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it waits for pauses of the engine")
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "vault"), 0o700); err != nil {
		t.Fatal(err)
	}
	old, before := filepath.Join(dir, "vault", "old.md"), time.Now().Add(-time.Hour)
	if err := os.WriteFile(old, []byte(manyQuestions()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(old, before, before); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "state", "journal.db")
	first := startEngine(t, dir, &echoes{}, func(c *config.Config) { c.Vaults[0].Paused = true }) // so it meets nothing
	first.stop()
	execute(t, file, unmet)
	startEngine(t, dir, &echoes{}).stop()
	saveNow(t, filepath.Join(dir, "vault", "many.md"), manyQuestions())
	execute(t, file, "DROP TRIGGER unmet")

	r := startEngine(t, dir, &echoes{})
	for len(r.heldNotices()) == 0 {
		r.pause()
	}
	r.until("many.md", answer(past.Few))
	if src, err := os.ReadFile(old); err != nil || string(src) != manyQuestions() {
		t.Errorf("the old note is %q, %v", src, err)
	}
}

// A question that is saved after the first start does not wait until the vault was met; the ones
// that stood there before do, and wait for a person then.
func TestSaveBeforeTheMeeting(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it waits for pauses of the engine")
	dir := t.TempDir()
	for _, folder := range []string{"vault", "state"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	text := manyQuestions()
	old, before := filepath.Join(dir, "vault", "old.md"), time.Now().Add(-time.Hour)
	if err := os.WriteFile(old, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(old, before, before); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "state", "journal.db")
	j, err := journal.On(database.Open(t.Context(), file))
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	execute(t, file, unmet)

	runner := &echoes{}
	r := startEngine(t, dir, runner)
	save := func(name, text string) { t.Helper(); saveNow(t, filepath.Join(r.vault, name), text) }
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
	r.until("many.md", answer(past.Few))
	if src, err := os.ReadFile(old); err != nil || string(src) != text {
		t.Errorf("the old note is %q, %v", src, err)
	}
}
