package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
	"vaultdispatcher/engine/journal"
)

// mostGrowth is how much more twice as much may cost.
const mostGrowth = 2.3

// growsGently checks that twice as much costs no more than mostGrowth as much, from n
// to 4n. The cost is what is allocated, in pieces and in bytes: each stat, read, row
// and set of lines does. Nothing is timed.
func growsGently(t *testing.T, n int, work func(n int) (run func())) {
	t.Helper()
	var pieces, bytes [3]float64
	for i := range pieces {
		run := work(n << i)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		run()
		runtime.ReadMemStats(&after)
		pieces[i], bytes[i] = float64(after.Mallocs-before.Mallocs), float64(after.TotalAlloc-before.TotalAlloc)
	}
	for i := 1; i < len(pieces); i++ {
		if p, b := pieces[i]/pieces[i-1], bytes[i]/bytes[i-1]; p > mostGrowth || b > mostGrowth {
			t.Errorf("from %d to %d: %.1f times the pieces (%.0f), %.1f times the bytes (%.0f)", n<<(i-1), n<<i, p, pieces[i], b, bytes[i])
		}
	}
}

// A vault in which every note has a question is first watched: the notes are read, it
// is met, and each marker settles and is held.
func TestGrowthOfTheFirstWatch(t *testing.T) {
	if testing.Short() {
		t.Skip("it watches hundreds of notes")
	}
	growsGently(t, 60, func(n int) func() {
		dir := t.TempDir()
		writeNotes(t, dir, n)
		return func() {
			r := startEngine(t, dir, &echoes{})
			for {
				counts, err := r.journal.Counts(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if counts[journal.Held] == n {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			r.stop()
		}
	})
}

// writeNotes writes so many notes, each with the same question, into the vault of dir.
func writeNotes(t *testing.T, dir string, n int) {
	t.Helper()
	vault := filepath.Join(dir, "vault")
	if err := os.MkdirAll(vault, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := os.WriteFile(filepath.Join(vault, fmt.Sprintf("%d.md", i)), []byte(question(0)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	<-time.After(10 * time.Millisecond) // they are older than the engine
}
