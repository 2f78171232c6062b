package journal

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
)

// RecordGiven records that a vault, named by its configured path, is given to an engine, and returns when it was given to
// one first, in whole milliseconds. What is saved in it since is not old, whatever becomes of that engine.
func (j *Journal) RecordGiven(ctx context.Context, path string, now time.Time) (time.Time, error) {
	var first time.Time
	err := j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		// Rounded up: what was saved just before has stood there.
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO given (path, at) VALUES (?, ?)", path, columns.ToMillis(now.Add(time.Millisecond-1))); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, "SELECT at FROM given WHERE path = ?", path).Scan((*columns.Millis)(&first))
	})
	return first, during("record that a vault is given", err)
}

// RecordDay records the day that is about to be said in a vault, named by its configured path: see [Journal.IsBehind].
func (j *Journal) RecordDay(ctx context.Context, path string, day time.Time) error {
	return during("record the day of a vault", j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO given (path, at, said) VALUES (?, ?, ?)
			ON CONFLICT (path) DO UPDATE SET said = max(said, excluded.said)`, path, columns.ToMillis(time.Now()), columns.ToMillis(day))
		return err
	}))
}

// IsBehind reports whether a vault knows of a later day of this engine than the journal did when it was opened: since then
// the journal was emptied, or an earlier one put in its place. One that was found damaged has said what it has lost.
func (j *Journal) IsBehind(day time.Time) bool { return j.lastDay.Before(day) && !j.salvaged }

// LastDay returns the last day that the journal at path knows that it has said in a vault, and changes nothing; zero where
// there is no journal, or an earlier version's.
func LastDay(ctx context.Context, path string) (day time.Time, err error) {
	if dbfile.Size(path) == 0 {
		return time.Time{}, nil
	}
	db, err := dbfile.Connect(path, "ro", 1, "cache_size(-1024)")
	if err != nil {
		return time.Time{}, dbfile.Name(err, path)
	}
	day, err = readLastDay(ctx, db)
	return day, dbfile.Name(errors.Join(err, db.Close()), path)
}

func readLastDay(ctx context.Context, db *sql.DB) (day time.Time, err error) {
	err = db.QueryRowContext(ctx, "SELECT coalesce(max(said), 0) FROM given").Scan((*columns.Millis)(&day))
	return day, err
}

// HoldOpen holds every question of a vault that would be asked by itself: an earlier journal does not know what became of it.
func (j *Journal) HoldOpen(ctx context.Context, vault, reason string) error {
	const open = " FROM dispatches WHERE vault = ? AND NOT answered AND (status = ? OR status = ? AND next_attempt > 0)"
	return during("hold what is open in "+vault, j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO steps (dispatch, at, name, detail) SELECT seq, ?, ?, ?"+open,
			columns.ToMillis(time.Now()), held.name, reason, vault, Queued, Held); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE dispatches SET status = ?, hold = ?, error = ?, next_attempt = 0 WHERE seq IN (SELECT seq"+open+")",
			Held, ForOld, reason, vault, Queued, Held)
		return err
	}))
}
