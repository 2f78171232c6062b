package database

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// open opens a journal and closes it, and reports whether it was found damaged.
func open(t *testing.T, path string) bool {
	t.Helper()
	db, err := Open(t.Context(), path)
	must(t, err)
	must(t, db.Close())
	return db.Damage != nil
}

// What was found sound is not checked again until one of its bytes changes, or the program does.
func TestSoundBytesAreCheckedOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	db, err := Open(t.Context(), path)
	must(t, err)
	must(t, db.Exec(t.Context(), "INSERT INTO limits (role, since, until, reason) VALUES ('miner', 0, 0, 'a reason')"))
	must(t, db.Close())
	if open(t, path) || !isSound(path, sumFile(path)) {
		t.Fatal("a sound journal is not remembered as sound")
	}
	whole, err := os.ReadFile(path)
	must(t, err)
	at := bytes.LastIndex(whole, []byte("miner")) // in an index, which nobody reads at a start
	whole[at]++
	must(t, os.WriteFile(path, whole, 0o600))
	if isSound(path, sumFile(path)) {
		t.Error("a byte has changed, and the file is still taken for sound")
	}
	must(t, os.WriteFile(path+soundMark, sumFile(path), 0o600))
	if open(t, path) {
		t.Error("what was found sound is checked again")
	}
	must(t, os.WriteFile(path+soundMark, bytes.Repeat([]byte{1}, 32), 0o600)) // as another program would have left it
	if !open(t, path) {
		t.Error("a damaged journal is taken for a sound one")
	}
	if open(t, path); !isSound(path, sumFile(path)) {
		t.Error("what was taken over is not remembered as sound")
	}
}

// In doubt there is no sum, so the whole file is checked.
func TestDoubtfulBytesHaveNoSum(t *testing.T) {
	t.Parallel()
	for _, tail := range []string{".suspect", "-wal", "-journal"} {
		path := filepath.Join(t.TempDir(), "journal.db")
		open(t, path)
		must(t, os.WriteFile(path+tail, []byte("x"), 0o600))
		if sumFile(path) != nil {
			t.Errorf("a journal beside %s has a sum", tail)
		}
	}
}

// What was written before the end is checked at the end and not at the next start, which finds what is damaged, then or later.
func TestClosedJournalIsChecked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	write := func(role string) {
		db, err := Open(t.Context(), path)
		must(t, err)
		must(t, db.Exec(t.Context(), "INSERT INTO limits (role, since, until, reason) VALUES (?, 0, 0, 'a reason')", role))
		must(t, db.Close())
	}
	damage := func() {
		whole, err := os.ReadFile(path)
		must(t, err)
		whole[bytes.LastIndex(whole, []byte("miner"))]++ // in an index, which nobody reads at a start
		must(t, os.WriteFile(path, whole, 0o600))
	}
	write("miner")
	if isSound(path, sumFile(path)) {
		t.Fatal("what nobody has checked is taken for sound")
	}
	CheckClosed(path)
	if !isSound(path, sumFile(path)) {
		t.Error("what was checked at the end is checked again")
	}
	if damage(); !open(t, path) {
		t.Error("damage after the end is not found")
	}
	write("another miner")
	damage()
	if CheckClosed(path); isSound(path, sumFile(path)) {
		t.Error("a damaged journal is remembered as sound")
	}
	if !open(t, path) {
		t.Error("damage before the end is not found")
	}
}
