package journal

import (
	"context"
	"database/sql"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/note"
)

// Renew queues a dispatch to be asked anew, with or without answers. Answers in the note remain there until Replaced:
// such a dispatch claims no marker meanwhile, and an end before it has new answers leaves it done, with the old ones.
func (j *Journal) Renew(ctx context.Context, id string) (Dispatch, error) {
	return j.takeStep(ctx, renewed, id, "", func(ctx context.Context, tx *sql.Tx, d *record) error {
		if n := d.countWritten(); n > 0 && n < len(d.Markers) {
			return &StateError{d.is() + ", and only some of its answers stand in the note"}
		}
		d.Answered, d.Task = false, ""
		queueAfresh(d, TriggerRetry)
		return forgetTask(ctx, tx, d)
	})
}

// forgetTask has the task of a dispatch made anew.
func forgetTask(ctx context.Context, tx *sql.Tx, d *record) error {
	_, err := tx.ExecContext(ctx, "UPDATE dispatches SET task = '', sent = x'' WHERE seq = ?", d.seq)
	return err
}

// Replaces reports whether an unfinished dispatch was asked anew while its answers are in the note.
func (d Dispatch) Replaces() bool {
	switch d.Status {
	case Queued, Processing, Failed, Held, Proposed:
		return len(d.Markers) > 0 && d.countWritten() == len(d.Markers)
	}
	return false
}

func (d Dispatch) countWritten() (n int) {
	for _, m := range d.Markers {
		if m.Written {
			n++
		}
	}
	return n
}

// RecordReplaced records that the new answers of a dispatch are in the note, as these blocks.
func (j *Journal) RecordReplaced(ctx context.Context, id string, blocks []note.Block, hash [32]byte) error {
	_, err := j.takeStep(ctx, replaced, id, "", func(ctx context.Context, tx *sql.Tx, d *record) error {
		if !d.Replaces() {
			return &StateError{d.is() + " and replaces no answer"}
		}
		d.Hash = hash
		endRecord(d, Done, "")
		return keepBlocks(ctx, tx, d.seq, blocks)
	})
	return err
}

// keepBlocks remembers blocks as those of a dispatch's markers; an empty one leaves what is known.
func keepBlocks(ctx context.Context, tx *sql.Tx, seq int64, blocks []note.Block) error {
	for i, b := range blocks {
		if len(b.Text) == 0 {
			continue
		}
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO blocks (dispatch, position, text, before, after) VALUES (?, ?, ?, ?, ?)",
			seq, i, b.Text, columns.Blob(b.Upper), columns.Blob(b.Lower)); err != nil {
			return err
		}
	}
	return nil
}
