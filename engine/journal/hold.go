package journal

import (
	"context"
	"database/sql"
	"time"

	"vaultdispatcher/engine/journal/columns"
)

// HoldKind is what a dispatch is held for, the same word everywhere.
type HoldKind string

// The kinds of holds. A hold for a limit or a budget may have an hour at which it ends by itself.
const (
	ForOld       HoldKind = "old"       // it stood there when its vault was first watched
	ForUntrusted HoldKind = "untrusted" // it came with a note from elsewhere
	ForBurst     HoldKind = "burst"     // many came at once
	ForLimit     HoldKind = "limit"     // it is over a limit of the configuration
	ForBudget    HoldKind = "budget"    // what may be used today is used up
)

// Release queues a held dispatch. Unlike Retry it keeps the trigger: the
// dispatch begins for the first time.
func (j *Journal) Release(ctx context.Context, id, by string) (Dispatch, error) {
	return j.takeStep(ctx, released, id, by, func(_ context.Context, _ *sql.Tx, d *record) error {
		d.Status, d.Error, d.NextAttempt, d.Reapplied = Queued, "", time.Time{}, 0
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
	Kind          HoldKind
	Markers       int
}

// HeldFor returns why dispatches are held, the most frequent reason first.
func (j *Journal) HeldFor(ctx context.Context) ([]HeldFor, error) {
	return list(ctx, j, "count held markers", func(h *HeldFor) []any {
		return []any{&h.Vault, &h.Reason, &h.Kind, &h.Markers}
	}, `SELECT d.vault, d.error, d.hold, count(*) FROM dispatches AS d JOIN markers AS m ON m.dispatch = d.seq
			WHERE d.status = ? AND d.hold <> 'proposal' GROUP BY d.vault, d.hold, d.error ORDER BY count(*) DESC, d.vault, d.error`, Held)
}

// Timed is a dispatch that is held until a certain time.
type Timed struct {
	ID, Vault, Role string
	At              time.Time
}

// HeldUntil returns what is held until a certain time, in the order of that.
func (j *Journal) HeldUntil(ctx context.Context) ([]Timed, error) {
	return list(ctx, j, "read what is held until a time", func(t *Timed) []any {
		return []any{&t.ID, &t.Vault, &t.Role, (*columns.Millis)(&t.At)}
	}, "SELECT id, vault, role, next_attempt FROM dispatches WHERE status = ? AND next_attempt > 0 ORDER BY next_attempt, seq", Held)
}

// Reschedule says until when dispatches are held that are held until a certain time.
func (j *Journal) Reschedule(ctx context.Context, held []Timed) error {
	return during("hold dispatches until another time", j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, d := range held {
			if _, err := tx.ExecContext(ctx, "UPDATE dispatches SET next_attempt = ? WHERE id = ? AND status = ? AND next_attempt > 0",
				columns.ToMillis(d.At), d.ID, Held); err != nil {
				return err
			}
		}
		return nil
	}))
}

// Start is a call of an agent of a role, or one to come.
type Start struct {
	Role string
	At   time.Time
	For  string // the dispatch that has not called yet; empty = it has
}

// Starts returns the calls of agents since a time and those to come, in order: what counts against a limit of starts.
func (j *Journal) Starts(ctx context.Context, since time.Time) ([]Start, error) {
	return list(ctx, j, "read what was started lately", func(s *Start) []any {
		return []any{&s.Role, (*columns.Millis)(&s.At), &s.For}
	}, `SELECT d.role, s.at AS at, '' FROM dispatches AS d JOIN steps AS s ON s.dispatch = d.seq
			WHERE max(d.created, d.started) > ? AND s.at > ? AND s.name IN (?, ?)
		UNION ALL SELECT role, created, id FROM dispatches WHERE status IN (?, ?) AND NOT answered ORDER BY at`,
		columns.ToMillis(since), columns.ToMillis(since), started.name, called, Queued, Processing)
}

// called is the name of a step of which a run may have several.
const called = "called"

// RecordCall records that the agent of a dispatch is called once more in the same run.
func (j *Journal) RecordCall(ctx context.Context, id string, now time.Time) error {
	return during("record a call", j.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO steps (dispatch, at, name, detail) SELECT seq, ?, ?, '' FROM dispatches WHERE id = ?", columns.ToMillis(now), called, id)
		return err
	}))
}

// HoldUntil lets a queued dispatch wait for its hour, when it is over a limit or a budget.
func (j *Journal) HoldUntil(ctx context.Context, id string, kind HoldKind, reason string, until time.Time) error {
	return j.hold(ctx, id, kind, reason, until)
}

// HeldUntil is when a held dispatch starts by itself, or the zero time.
func (d Dispatch) HeldUntil() time.Time {
	if d.Status != Held {
		return time.Time{}
	}
	return d.NextAttempt
}
