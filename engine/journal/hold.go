package journal

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Release queues a held dispatch. Unlike Retry it keeps the trigger: the
// dispatch begins for the first time.
func (j *Journal) Release(ctx context.Context, id, by string) (Dispatch, error) {
	return j.takeStep(ctx, released, id, by, func(_ context.Context, _ *sql.Tx, d *record) error {
		d.Status, d.Error, d.NextAttempt = Queued, "", time.Time{}
		return nil
	})
}

// Dismiss ends the waiting of a parked dispatch: somebody has taken its answers
// or does not want them. They stay readable until Prune removes the dispatch.
func (j *Journal) Dismiss(ctx context.Context, id, reason string) error {
	return j.finishDispatch(ctx, dismissed, id, Cancelled, reason)
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

// Timed is a dispatch that is held until a certain time.
type Timed struct {
	ID, Vault string
	At        time.Time
}

// HeldUntil returns what is held until a certain time, in the order of that.
func (j *Journal) HeldUntil(ctx context.Context) ([]Timed, error) {
	var waiting []Timed
	err := j.read(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT id, vault, next_attempt FROM dispatches WHERE status = ? AND next_attempt > 0 ORDER BY next_attempt, seq", Held)
		waiting, err = collect(rows, err, func(t *Timed) error { return rows.Scan(&t.ID, &t.Vault, (*millis)(&t.At)) })
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read what is held until a time: %w", err)
	}
	return waiting, nil
}

// Starts returns when dispatches were let go since a time, or will be, in order:
// what counts against a limit per hour.
func (j *Journal) Starts(ctx context.Context, since time.Time) ([]time.Time, error) {
	var starts []time.Time
	err := j.read(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT at FROM (SELECT CASE status WHEN 'held' THEN next_attempt ELSE max(created, started) END AS at FROM dispatches)
			WHERE at > ? ORDER BY at`, toMillis(since))
		starts, err = collect(rows, err, func(t *time.Time) error { return rows.Scan((*millis)(t)) })
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the starts of the last hour: %w", err)
	}
	return starts, nil
}
