package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
)

// pruneBatch is how many dispatches are removed per transaction, so that no step waits long.
const pruneBatch = 200

// Exchanges returns what was asked and answered before and still stands, the newest first.
// An exchange that is too long is left out, not cut. However long the journal is, no more
// than the asked number of dispatches are looked at.
func (j *Journal) Exchanges(ctx context.Context, p Past) ([]Exchange, error) {
	index, where, args := "dispatches_told", "vault = ? AND task_id = ?", []any{p.Vault, p.TaskID}
	switch {
	case p.Key != "" && p.File == "":
		index, where, args = "dispatches_told_key", "vault = ? AND key = ?", []any{p.Vault, p.Key}
	case p.File != "":
		index, where, args = "dispatches_told_note", where+" AND file = ?", append(args, p.File)
		if p.Key != "" {
			where, args = where+" AND key = ?", append(args, p.Key)
		}
	}
	if !p.Before.IsZero() {
		where, args = where+" AND finished < ?", append(args, columns.ToMillis(p.Before))
	}
	return list(ctx, j, "read project history", func(e *Exchange) []any {
		return []any{&e.Dispatch, &e.Order, &e.Position, &e.File, &e.Role, &e.Key, &e.Runner, &e.Question, &e.Answer, (*columns.Millis)(&e.At),
			&e.Made.Local, (*columns.Lines)(&e.Made.Sources)}
	}, `SELECT d.id, d.seq, m.position, d.file, d.role, d.key, d.runner, m.instruction, m.answer, d.finished, d.local, d.sources
			FROM (SELECT seq, id, file, role, key, runner, finished, local, sources FROM dispatches INDEXED BY `+index+` WHERE `+where+` AND status IN ('done', 'parked') AND answered ORDER BY seq DESC LIMIT +?) AS d
			JOIN markers AS m ON m.dispatch = d.seq
			WHERE octet_length(d.file) + octet_length(m.instruction) + octet_length(m.answer) <= ?
			ORDER BY d.seq DESC, m.position DESC`, append(args, p.Most, p.Bytes)...)
}

// KeepResult adds to the notes whose text is in a task or in its answer, and says whether its answers say that nothing was
// found or made.
func (j *Journal) KeepResult(ctx context.Context, id string, notes []string, none bool) error {
	return during("keep the sources of dispatch "+id, j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var known columns.Lines
		if err := tx.QueryRowContext(ctx, "SELECT sources FROM dispatches WHERE id = ?", id).Scan(&known); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE dispatches SET sources = ?, none = ? WHERE id = ?", columns.JoinLines(append(known, notes...)), none, id)
		return err
	}))
}

// Prune removes dispatches that were done or cancelled before a time, forgets what was sent for those that
// were before another, and returns how many it removed. Failed, held and parked ones stay, and whatever has
// an open swap. The room that becomes free is given back to the disk.
func (j *Journal) Prune(ctx context.Context, before, sent time.Time) (int, error) {
	removed, err := j.inBatches(ctx, `UPDATE dispatches SET task = '', sent = x'' WHERE seq IN (SELECT seq FROM dispatches
		WHERE `+over+` AND (task <> '' OR sent <> x'') LIMIT +?)`, sent)
	if err == nil {
		removed, err = j.inBatches(ctx, `DELETE FROM dispatches WHERE seq IN (SELECT seq FROM dispatches AS d
			WHERE `+over+` AND NOT EXISTS (SELECT 1 FROM swaps WHERE dispatch = d.seq) LIMIT +?)`, before)
	}
	if err != nil {
		return 0, fmt.Errorf("prune old dispatches: %w", err)
	}
	if err := dbfile.Shrink(ctx, j.writer); err != nil {
		return removed, fmt.Errorf("give free room back: %w", j.markSuspect(err))
	}
	return removed, nil
}

// over finds dispatches that nobody goes on with since a time.
const over = "status IN ('done', 'cancelled') AND NOT withheld AND finished < ?"

// inBatches changes rows of before a time, some of them in each transaction, and counts them.
func (j *Journal) inBatches(ctx context.Context, change string, before time.Time) (all int, err error) {
	for n := int64(pruneBatch); n == pruneBatch && err == nil; all += int(n) {
		err = j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, change, columns.ToMillis(before), pruneBatch)
			return errors.Join(err, tx.QueryRowContext(ctx, "SELECT changes()").Scan(&n))
		})
	}
	return all, err
}
