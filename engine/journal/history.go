package journal

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	historyReach = 200 // exchanges History looks back
	pruneBatch   = 200 // dispatches per transaction, so that no step waits long
)

// History returns what was asked and answered before in a vault, oldest first:
// of the newest 200 exchanges of the thread those that fit into the given number
// of bytes, the newer ones first served. An exchange that alone is too long is
// left out, not cut.
func (j *Journal) History(ctx context.Context, vault string, thread Thread, bytes int) ([]Exchange, error) {
	_, taskID, own := strings.Cut(thread.Key, ":")
	query, args := "", []any{vault, taskID}
	if own {
		query, args = "AND d.key = ? ", append(args, thread.Key)
	}
	if !thread.Before.IsZero() {
		query, args = query+"AND d.finished < ? ", append(args, toMillis(thread.Before))
	}
	var all []Exchange
	err := j.read(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT d.file, m.instruction, m.answer, d.finished
			FROM dispatches AS d JOIN markers AS m ON m.dispatch = d.seq
			WHERE d.vault = ? AND d.task_id = ? `+query+`AND d.status IN ('done', 'parked') AND d.answered
			ORDER BY d.seq DESC, m.position DESC LIMIT ?`, append(args, historyReach)...)
		return eachRow(rows, err, func() error {
			var e Exchange
			if err := rows.Scan(&e.File, &e.Question, &e.Answer, (*millis)(&e.At)); err != nil {
				return err
			}
			if size := len(e.File) + len(e.Question) + len(e.Answer); size <= bytes {
				bytes -= size
				all = append(all, e)
			}
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read project history: %w", err)
	}
	slices.Reverse(all)
	return all, nil
}

// Prune removes dispatches that were done or cancelled before a time and returns
// how many. Failed, held and parked ones stay, and whatever has an open swap.
func (j *Journal) Prune(ctx context.Context, before time.Time) (int, error) {
	removed := 0
	for {
		var n int64
		err := j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
			result, err := tx.ExecContext(ctx, `DELETE FROM dispatches WHERE seq IN (
				SELECT seq FROM dispatches AS d WHERE status IN ('done', 'cancelled') AND NOT withheld AND finished < ?
				AND NOT EXISTS (SELECT 1 FROM swaps WHERE dispatch = d.seq) LIMIT ?)`, toMillis(before), pruneBatch)
			if err != nil {
				return err
			}
			n, err = result.RowsAffected()
			return err
		})
		if err != nil {
			return removed, fmt.Errorf("prune old dispatches: %w", err)
		}
		removed += int(n)
		if n < pruneBatch {
			return removed, nil
		}
	}
}
