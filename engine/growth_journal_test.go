//go:build !race

package engine

// Each step of SQLite is counted by a call, which takes ten times as long under the race detector, and shows it nothing new.

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/vault/testdata/growth"
)

// TestGrowthWithTheJournal: a question, a status and the answers of a note cost about the same with a journal of 500 dispatches and with one
// of 5,000. What reads a bounded number of the newest may cost twice as much; what reads all costs ten times as much.
func TestGrowthWithTheJournal(t *testing.T) {
	if !growth.Alone(t) {
		return
	}
	counters := []growth.Counter{rowsRead(), growth.Steps()}
	few, many := costsWithJournal(t, 500, counters), costsWithJournal(t, 5000, counters)
	for what, cost := range few {
		for i, c := range counters {
			if cost[i] == 0 || many[what][i] > 2.5*cost[i] {
				t.Errorf("%s: %.0f %s with 500 dispatches, and %.0f with 5,000", what, cost[i], c.Name, many[what][i])
			}
		}
	}
}

// costsWithJournal is what each of some acts costs an engine whose journal has n dispatches, by each counter, the least of some times.
func costsWithJournal(t *testing.T, n int, counters []growth.Counter) map[string][]float64 {
	t.Helper()
	dir := t.TempDir()
	r := startMet(t, dir, &echoes{})
	r.save("first.md", question(0))
	r.until("first.md", answer(0))
	waitForCount(t, r, journal.Done, 1)
	r.stop()
	multiplyDispatches(t, filepath.Join(dir, "state", "journal.db"), n)
	r = startEngine(t, dir, &echoes{})
	costs := make(map[string][]float64)
	measure := func(what string, do func()) {
		before, cost := make([]float64, len(counters)), make([]float64, len(counters))
		for i, c := range counters {
			before[i] = c.Read()
		}
		do()
		for i, c := range counters {
			if cost[i] = c.Read() - before[i]; costs[what] != nil {
				cost[i] = min(cost[i], costs[what][i])
			}
		}
		costs[what] = cost
	}
	for asked := 1; asked <= 4; asked++ {
		measure("question", func() {
			name := fmt.Sprintf("asked %d.md", asked)
			r.save(name, question(asked))
			r.until(name, answer(asked))
		})
		waitForCount(t, r, journal.Done, n+asked)
		measure("plain save", func() {
			notes := r.vaults[0].Catalog.State().Notes
			for r.save(fmt.Sprintf("plain %d.md", asked), "nothing is asked\n"); r.vaults[0].Catalog.State().Notes == notes; {
				r.pause()
			}
		})
		for _, follows := range []bool{false, true} {
			measure(fmt.Sprint("status, for a follower: ", follows), func() {
				if _, err := r.Status(t.Context(), follows); err != nil {
					t.Fatal(err)
				}
			})
		}
		measure("answers in a note", func() {
			if _, err := r.Dispatches(t.Context(), api.Filter{Vault: "v", File: "first.md", Limit: 10}); err != nil {
				t.Fatal(err)
			}
		})
	}
	r.stop()
	return costs
}

// multiplyDispatches copies the only dispatch of a journal, with all that belongs to it, until there are n, ten in a note.
func multiplyDispatches(t *testing.T, file string, n int) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	copied := func(table, key, rest string) {
		var columns string
		if err := db.QueryRow("SELECT group_concat(name) FROM pragma_table_info(?) WHERE name NOT IN (?, 'id', 'file')", table, key).Scan(&columns); err != nil {
			t.Fatal(err)
		}
		names, values, _ := strings.Cut(rest, "=")
		if _, err := db.Exec(fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			INSERT INTO %s (%s, %s%s) SELECT n.i, %[4]s%[6]s FROM n, (SELECT * FROM %[2]s WHERE %[3]s = 1)`, n, table, key, columns, names, values)); err != nil {
			t.Fatal(table, err)
		}
	}
	copied("dispatches", "seq", ", id, file=, printf('%013d', n.i), 'old ' || (n.i / 10) || '.md'")
	for _, table := range []string{"markers", "steps", "blocks", "parts"} {
		copied(table, "dispatch", "=")
	}
	if _, err := db.Exec("UPDATE dispatches SET created = created - 3000, started = started - 3000, finished = finished - 3000"); err != nil {
		t.Fatal(err)
	}
}
