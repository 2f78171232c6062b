package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Arrival is what is remembered of a note some of whose markers came with it and
// wait for a person. What the hashes are of is the caller's affair.
type Arrival struct {
	File   string
	Seen   time.Time // when the note was seen first
	Reason string    // why its markers wait
	Lines  []byte    // hashes of the lines it had when it was seen last
	Came   []byte    // hashes of the lines that wait if they are markers
}

// Met reports whether a vault was ever met.
func (j *Journal) Met(ctx context.Context, vault string) (bool, error) {
	n := 0
	err := j.read(ctx, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, "SELECT count(*) FROM vaults WHERE path = ?", vault).Scan(&n)
	})
	if err != nil {
		return false, fmt.Errorf("ask whether a vault is known: %w", err)
	}
	return n > 0, nil
}

// Meet records that a vault was met, together with what waits in its notes.
func (j *Journal) Meet(ctx context.Context, vault string, now time.Time, arrivals []Arrival) error {
	err := j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO vaults (path, met) VALUES (?, ?)", vault, toMillis(now)); err != nil {
			return err
		}
		return insertArrivals(ctx, tx, vault, arrivals)
	})
	if err != nil {
		return fmt.Errorf("record that a vault was met: %w", err)
	}
	return nil
}

// Arrive stores what is remembered of a note, in the place of what was.
func (j *Journal) Arrive(ctx context.Context, vault string, a Arrival) error {
	err := j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return insertArrivals(ctx, tx, vault, []Arrival{a})
	})
	if err != nil {
		return fmt.Errorf("remember the arrival of %s: %w", a.File, err)
	}
	return nil
}

func insertArrivals(ctx context.Context, tx *sql.Tx, vault string, arrivals []Arrival) error {
	for _, a := range arrivals {
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO arrivals (vault, file, seen, reason, lines, came) VALUES (?, ?, ?, ?, ?, ?)",
			vault, a.File, toMillis(a.Seen), a.Reason, blob(a.Lines), blob(a.Came)); err != nil {
			return err
		}
	}
	return nil
}

// Arrival returns what is remembered of a note, and whether anything is.
func (j *Journal) Arrival(ctx context.Context, vault, file string) (Arrival, bool, error) {
	a := Arrival{File: file}
	err := j.read(ctx, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, "SELECT seen, reason, lines, came FROM arrivals WHERE vault = ? AND file = ?", vault, file).
			Scan((*millis)(&a.Seen), &a.Reason, &a.Lines, &a.Came)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return Arrival{}, false, nil
	}
	if err != nil {
		return Arrival{}, false, fmt.Errorf("read the arrival of %s: %w", file, err)
	}
	return a, true, nil
}

// Alike returns what is remembered of the notes of a vault that had exactly these
// lines when they were seen last.
func (j *Journal) Alike(ctx context.Context, vault string, lines []byte) ([]Arrival, error) {
	var alike []Arrival
	err := j.read(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT file, seen, reason, lines, came FROM arrivals WHERE vault = ? AND lines = ? ORDER BY file", vault, blob(lines))
		alike, err = collect(rows, err, func(a *Arrival) error {
			return rows.Scan(&a.File, (*millis)(&a.Seen), &a.Reason, &a.Lines, &a.Came)
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for notes with the same lines: %w", err)
	}
	return alike, nil
}
