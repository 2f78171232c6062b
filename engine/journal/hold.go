package journal

import (
	"context"
	"database/sql"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
)

// HoldKind is what a dispatch is held for, the same word everywhere.
type HoldKind string

// The kinds of holds. A hold for a limit or a budget may have an hour at which it ends by itself.
const (
	ForOld       HoldKind = "old"       // it was there when its vault was first watched
	ForUntrusted HoldKind = "untrusted" // it came with a note from elsewhere
	ForBurst     HoldKind = "burst"     // many came at once
	ForLimit     HoldKind = "limit"     // it is over a limit of the configuration
	ForBudget    HoldKind = "budget"    // a budget of today is used up
	ForSchedule  HoldKind = "schedule"  // it comes again; read as status Scheduled
)

// Release queues a held dispatch. Unlike Retry it keeps the trigger: the
// dispatch begins for the first time.
func (j *Journal) Release(ctx context.Context, id, by string) (Dispatch, error) {
	return j.takeStep(ctx, released, id, by, func(_ context.Context, _ *sql.Tx, d *record) error {
		d.Status, d.Error, d.NextAttempt, d.Reapplied = Queued, "", time.Time{}, 0
		return nil
	})
}

// HoldOpen holds every question of a vault that would be asked by itself: an earlier journal does not know what became of it.
func (j *Journal) HoldOpen(ctx context.Context, vault, reason string) error {
	const open = " FROM dispatches WHERE vault = ? AND NOT answered AND (status = ? OR status = ? AND next_attempt > 0)"
	return dbfile.During("hold what is open in "+vault, j.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO steps (dispatch, at, name, detail) SELECT seq, ?, ?, ?"+open,
			columns.ToMillis(time.Now()), held.name, reason, vault, Queued, Held); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE dispatches SET status = ?, hold = ?, error = ?, next_attempt = 0 WHERE seq IN (SELECT seq"+open+")",
			Held, ForOld, reason, vault, Queued, Held)
		return err
	}))
}

// Dismiss ends the waiting of a parked dispatch: a person has taken its answers or does not want them. They remain
// readable until Prune removes the dispatch.
func (j *Journal) Dismiss(ctx context.Context, id, reason string) error {
	return j.finishDispatch(ctx, dismissed, id, Cancelled, reason)
}

// HeldFor is how many markers of a vault are held for one reason.
type HeldFor struct {
	Vault, Reason string
	Kind          HoldKind
	Markers       int
}

// HeldFor returns why dispatches are held, the most frequent reason first.
func (r *Reader) HeldFor(ctx context.Context) ([]HeldFor, error) {
	return dbfile.List(ctx, r.db, "count held markers", func(h *HeldFor) []any {
		return []any{&h.Vault, &h.Reason, &h.Kind, &h.Markers}
	}, `SELECT d.vault, d.error, d.hold, count(*) FROM dispatches AS d JOIN markers AS m ON m.dispatch = d.seq
			WHERE d.status = ? AND d.hold NOT IN ('proposal', 'schedule') GROUP BY d.vault, d.hold, d.error ORDER BY count(*) DESC, d.vault, d.error`, Held)
}

// Timed is a dispatch that is held until a certain time.
type Timed struct {
	ID, Vault, Role string
	Time            time.Time
}

// HeldUntil returns what is held until a certain time, in the order of that.
func (r *Reader) HeldUntil(ctx context.Context) ([]Timed, error) {
	return dbfile.List(ctx, r.db, "read what is held until a time", func(t *Timed) []any {
		return []any{&t.ID, &t.Vault, &t.Role, (*columns.Millis)(&t.Time)}
	}, "SELECT id, vault, role, next_attempt FROM dispatches WHERE status = ? AND next_attempt > 0 ORDER BY next_attempt, seq", Held)
}

// Hold lets a dispatch wait for a person, and for an hour when it is over a limit or a budget; Release and Retry let it go on.
func (j *Journal) Hold(ctx context.Context, id string, kind HoldKind, reason string, until time.Time) error {
	_, err := j.takeStep(ctx, held, id, reason, func(_ context.Context, _ *sql.Tx, d *record) error {
		d.Status, d.Hold, d.Error, d.NextAttempt = Held, kind, reason, columns.InMillis(until)
		return nil
	})
	return err
}

// HeldUntil is when a held dispatch starts by itself, or the zero time.
func (d Dispatch) HeldUntil() time.Time {
	if d.Status != Held {
		return time.Time{}
	}
	return d.NextAttempt
}
