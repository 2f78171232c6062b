package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"
)

// dependents are the tables whose rows belong to a dispatch.
var dependents = []string{"markers", "steps", "swaps", "blocks"}

// remembered are the tables that are taken over whole or not at all. An unreadable
// one is no loss of words: a vault is met again, an earlier damage not
// mentioned, a limit met once more.
var remembered = []string{"vaults", "arrivals", "limits", "damages"}

// salvage copies the damaged journal to temp, so that its own bytes stay as they
// are, takes every dispatch that can be read from the copy over into this one,
// and records the damage, all in one transaction. The copy keeps its own
// connection: what its bytes do to SQLite must not reach the new journal.
func (j *Journal) salvage(ctx context.Context, temp string, d Damage) error {
	defer removeDatabase(temp)
	for _, tail := range []string{"", "-wal", "-journal"} {
		if err := copyFile(temp+tail, d.Path+tail); err != nil {
			return err
		}
	}
	old, err := connectWriter(temp)
	if err != nil {
		return err
	}
	defer old.Close()
	return j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if restore(ctx, old) == nil {
			var err error
			if d.Salvaged, d.Lost, err = copyDispatches(ctx, tx, old); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO damages (path, at, problem, salvaged, lost) VALUES (?, ?, ?, ?, ?)",
			d.Path, toMillis(d.At), d.Problem, d.Salvaged, d.Lost)
		return err
	})
}

// restore brings the copy of a damaged journal to this version's schema and
// makes its indices anew, each where the bytes still allow it: damage that is in
// an index only then costs nothing.
func restore(ctx context.Context, old *sql.DB) error {
	if err := migrate(ctx, old); err != nil {
		return err
	}
	for _, table := range append([]string{"dispatches"}, dependents...) {
		old.ExecContext(ctx, "REINDEX "+table) // where it fails the old index stays in use
	}
	return nil
}

// copyDispatches copies the dispatches of old one by one, each whole or not at
// all, and what that journal knew of earlier damage.
func copyDispatches(ctx context.Context, tx *sql.Tx, old *sql.DB) (salvaged, lost int, err error) {
	for _, seq := range readableDispatches(ctx, old) {
		switch err := copyDispatch(ctx, tx, old, seq); {
		case err == nil:
			salvaged++
		case isDamage(err) || resultCode(err) == sqlite3.SQLITE_CONSTRAINT:
			lost++
		default:
			return 0, 0, err
		}
	}
	for _, table := range remembered {
		rows, err := readRows(ctx, old, table, "")
		if err != nil {
			continue
		}
		if err := insertRows(ctx, tx, table, rows); err != nil {
			return 0, 0, err
		}
	}
	return salvaged, lost, nil
}

// readableDispatches returns what can be found of the dispatches in old: by the
// table from both ends up to a damaged place, and by the index of their ids.
func readableDispatches(ctx context.Context, old *sql.DB) []int64 {
	var seqs []int64
	for _, order := range []string{"seq", "seq DESC", "id"} {
		rows, err := old.QueryContext(ctx, "SELECT seq FROM dispatches ORDER BY "+order)
		// The error says where the damage begins; what came before it counts.
		eachRow(rows, err, func() error {
			var seq int64
			if err := rows.Scan(&seq); err != nil {
				return err
			}
			seqs = append(seqs, seq)
			return nil
		})
	}
	slices.Sort(seqs)
	return slices.Compact(seqs)
}

// copyDispatch reads a dispatch with all that belongs to it before it stores the
// first row of it.
func copyDispatch(ctx context.Context, tx *sql.Tx, old *sql.DB, seq int64) error {
	head, err := readRows(ctx, old, "dispatches", "WHERE seq = ?", seq)
	if err != nil {
		return err
	}
	rest := make([][][]any, len(dependents))
	for i, table := range dependents {
		if rest[i], err = readRows(ctx, old, table, "WHERE dispatch = ?", seq); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "SAVEPOINT one"); err != nil {
		return err
	}
	err = insertRows(ctx, tx, "dispatches", head)
	for i, table := range dependents {
		if err == nil {
			err = insertRows(ctx, tx, table, rest[i])
		}
	}
	if err != nil {
		_, undo := tx.ExecContext(ctx, "ROLLBACK TO one")
		err = errors.Join(err, undo)
	}
	_, release := tx.ExecContext(ctx, "RELEASE one")
	return errors.Join(err, release)
}

// readRows reads whole rows of a table.
func readRows(ctx context.Context, old *sql.DB, table, where string, args ...any) ([][]any, error) {
	rows, err := old.QueryContext(ctx, "SELECT * FROM "+table+" "+where, args...)
	if err != nil {
		return nil, err
	}
	columns, err := rows.Columns()
	return collect(rows, err, func(row *[]any) error {
		*row = make([]any, len(columns))
		at := make([]any, len(columns))
		for i := range at {
			at[i] = &(*row)[i]
		}
		return rows.Scan(at...)
	})
}

// insertRows stores whole rows in the table they were read from.
func insertRows(ctx context.Context, tx *sql.Tx, table string, rows [][]any) error {
	for _, row := range rows {
		for i, v := range row {
			if b, ok := v.([]byte); ok { // no column takes NULL, which nil would be
				row[i] = blob(b)
			}
		}
		places := strings.TrimSuffix(strings.Repeat("?, ", len(row)), ", ")
		query := fmt.Sprintf("INSERT INTO %s VALUES (%s)", table, places)
		if _, err := tx.ExecContext(ctx, query, row...); err != nil {
			return err
		}
	}
	return nil
}

// copyFile copies a file; a missing one makes an absent copy.
func copyFile(to, from string) error {
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	src, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}

// removeDatabase removes a database that only this process has used. One that
// stays is overwritten by the next salvage.
func removeDatabase(path string) {
	for _, tail := range []string{"", "-wal", "-shm", "-journal"} {
		os.Remove(path + tail)
	}
}
