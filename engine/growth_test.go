package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/recall/cachefile"
	"vaultdispatcher/engine/vault/testdata/growth"
)

// A vault in which every note has a question is first watched: the notes are read, it
// is met, and each marker settles, as long as with anybody, and is held.
func TestGrowthOfTheFirstWatch(t *testing.T) {
	if testing.Short() {
		t.Skip("it watches hundreds of notes")
	}
	if !growth.Alone(t) {
		return
	}
	rows := growth.Counter{Name: "rows", Read: func() float64 { return float64(cachefile.RowsRead.Load()) }}
	growth.Gently(t, 60, func(n int) func() {
		dir := t.TempDir()
		writeNotes(t, dir, n)
		return func() {
			r := startEngine(t, dir, &echoes{}, func(c *config.Config) { c.Settle = config.Default().Settle })
			for wait := 20 * time.Millisecond; ; wait += wait / 4 { // to ask costs as well, and is not to be counted
				counts, err := r.journal.Counts(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if counts[journal.Held] == n {
					break
				}
				time.Sleep(wait)
			}
			r.stop()
		}
	}, append(growth.Calls(), rows)...)
}

// writeNotes writes so many notes, each with the same question, into the vault of dir. They are older than the engine.
func writeNotes(t *testing.T, dir string, n int) {
	t.Helper()
	vault := filepath.Join(dir, "vault")
	if err := os.MkdirAll(vault, 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Minute)
	for i := range n {
		name := filepath.Join(vault, fmt.Sprintf("%d.md", i))
		if err := errors.Join(os.WriteFile(name, []byte(question(0)), 0o600), os.Chtimes(name, old, old)); err != nil {
			t.Fatal(err)
		}
	}
}
