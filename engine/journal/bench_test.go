package journal

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/journal/dbfile"
)

// BenchmarkDispatch takes dispatches of three markers and a prompt of 8 KB
// through their whole life: accepted, started, answered, swapping, written.
func BenchmarkDispatch(b *testing.B) {
	ctx := context.Background()
	j := openNew(b)
	task := strings.Repeat("a line of the note\n", 430)
	n := 0
	for b.Loop() {
		n++
		d, equal := group(fmt.Sprintf("%d.md", n), 3)
		d.Task = task
		d, ok, err := j.Accept(ctx, d, equal)
		if err != nil || !ok {
			b.Fatal(ok, err)
		}
		_, err = j.Start(ctx, d.ID, "runner", time.Now())
		must(b, err)
		must(b, j.RecordAnswers(ctx, d.ID, []string{task[:900], task[:900], task[:900]}))
		must(b, j.RecordSwap(ctx, Swap{Dispatch: d.ID, Path: "/vault/a.md", Temp: d.ID, New: [32]byte{1}}))
		must(b, j.RecordWritten(ctx, d.ID, []int{0, 1, 2}, [32]byte{1}))
	}
}

// old makes a journal of n finished dispatches as years of use leave it.
func old(b *testing.B, n int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "journal.db")
	j := openAt(b, path)
	text := strings.Repeat("a line of the note\n", 430)
	must(b, j.db.Write(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
		for i := range n {
			d, _ := group(fmt.Sprintf("%d.md", i%1000), 2)
			d.ID, d.Task = fmt.Sprintf("id%011d", i), text
			for m := range d.Markers {
				d.Markers[m].Context = text[:4000]
			}
			if err := insertDispatch(ctx, tx, d); err != nil {
				return err
			}
		}
		if _, err := tx.Exec("UPDATE markers SET written = 1, answer = ?", text[:900]); err != nil {
			return err
		}
		_, err := tx.Exec("UPDATE dispatches SET status = 'done', answered = 1, finished = 1")
		return err
	}))
	must(b, j.Close())
	return path
}

// BenchmarkOld measures what a start and the engine's usual questions cost with
// 10,000 finished dispatches.
func BenchmarkOld(b *testing.B) {
	ctx := context.Background()
	path := old(b, 10_000)
	b.Logf("%.0f MB", float64(dbfile.Size(path))/1e6)
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			j, err := On(database.Open(ctx, path))
			must(b, err)
			must(b, j.Close())
		}
	})
	j := openAt(b, path)
	for _, q := range []struct {
		name string
		ask  func() error
	}{
		{"claims", func() error { _, err := j.Claims(ctx, "/vault", "7.md"); return err }},
		{"list", func() error { _, err := j.List(ctx, Filter{}); return err }},
		{"search", func() error { _, err := j.List(ctx, Filter{Query: "nowhere"}); return err }},
		{"counts", func() error { _, err := j.Counts(ctx); return err }},
		{"unfinished", func() error { _, err := j.Unfinished(ctx); return err }},
		{"history", func() error { _, err := j.Exchanges(ctx, Past{Vault: "/vault", Bytes: 8192, Limit: 1000}); return err }},
		{"recover", func() error { _, err := j.Recover(ctx); return err }},
	} {
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				must(b, q.ask())
			}
		})
	}
}
