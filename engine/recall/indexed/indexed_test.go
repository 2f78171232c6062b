package indexed

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"vaultdispatcher/engine/recall/cachefile"
)

// exec runs statements in a database in memory that has a table of notes.
func exec(t *testing.T, statements ...string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	for _, s := range append([]string{"CREATE TABLE notes (id INTEGER PRIMARY KEY, rel TEXT, mark INTEGER, came INTEGER)"}, statements...) {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// Every note is read once, however many there are and whatever they are called.
func TestRead(t *testing.T) {
	for _, count := range []int{0, 1, together - 1, together, together + 1, 2*together + 7} {
		db := exec(t, fmt.Sprintf(`INSERT INTO notes SELECT CASE WHEN i %% 1000 = 1 THEN i << 40 ELSE 3 * i - 7 END, i || ', "é" ' || char(10) || '.md', -i, 0 FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT i FROM n WHERE i <= %[1]d)`, count))
		want := make(map[string]int64)
		for i := 1; i <= count; i++ {
			want[fmt.Sprintf("%d, \"é\" \n.md", i)] = int64(-i)
		}
		if got, err := Read(t.Context(), db, count); err != nil || !maps.Equal(got.Marks, want) {
			t.Errorf("%d notes: got %d, %v", count, len(got.Marks), err)
		}
	}
}

// What came with a question is known for long when a later one came.
func TestIsLong(t *testing.T) {
	known, err := Read(t.Context(), exec(t, "INSERT INTO notes VALUES (1, 'old.md', 1, 0), (2, 'early.md', 1, 1000), (3, 'late.md', 1, 60999), (4, 'last.md', 1, 61001)"), 4)
	if err != nil {
		t.Fatal(err)
	}
	for rel, want := range map[string]bool{"old.md": true, "early.md": true, "late.md": false, "last.md": false, "unknown.md": false} {
		if got := known.IsLong(rel, time.Minute); got != want {
			t.Errorf("%s: %v, want %v", rel, got, want)
		}
	}
}

// A row that no index writes is damage.
func TestDamagedRows(t *testing.T) {
	for _, values := range []string{"'a.md', NULL, 0", "NULL, 1, 0", "'a.md', 'x', 0", "'a.md', 1, NULL", "'', 1, 0"} {
		if _, err := Read(t.Context(), exec(t, "INSERT INTO notes VALUES (1, "+values+"), (2, 'b.md', 1, 0)"), 2); !errors.Is(err, cachefile.ErrDamaged) {
			t.Errorf("%s: %v", values, err)
		}
	}
}
