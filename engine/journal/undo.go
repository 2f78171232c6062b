package journal

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Undoing begins to take the answers of a done dispatch back. From here on it
// claims its markers again, so that none of them is asked anew when it is back in
// the note. Undone or Kept ends this; after a crash Unfinished returns it.
func (j *Journal) Undoing(ctx context.Context, id string) (Dispatch, error) {
	return j.takeStep(ctx, undoing, id, "", func(ctx context.Context, tx *sql.Tx, d *record) error {
		d.Status, d.Undo, d.Error = Processing, Undoing, ""
		for i := range d.Markers {
			d.Markers[i].Written = false
		}
		return setWritten(ctx, tx, d.seq, false)
	})
}

// Undone records that the markers stand in the note again. They are withheld: no
// save starts them until their line changes or a person retries them, and then
// the same answers are written.
func (j *Journal) Undone(ctx context.Context, id, reason string, hash [32]byte) error {
	_, err := j.takeStep(ctx, undone, id, reason, func(_ context.Context, _ *sql.Tx, d *record) error {
		if d.Undo != Undoing {
			return &StateError{"it is " + string(d.Status) + " and is not being undone"}
		}
		d.Undo, d.Withheld, d.Hash = Undone, true, hash
		endRecord(d, Cancelled, reason)
		return nil
	})
	return err
}

// Kept records that the answers stay in the note, and why.
func (j *Journal) Kept(ctx context.Context, id, reason string) error {
	_, err := j.takeStep(ctx, kept, id, reason, func(ctx context.Context, tx *sql.Tx, d *record) error {
		if d.Undo != Undoing {
			return &StateError{"it is " + string(d.Status) + " and is not being undone"}
		}
		return keepAnswers(ctx, tx, d)
	})
	return err
}

// keepAnswers makes a dispatch done again whose undo has failed. When it was finished is
// not changed: an undo that is refused must not lengthen the time for it.
func keepAnswers(ctx context.Context, tx *sql.Tx, d *record) error {
	d.Status, d.Undo, d.Error, d.NextAttempt = Done, "", "", time.Time{}
	return setWritten(ctx, tx, d.seq, true)
}

func setWritten(ctx context.Context, tx *sql.Tx, seq int64, written bool) error {
	_, err := tx.ExecContext(ctx, "UPDATE markers SET written = ? WHERE dispatch = ?", written, seq)
	return err
}

// Overwritten records that somebody has written over the answers at these
// positions, so that their markers are back in the note. They are claimed again
// and wait, with the answers that are there, until the given time; with the zero
// time the dispatch has failed.
func (j *Journal) Overwritten(ctx context.Context, id string, positions []int, again time.Time, reason string) (Dispatch, error) {
	return j.takeStep(ctx, overwritten, id, reason, func(ctx context.Context, tx *sql.Tx, d *record) error {
		for _, i := range positions {
			if i < 0 || i >= len(d.Markers) {
				return fmt.Errorf("no marker at position %d of %d", i, len(d.Markers))
			}
			d.Markers[i].Written = false
			if _, err := tx.ExecContext(ctx, "UPDATE markers SET written = 0 WHERE dispatch = ? AND position = ?", d.seq, i); err != nil {
				return err
			}
		}
		if again.IsZero() {
			endRecord(d, Failed, reason)
			return addStep(ctx, tx, d.seq, string(Failed), reason)
		}
		d.Reapplied++
		d.Status, d.Error = Queued, reason
		d.NextAttempt, d.Finished = inMillis(again), time.Time{}
		return nil
	})
}

// WrittenSince returns the done dispatches of a note whose answers were written at
// that time or later, with all their texts, oldest first.
func (j *Journal) WrittenSince(ctx context.Context, vault, file string, since time.Time) ([]Dispatch, error) {
	var found []Dispatch
	err := j.read(ctx, func(tx *sql.Tx) error {
		list, err := readRecords(ctx, tx, fullColumns, "WHERE status = ? AND finished >= ? AND vault = ? AND file = ? ORDER BY seq", Done, toMillis(since), vault, file)
		if err != nil {
			return err
		}
		found, err = withMarkers(ctx, tx, list, true)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read what was written into %s: %w", file, err)
	}
	return found, nil
}
