package journal

import (
	"fmt"
	"path/filepath"
	"testing"
)

// What a method has returned is on the disk, also in a journal that was made anew: SQLite waits for the disk at each commit.
// The other tests do without that where they are short, so none of them would miss it.
func TestCommitsWaitForTheDisk(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	for i := range 2 {
		j := openAt(t, path)
		accept(t, j, fmt.Sprintf("%d.md", i), 1)
		var mode string
		var level int
		must(t, j.db.Writer.QueryRow("PRAGMA journal_mode").Scan(&mode))
		must(t, j.db.Writer.QueryRow("PRAGMA synchronous").Scan(&level))
		if full := 2; mode != "wal" || level != full {
			t.Errorf("the journal is in mode %s and has synchronous=%d", mode, level)
		}
		must(t, j.Close())
	}
}
