package journal

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
	"vaultdispatcher/engine/note"
)

const (
	UndoFor      = 7 * 24 * time.Hour // how long an answer can be undone
	OverwriteFor = 10 * time.Minute   // how long after an answer its question in its place is an editor's old text
)

// BeginUndo begins to take the answers of a done dispatch back. From here on it claims its
// markers again, so that none of them is asked anew when it is back in the note. RecordUndone or
// RecordUndoRefused ends this; after a crash Unfinished returns it.
func (j *Journal) BeginUndo(ctx context.Context, id string) (Dispatch, error) {
	return j.takeStep(ctx, undoing, id, "", func(ctx context.Context, tx *sql.Tx, d *record) error {
		d.Status, d.Undo, d.Error = Processing, Undoing, ""
		for i := range d.Markers {
			d.Markers[i].Written = false
		}
		return setWritten(ctx, tx, d.seq, false)
	})
}

// RecordUndone records that the markers are in the note again. They are withheld: no save starts
// them until their line changes or a person retries them, and then the same answers are written.
func (j *Journal) RecordUndone(ctx context.Context, id, reason string, hash [32]byte) error {
	_, err := j.takeStep(ctx, undone, id, reason, func(_ context.Context, _ *sql.Tx, d *record) error {
		if d.Undo != Undoing {
			return &StateError{d.is() + " and is not being undone"}
		}
		d.Undo, d.Withheld, d.Hash = Undone, true, hash
		endRecord(d, Cancelled, reason)
		return nil
	})
	return err
}

// RecordUndoRefused records that the answers stay in the note, and why.
func (j *Journal) RecordUndoRefused(ctx context.Context, id, reason string) error {
	_, err := j.takeStep(ctx, kept, id, reason, func(ctx context.Context, tx *sql.Tx, d *record) error {
		if d.Undo != Undoing {
			return &StateError{d.is() + " and is not being undone"}
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

// WrittenOver is what a record says of an answer that was written again, or is about to be.
const WrittenOver = "your editor wrote its old text over this answer, so it is written again"

// RequeueOverwritten records that the answers at these positions were overwritten, so that their
// markers are back in the note. The dispatch claims them again and waits, with its answers, until
// the given time; with the zero time it has failed.
func (j *Journal) RequeueOverwritten(ctx context.Context, id string, positions []int, again time.Time, reason string) (Dispatch, error) {
	return j.takeStep(ctx, overwritten, id, reason, func(ctx context.Context, tx *sql.Tx, d *record) error {
		if err := setWrittenAt(ctx, tx, d, positions, false); err != nil {
			return err
		}
		if again.IsZero() {
			endRecord(d, Failed, reason)
			return addStep(ctx, tx, d.seq, string(Failed), reason)
		}
		d.Reapplied++
		d.Status, d.Error = Queued, reason
		d.NextAttempt, d.Finished = columns.InMillis(again), time.Time{}
		return nil
	})
}

// setWrittenAt records whether the answers of the markers at these positions are in the note. If
// not, the markers are claims.
func setWrittenAt(ctx context.Context, tx *sql.Tx, d *record, positions []int, written bool) error {
	for _, i := range positions {
		if i < 0 || i >= len(d.Markers) {
			return fmt.Errorf("no marker at position %d of %d", i, len(d.Markers))
		}
		d.Markers[i].Written = written
		if _, err := tx.ExecContext(ctx, "UPDATE markers SET written = ? WHERE dispatch = ? AND position = ?", written, d.seq, i); err != nil {
			return err
		}
	}
	return nil
}

// HoldReverted records that the note is at an earlier state, with the markers at these
// positions in the place of their answers. They are claimed again, and the dispatch is
// held: a person may release it, and Restored ends it when the answers are back.
func (j *Journal) HoldReverted(ctx context.Context, id string, positions []int, reason string) error {
	_, err := j.takeStep(ctx, reverted, id, reason, func(ctx context.Context, tx *sql.Tx, d *record) error {
		d.Status, d.Hold, d.Error, d.Finished = Held, ForBurst, reason, time.Time{}
		return setWrittenAt(ctx, tx, d, positions, false)
	})
	return err
}

// RecordRestored records that all answers of a held dispatch are in the note again.
func (j *Journal) RecordRestored(ctx context.Context, id string) error {
	_, err := j.takeStep(ctx, restored, id, "", func(ctx context.Context, tx *sql.Tx, d *record) error {
		endRecord(d, Done, "")
		return setWritten(ctx, tx, d.seq, true)
	})
	return err
}

// RequeueFound queues a parked dispatch whose place is in the note again: its answers are
// written, and no agent is asked.
func (j *Journal) RequeueFound(ctx context.Context, id string) (Dispatch, error) {
	return j.takeStep(ctx, found, id, "", func(_ context.Context, _ *sql.Tx, d *record) error {
		d.Status, d.Error, d.Finished = Queued, "", time.Time{}
		return nil
	})
}

// Twin is an answer of another dispatch, written with the same block.
type Twin struct {
	File  string
	Hash  [32]byte // of the note when it was written
	Block note.Block
}

// Twins returns the written answers of other dispatches of the vault that have the same blocks as
// those of d, whatever their line ends.
func (r *Reader) Twins(ctx context.Context, d Dispatch) (all []Twin, err error) {
	asked := make(map[string]bool)
	for _, m := range d.Markers {
		lf := note.UnifyLineEnds(string(m.Block.Text))
		if len(lf) == 0 || asked[lf] {
			continue
		}
		asked[lf] = true
		crlf := strings.ReplaceAll(lf, "\n", "\r\n")
		found, err := dbfile.List(ctx, r.db, "read the equal answers of dispatch "+d.ID, func(t *Twin) []any {
			return []any{&t.File, (*columns.Digest)(&t.Hash), &t.Block.Text, &t.Block.Upper, &t.Block.Lower}
		}, `SELECT d.file, d.hash, b.text, b.before, b.after FROM blocks AS b JOIN dispatches AS d ON d.seq = b.dispatch
			WHERE length(b.text) IN (?, ?) AND b.text IN (?, ?) AND d.vault = ? AND d.id <> ? AND d.status = 'done'`,
			len(lf), len(crlf), []byte(lf), []byte(crlf), d.Vault, d.ID)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}
