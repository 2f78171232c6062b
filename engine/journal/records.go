package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
)

// Records are what is kept of dispatches beside the steps of their lives, and for how long.
type Records struct{ db *dbfile.DB }

// SetTask keeps the text that the agent of a dispatch is asked with, and of what it was made.
func (r *Records) SetTask(ctx context.Context, id, text string, made Made) error {
	return dbfile.During("keep the task of dispatch "+id, r.db.Exec(ctx, "UPDATE dispatches SET task = '', sent = ?, local = ?, sources = ? WHERE id = ?",
		columns.Pack(text), made.Local, columns.JoinLines(made.Sources), id))
}

// PartCut is the part that is kept beside an answer: text of an agent outside of it.
const PartCut = "cut"

// KeepPart keeps a part of a future answer, so that it is made only once. [Journal.RecordAnswers] removes all parts but
// [PartCut], [PartSchedule] and [PartEdit]. An answered dispatch takes only [PartOffer] and [PartShown], and only as a
// proposal. A NUL in text is kept as a replacement character: SQLite's text ends there for many readers
// (https://www.sqlite.org/nulinstr.html).
func (r *Records) KeepPart(ctx context.Context, id, key, text string) error {
	return dbfile.During("keep a part of "+id, r.db.Exec(ctx, "INSERT OR REPLACE INTO parts SELECT seq, ?1, ?2 FROM dispatches "+
		"WHERE id = ?3 AND (NOT answered OR ?1 IN ('"+PartOffer+"', '"+PartShown+"') AND "+statusColumn+" = 'proposed')", key, strings.ReplaceAll(text, "\x00", "\ufffd"), id))
}

// Part returns what [Records.KeepPart] has kept; the error is sql.ErrNoRows where there is nothing.
func (r *Records) Part(ctx context.Context, id, key string) (text string, err error) {
	return text, r.db.ReadRow(ctx, []any{&text}, "SELECT text FROM parts WHERE key = ? AND dispatch = (SELECT seq FROM dispatches WHERE id = ?)", key, id)
}

// CutOf returns what an agent has said beside the answers of a dispatch, as far as it is kept.
func (r *Records) CutOf(ctx context.Context, id string) (string, error) {
	text, err := r.Part(ctx, id, PartCut)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return text, dbfile.During("read what was cut of "+id, err)
}

// KeepResult adds to the notes whose text is in a task or in its answer, and keeps which of its answers are no result.
func (r *Records) KeepResult(ctx context.Context, id string, notes []string, noResult int64) error {
	return dbfile.During("keep the sources of dispatch "+id, r.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var known columns.Lines
		if err := tx.QueryRowContext(ctx, "SELECT sources FROM dispatches WHERE id = ?", id).Scan(&known); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE dispatches SET sources = ?, none = ? WHERE id = ?", columns.JoinLines(append(known, notes...)), noResult, id)
		return err
	}))
}

// Prune removes dispatches that were done or cancelled before a time, forgets what was sent for those that
// were before another, and returns how many it removed. Failed, held and parked ones stay, and whatever has
// an open swap. The room that becomes free is given back to the disk.
func (r *Records) Prune(ctx context.Context, before, sent time.Time) (int, error) {
	removed, err := r.inBatches(ctx, `UPDATE dispatches SET task = '', sent = x'' WHERE seq IN (SELECT seq FROM dispatches
		WHERE `+over+` AND (task <> '' OR sent <> x'') LIMIT +?)`, sent)
	if err == nil {
		removed, err = r.inBatches(ctx, `DELETE FROM dispatches WHERE seq IN (SELECT seq FROM dispatches AS d
			WHERE `+over+` AND NOT EXISTS (SELECT 1 FROM swaps WHERE dispatch = d.seq) LIMIT +?)`, before)
	}
	if err != nil {
		return 0, fmt.Errorf("prune old dispatches: %w", err)
	}
	return removed, dbfile.During("give free room back", r.db.Shrink(ctx))
}

// over finds dispatches that ended before a time and that no step continues.
const over = "status IN ('done', 'cancelled') AND NOT withheld AND finished < ?"

// inBatches changes rows of before a time, some of them in each transaction, and counts them.
func (r *Records) inBatches(ctx context.Context, change string, before time.Time) (all int, err error) {
	for n := int64(pruneBatch); n == pruneBatch && err == nil; all += int(n) {
		err = r.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, change, columns.ToMillis(before), pruneBatch)
			return errors.Join(err, tx.QueryRowContext(ctx, "SELECT changes()").Scan(&n))
		})
	}
	return all, err
}

// pruneBatch is how many dispatches are removed per transaction, so that no step waits long.
const pruneBatch = 200

// RecordRemoved records which answers of a dispatch a person has taken out of their note, and since when, as its markers say it.
func (r *Records) RecordRemoved(ctx context.Context, d Dispatch) error {
	return dbfile.During("record what was taken out of "+d.File, r.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for i, m := range d.Markers {
			if _, err := tx.ExecContext(ctx, "UPDATE blocks SET removed = ? WHERE dispatch = (SELECT seq FROM dispatches WHERE id = ?) AND position = ?",
				columns.ToMillis(m.Removed), d.ID, i); err != nil {
				return err
			}
		}
		return nil
	}))
}

// ForgetProof removes the question of a proof with its rows in all tables. It removes no other question.
func (r *Records) ForgetProof(ctx context.Context, id string) error {
	return dbfile.During("forget a proof", r.db.Exec(ctx, "DELETE FROM dispatches WHERE id = ? AND "+ofProof, id, TriggerProof, AskedTold))
}

// Reschedule says until when dispatches are held that are held until a certain time.
func (r *Records) Reschedule(ctx context.Context, held []Timed) error {
	return dbfile.During("hold dispatches until another time", r.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, d := range held {
			if _, err := tx.ExecContext(ctx, "UPDATE dispatches SET next_attempt = ? WHERE id = ? AND status = ? AND next_attempt > 0",
				columns.ToMillis(d.Time), d.ID, Held); err != nil {
				return err
			}
		}
		return nil
	}))
}
