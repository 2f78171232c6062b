package journal

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// statuses are all that a list may be asked for.
var statuses = []Status{Queued, Processing, Done, Failed, Held, Proposed, Scheduled, Parked, Cancelled}

// A list of what is rare, or of one note, does not look through the whole journal, however long that is.
func TestListReadsAnIndex(t *testing.T) {
	t.Parallel()
	j := openNew(t)
	plan := func(f Filter) (plan string) {
		t.Helper()
		rest, args := f.selectPage(math.MaxInt64, 50)
		rows, err := j.db.Reader.Query("EXPLAIN QUERY PLAN SELECT "+listColumns+" FROM dispatches "+rest, args...)
		must(t, err)
		defer rows.Close()
		for rows.Next() {
			var id, parent, unused int
			var step string
			must(t, rows.Scan(&id, &parent, &unused, &step))
			plan += step + "\n"
		}
		return plan
	}
	const throughout = "INTEGER PRIMARY KEY (rowid<?)"
	for _, s := range statuses {
		inOrder := s == Done || s == Cancelled // most have ended so: the newest are soon found
		if got := plan(Filter{Status: s}); strings.Contains(got, "dispatches_status (status=?)") == inOrder || strings.Contains(got, throughout) != inOrder {
			t.Errorf("%s:\n%s", s, got)
		}
	}
	for _, s := range []Status{"", Done, Cancelled} {
		if got := plan(Filter{Status: s, Vault: "/vault", File: "n.md"}); strings.Contains(got, throughout) || strings.Contains(got, "SCAN dispatches") {
			t.Errorf("a note, status %q:\n%s", s, got)
		}
	}
}

// Every list has the newest dispatches that its filter lets through, whichever index has found them.
func TestListHasAllThatPass(t *testing.T) {
	t.Parallel()
	ctx, r := context.Background(), random(t)
	j := openNew(t)
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	vaults, files := []string{"/vault", "/other"}, []string{"a.md", "b.md", "c.md"}
	must(t, j.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for i := range 300 {
			d, _ := group(pick(files...), 1)
			d.ID, d.Vault = fmt.Sprint(i), pick(vaults...)
			if err := insertDispatch(ctx, tx, d); err != nil {
				return err
			}
			if _, err := tx.Exec("UPDATE dispatches SET status = ?, hold = ?, withheld = ?, finished = ? WHERE id = ?",
				pick("queued", "processing", "done", "failed", "held", "parked", "cancelled"), pick("", "old", "proposal", "schedule"), r.IntN(2), r.IntN(9), d.ID); err != nil {
				return err
			}
		}
		return nil
	}))
	all, err := j.List(ctx, Filter{Limit: 1000})
	must(t, err)
	if len(all) != 300 {
		t.Fatalf("%d dispatches", len(all))
	}
	for _, status := range append(statuses, "") {
		for _, vault := range append(vaults, "") {
			for _, file := range append(files, "") {
				for _, limit := range []int{3, 1000} {
					f := Filter{Status: status, Vault: vault, File: file, Limit: limit}
					want := slices.DeleteFunc(slices.Clone(all), func(d Dispatch) bool {
						return status != "" && d.Status != status || vault != "" && d.Vault != vault || file != "" && d.File != file
					})
					got, err := j.List(ctx, f)
					must(t, err)
					if want = want[:min(len(want), limit)]; len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
						t.Errorf("%+v: %d dispatches, want %d", f, len(got), len(want))
					}
				}
			}
		}
	}
}
