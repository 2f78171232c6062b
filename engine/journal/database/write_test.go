package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"vaultdispatcher/engine/journal/dbfile"
)

// Writes of many callers are stored whole or not at all, each by its own error, and reads beside them see whole ones.
func TestWritesOfManyCallers(t *testing.T) {
	t.Parallel()
	db, err := Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))
	must(t, err)
	defer db.Close()
	refused := errors.New("refused")
	commits := 0
	db.OnWrite(func() { commits++ })
	const callers, each = 9, 12
	add := func(ctx context.Context, tx *sql.Tx, role string) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO limits (role, since, until, reason) VALUES (?, 0, 0, '')", role)
		return err
	}
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() {
			for i := range each {
				fails := (caller+i)%3 == 0
				err := db.Write(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
					err := errors.Join(add(ctx, tx, fmt.Sprint("a", caller, ".", i)), add(ctx, tx, fmt.Sprint("b", caller, ".", i)))
					if fails {
						err = errors.Join(err, refused)
					}
					return err
				})
				if errors.Is(err, refused) != fails || !fails && err != nil {
					t.Errorf("caller %d: %v", caller, err)
				}
				var a, b int
				err = db.ReadRow(context.Background(), []any{&a, &b}, "SELECT total(role LIKE 'a%'), total(role LIKE 'b%') FROM limits")
				if err != nil || a != b {
					t.Errorf("half of a write is seen: %d and %d, %v", a, b, err)
				}
			}
		})
	}
	all.Wait()
	roles, err := dbfile.List(t.Context(), db, "list the limits", dbfile.OneText, "SELECT role FROM limits")
	if want := 2 * callers * each * 2 / 3; err != nil || len(roles) != want || commits == 0 || commits > callers*each {
		t.Errorf("%d rows of %d in %d commits, %v", len(roles), want, commits, err)
	}
}
