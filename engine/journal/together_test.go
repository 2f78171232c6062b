package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
)

// writeTogether starts writes while another is under way, ends one of them when it waits, and
// returns what became of the others once all have come to their turn. It is called in a bubble.
func writeTogether(t *testing.T, j *Journal, writes ...func() error) []error {
	t.Helper()
	turn := make(chan struct{})
	go j.db.Write(context.Background(), func(context.Context, *sql.Tx) error { <-turn; return errTaken })
	synctest.Wait()
	results := make([]chan error, len(writes))
	for i, write := range writes {
		results[i] = make(chan error, 1)
		go func() { results[i] <- write() }()
		synctest.Wait() // they come in this order
	}
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		gone <- j.db.Write(ctx, func(context.Context, *sql.Tx) error { t.Error("a write that was given up ran"); return nil })
	}()
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("%v where nobody waits any more", err)
	}
	close(turn)
	list := make([]error, len(writes))
	for i, result := range results {
		list[i] = <-result
	}
	return list
}

// TestTogether: writes that wait for the same turn are one commit, and each has its own end.
func TestTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		j := openNew(t)
		a, b, c := accept(t, j, "a.md", 1), accept(t, j, "b.md", 1), accept(t, j, "c.md", 1)
		commits := 0
		j.OnWrite(func() { commits++ })
		cancel := func(id string) func() error {
			return func() error { return j.Cancel(context.Background(), id, "a test") }
		}
		list := writeTogether(t, j, cancel(a.ID), cancel("nobody"), func() error {
			return j.db.Write(context.Background(), func(_ context.Context, tx *sql.Tx) error {
				_, err := tx.Exec("DELETE FROM markers")
				return errors.Join(err, errTaken) // half of what it wanted is undone
			})
		}, cancel(b.ID), cancel(b.ID))
		for i, want := range []error{nil, ErrNotFound, errTaken, nil, ErrState} {
			if !errors.Is(list[i], want) || want == nil && list[i] != nil {
				t.Errorf("write %d: %v, want %v", i, list[i], want)
			}
		}
		if commits != 1 {
			t.Errorf("%d commits", commits)
		}
		for _, d := range []Dispatch{a, b, c} {
			if now := get(t, j, d.ID); len(now.Markers) != 1 || (now.Status == Cancelled) != (d.ID != c.ID) {
				t.Errorf("%s is %s with %d markers", d.File, now.Status, len(now.Markers))
			}
		}
	})
}

// TestTogetherOnFullDisk: what returned no error is stored, what returned one is not.
func TestTogetherOnFullDisk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		j := openNew(t)
		var pages, got int
		must(t, j.db.Writer.QueryRow("PRAGMA page_count").Scan(&pages))
		must(t, j.db.Writer.QueryRow(fmt.Sprintf("PRAGMA max_page_count = %d", pages+2)).Scan(&got))
		var writes []func() error
		for i := range 6 {
			d, equal := group(fmt.Sprintf("full%d.md", i), 1)
			if i == 3 {
				d.Task = inventText(75_000)
			}
			writes = append(writes, func() error { _, _, err := j.Accept(context.Background(), d, equal); return err })
		}
		list := writeTogether(t, j, writes...)
		if !errors.Is(list[3], ErrFull) && list[3] == nil {
			t.Error("100 KB fitted into two pages")
		}
		for i, err := range list {
			stored, failed := j.List(t.Context(), Filter{File: fmt.Sprintf("full%d.md", i)})
			if failed != nil || (len(stored) == 1) != (err == nil) {
				t.Errorf("write %d: %d stored, %v, %v", i, len(stored), err, failed)
			}
		}
	})
}
