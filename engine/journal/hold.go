package journal

import (
	"context"
	"database/sql"
	"fmt"
)

// Release queues a held dispatch. Unlike Retry it keeps the trigger: the
// dispatch begins for the first time.
func (j *Journal) Release(ctx context.Context, id, by string) (Dispatch, error) {
	return j.step(ctx, released, id, by, func(_ context.Context, _ *sql.Tx, d *record) error {
		d.Status, d.Error = Queued, ""
		return nil
	})
}

// Dismiss ends the waiting of a parked dispatch: somebody has taken its answers
// or does not want them. They stay readable until Prune removes the dispatch.
func (j *Journal) Dismiss(ctx context.Context, id, reason string) error {
	return j.finish(ctx, dismissed, id, Cancelled, reason)
}

// HeldFor is how many markers of a vault are held for one reason.
type HeldFor struct {
	Vault, Reason string
	Markers       int
}

// HeldFor returns why dispatches are held, the most frequent reason first.
func (j *Journal) HeldFor(ctx context.Context) ([]HeldFor, error) {
	var reasons []HeldFor
	err := j.read(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT d.vault, d.error, count(*) FROM dispatches AS d JOIN markers AS m ON m.dispatch = d.seq
			WHERE d.status = ? GROUP BY d.vault, d.error ORDER BY count(*) DESC, d.vault, d.error`, Held)
		reasons, err = collect(rows, err, func(h *HeldFor) error { return rows.Scan(&h.Vault, &h.Reason, &h.Markers) })
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("count held markers: %w", err)
	}
	return reasons, nil
}
