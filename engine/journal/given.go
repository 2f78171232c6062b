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
func (p *Pasts) RecordGiven(ctx context.Context, path string, now time.Time) (time.Time, error) {
	var first time.Time
	err := p.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		// Rounded up: a line saved just before counts as there already.
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO given (path, at) VALUES (?, ?)", path, columns.ToMillis(now.Add(time.Millisecond-1))); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, "SELECT at FROM given WHERE path = ?", path).Scan((*columns.Millis)(&first))
	})
	return first, dbfile.During("record that a vault is given", err)
}

// RecordDay records the day that is about to be said in a vault, named by its configured path: see [Pasts.IsBehind].
func (p *Pasts) RecordDay(ctx context.Context, path string, day time.Time) error {
	return dbfile.During("record the day of a vault", p.db.Exec(ctx, `INSERT INTO given (path, at, said) VALUES (?, ?, ?)
		ON CONFLICT (path) DO UPDATE SET said = max(said, excluded.said)`, path, columns.ToMillis(time.Now()), columns.ToMillis(day)))
}

// IsBehind reports whether a vault knows of a later day of this engine than the journal did when it was opened: since then
// the journal was emptied, or an earlier one put in its place. One that was found damaged has said what it has lost.
func (p *Pasts) IsBehind(day time.Time) bool { return p.lastDay.Before(day) && !p.db.IsSalvaged }

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
