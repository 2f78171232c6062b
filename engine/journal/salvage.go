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
)

// salvage copies the damaged journal to temp, so that its own bytes stay as they
// are, and moves every dispatch that can be read from the copy into this one.
func (j *Journal) salvage(ctx context.Context, temp string, d Damage) error {
	defer removeDatabase(temp)
	for _, tail := range []string{"", "-wal"} {
		if err := copyFile(temp+tail, d.Path+tail); err != nil {
			return err
		}
	}
	readable := upgrade(ctx, temp) == nil
	conn, err := j.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if readable {
		if _, err := conn.ExecContext(ctx, "ATTACH ? AS old", temp); err != nil {
			return err
		}
		defer conn.ExecContext(context.WithoutCancel(ctx), "DETACH old")
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	if readable {
		if d.Salvaged, d.Lost, err = copyDispatches(ctx, tx); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO damages (path, at, problem, salvaged, lost) VALUES (?, ?, ?, ?, ?)",
		d.Path, store(d.At), d.Problem, d.Salvaged, d.Lost); err != nil {
		return err
	}
	return tx.Commit()
}

// upgrade brings the copy of a damaged journal to this version's schema, where
// its bytes still allow it.
func upgrade(ctx context.Context, path string) error {
	db, err := connectWriter(path)
	if err != nil {
		return err
	}
	return errors.Join(migrate(ctx, db), db.Close())
}

// copyDispatches copies the dispatches of the attached journal "old" one by one,
// each whole or not at all, and what that journal knew of earlier damage.
func copyDispatches(ctx context.Context, tx *sql.Tx) (salvaged, lost int, err error) {
	for _, seq := range readableDispatches(ctx, tx) {
		if _, err := tx.ExecContext(ctx, "SAVEPOINT one"); err != nil {
			return 0, 0, err
		}
		last := "RELEASE one"
		if err := copyDispatch(ctx, tx, seq); err != nil {
			last = "ROLLBACK TO one; RELEASE one"
			lost++
		} else {
			salvaged++
		}
		if _, err := tx.ExecContext(ctx, last); err != nil {
			return 0, 0, err
		}
	}
	// An unreadable record of earlier damage only ends its mention.
	tx.ExecContext(ctx, "INSERT OR IGNORE INTO main.damages SELECT * FROM old.damages")
	return salvaged, lost, ctx.Err()
}

// readableDispatches returns what can be found of the dispatches in "old": by the
// table from both ends up to a damaged place, and by the index of their ids.
func readableDispatches(ctx context.Context, tx *sql.Tx) []int64 {
	var seqs []int64
	for _, order := range []string{"seq", "seq DESC", "id"} {
		rows, err := tx.QueryContext(ctx, "SELECT seq FROM old.dispatches ORDER BY "+order)
		if err != nil {
			continue
		}
		for rows.Next() {
			var seq int64
			if rows.Scan(&seq) == nil {
				seqs = append(seqs, seq)
			}
		}
		rows.Close()
	}
	slices.Sort(seqs)
	return slices.Compact(seqs)
}

func copyDispatch(ctx context.Context, tx *sql.Tx, seq int64) error {
	if _, err := tx.ExecContext(ctx, "INSERT INTO main.dispatches SELECT * FROM old.dispatches WHERE seq = ?", seq); err != nil {
		return err
	}
	for _, table := range []string{"markers", "steps", "swaps"} {
		query := fmt.Sprintf("INSERT INTO main.%[1]s SELECT * FROM old.%[1]s WHERE dispatch = ?", table)
		if _, err := tx.ExecContext(ctx, query, seq); err != nil {
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
