package journal

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
)

// Arrival is what is remembered of a note some of whose markers came with it and
// wait for a person.
type Arrival struct {
	File  string
	Seen  time.Time // when the note was seen first
	Kind  HoldKind  // what its markers are held for
	Lines []byte    // hashes of the lines it had when it was seen last
	Came  []byte    // hashes of the lines that wait if they are markers
}

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

// OldMarkersJudged reports whether a vault was ever met.
func (j *Journal) OldMarkersJudged(ctx context.Context, vault string) (bool, error) {
	n := 0
	err := j.readRow(ctx, []any{&n}, "SELECT count(*) FROM vaults WHERE path = ?", vault)
	return n > 0, during("ask whether a vault is known", err)
}

// RecordOldMarkers records that a vault was met, together with what waits in its notes. What is known to be somebody else's stays so.
func (j *Journal) RecordOldMarkers(ctx context.Context, vault string, now time.Time, arrivals []Arrival) error {
	return during("record that a vault was met", j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO vaults (path, met) VALUES (?, ?)", vault, columns.ToMillis(now)); err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, "SELECT file FROM arrivals WHERE vault = ? AND kind = ?", vault, ForUntrusted)
		theirs, err := collect(rows, err, oneText)
		if err != nil {
			return err
		}
		slices.Sort(theirs)
		return insertArrivals(ctx, tx, vault, slices.DeleteFunc(slices.Clone(arrivals), func(a Arrival) bool {
			_, known := slices.BinarySearch(theirs, a.File)
			return known && a.Kind == ForOld
		}))
	}))
}

// SetArrival stores what is remembered of a note, in the place of what was.
func (j *Journal) SetArrival(ctx context.Context, vault string, a Arrival) error {
	return during("remember the arrival of "+a.File, j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return insertArrivals(ctx, tx, vault, []Arrival{a})
	}))
}

func insertArrivals(ctx context.Context, tx *sql.Tx, vault string, arrivals []Arrival) error {
	for _, a := range arrivals {
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO arrivals (vault, file, seen, kind, reason, lines, came) VALUES (?, ?, ?, ?, '', ?, ?)",
			vault, a.File, columns.ToMillis(a.Seen), a.Kind, columns.Blob(a.Lines), columns.Blob(a.Came)); err != nil {
			return err
		}
	}
	return nil
}

// Arrival returns what is remembered of a note, and whether anything is.
func (j *Journal) Arrival(ctx context.Context, vault, file string) (Arrival, bool, error) {
	a := Arrival{File: file}
	err := j.readRow(ctx, []any{(*columns.Millis)(&a.Seen), &a.Kind, &a.Lines, &a.Came},
		"SELECT seen, kind, lines, came FROM arrivals WHERE vault = ? AND file = ?", vault, file)
	if errors.Is(err, sql.ErrNoRows) {
		return Arrival{}, false, nil
	}
	return a, err == nil, during("read the arrival of "+file, err)
}

// ArrivalsWithLines returns what is remembered of the notes of a vault that had exactly these
// lines when they were seen last.
func (j *Journal) ArrivalsWithLines(ctx context.Context, vault string, lines []byte) ([]Arrival, error) {
	return list(ctx, j, "look for notes with the same lines", func(a *Arrival) []any {
		return []any{&a.File, (*columns.Millis)(&a.Seen), &a.Kind, &a.Lines, &a.Came}
	}, "SELECT file, seen, kind, lines, came FROM arrivals INDEXED BY arrivals_lines WHERE vault = ? AND substr(lines, 1, 64) = ? AND lines = ? ORDER BY file",
		vault, columns.Blob(lines[:min(64, len(lines))]), columns.Blob(lines))
}

// ForgetArrivals forgets the arrivals of notes that have been gone for as long as keep, as [Journal.ForgetCopies] does copies.
func (j *Journal) ForgetArrivals(ctx context.Context, vault string, now time.Time, keep time.Duration, isGone func(file string) bool) error {
	return j.forgetGone(ctx, "arrivals", vault, now, keep, isGone)
}
