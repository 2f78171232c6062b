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
	growth.Gently(t, 60, func(n int) func() {
		dir := t.TempDir()
		writeNotes(t, filepath.Join(dir, "vault"), n, func(int) string { return question(0) })
		return func() {
			r := startEngine(t, dir, &echoes{}, func(c *config.Config) { c.Settle = config.Default().Settle })
			waitForHeld(t, r, n)
			r.stop()
		}
	}, calls()...)
}

// A folder is renamed in which every note has a question that waits: each goes along, once, whether the questions are all
// the same, as in notes from one template, or each another. They start at once, so every look has all there is to do.
func TestGrowthOfARenamedFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("it watches hundreds of notes")
	}
	if !growth.Alone(t) {
		return
	}
	for name, text := range map[string]func(i int) string{
		"other": func(i int) string { return fmt.Sprintf("about %d\n\n> @agent-Miner what of %d?\n", i, i) },
		"same":  func(int) string { return "as ever\n\n" + question(0) },
	} {
		t.Run(name, func(t *testing.T) {
			growth.Widely(t, 25, func(n int) func() {
				dir := t.TempDir()
				old, renamed := filepath.Join(dir, "vault", "old"), filepath.Join(dir, "vault", "new")
				writeNotes(t, old, n, text)
				r := startEngine(t, dir, &echoes{}, func(c *config.Config) {
					c.Debounce = time.Nanosecond     // no look waits for another
					c.Index.Exclude = []string{"**"} // how much of it is merged hangs on how many notes come at a time
				})
				waitForHeld(t, r, n)
				return func() {
					if err := os.Rename(old, renamed); err != nil {
						t.Fatal(err)
					}
					waitForRenamed(t, r, n)
					r.save("last.md", "> @agent-Miner is all done?\n") // behind the news of the notes that went
					waitForCount(t, r, journal.Done, 1)
					r.stop()
				}
			}, calls()...)
		})
	}
}

// calls count what is asked of the disks, and the rows that the journal and the index return.
func calls() []growth.Counter {
	return append(growth.Calls(), rowsRead())
}

func rowsRead() growth.Counter {
	return growth.Counter{Name: "rows", Read: func() float64 { return float64(cachefile.RowsRead.Load()) }}
}

// waitForHeld waits until so many questions are held.
func waitForHeld(t *testing.T, r *running, n int) {
	t.Helper()
	waitForCount(t, r, journal.Held, n)
}

// waitForCount waits until so many questions are in a state.
func waitForCount(t *testing.T, r *running, is journal.Status, n int) {
	t.Helper()
	for wait := 20 * time.Millisecond; ; wait += wait / 4 { // to ask costs as well, and is not to be counted
		counts, err := r.journal.Counts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if counts[is] == n {
			return
		}
		time.Sleep(wait)
	}
}

// waitForRenamed waits until the questions of n notes are under the new name of their folder, and no others.
func waitForRenamed(t *testing.T, r *running, n int) {
	t.Helper()
	for i, wait := 0, 20*time.Millisecond; i < n; {
		claims, err := r.journal.Claims(t.Context(), r.vault, fmt.Sprintf("new/%d.md", i))
		if err != nil {
			t.Fatal(err)
		}
		if len(claims) > 0 {
			i++
			continue
		}
		time.Sleep(wait)
		wait += wait / 4
	}
	if counts, err := r.journal.Counts(t.Context()); err != nil || counts[journal.Held] != n || len(counts) != 1 {
		t.Errorf("there are %v; %v", counts, err)
	}
}

// writeNotes writes so many notes into a folder. They are older than the engine.
func writeNotes(t *testing.T, folder string, n int, text func(i int) string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Minute)
	for i := range n {
		name := filepath.Join(folder, fmt.Sprintf("%d.md", i))
		if err := errors.Join(os.WriteFile(name, []byte(text(i)), 0o600), os.Chtimes(name, old, old)); err != nil {
			t.Fatal(err)
		}
	}
}
