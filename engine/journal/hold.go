package journal

import (
	"context"
	"database/sql"
	"errors"
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

// An answer that waits for a person's yes leaves Proposed by four ways alone: Approve lets it be written, Reject and Renew have
// the question asked anew, and Withhold and Cancel end it. After each but the first no answer is known any more that a later
// step could write, and after each no reply and no comment decides any more that was offered before.

// AwaitsApproval is what a record says of an answer that is proposed.
const AwaitsApproval = "its answer waits for your approval"

// The parts that go with a proposal.
const (
	PartSeen    = "seen"    // the hash of the diff that was approved; "" = none
	PartOffer   = "offer"   // the mark of the replies that may decide about it; "" = none may
	PartShown   = "shown"   // the mark of the comment that may be decided about in the note, and its diff's hash; "" = none may
	PartBecause = "because" // why the answer before was rejected
	PartEdit    = "edit"    // the parts of the note that its answers take the place of; "" = none
)

// RecordProposal is RecordAnswers for answers that a person has to approve before they are written.
func (j *Journal) RecordProposal(ctx context.Context, id string, answers []string) error {
	return j.recordAnswers(ctx, offered, id, answers, awaitApproval)
}

// ProposeAgain lets approved answers wait for another yes: what would be written is not what was seen.
func (j *Journal) ProposeAgain(ctx context.Context, id string) error {
	_, err := j.takeStep(ctx, proposed, id, "the note has changed", awaitApproval)
	return err
}

// awaitApproval says that no diff of the answers is approved. While that is so they are not written, whatever becomes of the dispatch.
func awaitApproval(ctx context.Context, tx *sql.Tx, d *record) error {
	d.Status, d.Error, d.NextAttempt = Proposed, AwaitsApproval, time.Time{}
	return keepPart(ctx, tx, d, PartSeen, "")
}

// Approve queues a proposal to be written: with these answers, or with its own where they are nil. seen is the hash of the diff
// that a person has seen and that alone may be written.
func (j *Journal) Approve(ctx context.Context, id, seen string, answers []string) (Dispatch, error) {
	d, err := j.takeStep(ctx, accepted, id, "", func(ctx context.Context, tx *sql.Tx, d *record) error {
		if answers != nil && len(answers) != len(d.Markers) {
			return errors.New("not one answer for each marker")
		}
		d.Status, d.Error, d.Reapplied = Queued, "", 0
		if err := setAnswers(ctx, tx, d, answers); err != nil {
			return err
		}
		return keepPart(ctx, tx, d, PartSeen, seen)
	})
	if err != nil {
		return d, err
	}
	return j.Get(ctx, id)
}

// Reject has a proposal's question asked anew, with the reason why its answer was not wanted.
func (j *Journal) Reject(ctx context.Context, id, because string) (Dispatch, error) {
	return j.takeStep(ctx, rejected, id, because, func(ctx context.Context, tx *sql.Tx, d *record) error {
		d.Answered = false
		queueAfresh(d, d.Trigger)
		if err := forgetTask(ctx, tx, d); err != nil {
			return err
		}
		return keepPart(ctx, tx, d, PartBecause, because)
	})
}

func keepPart(ctx context.Context, tx *sql.Tx, d *record, key, text string) error {
	_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO parts (dispatch, key, text) VALUES (?, ?, ?)", d.seq, key, text)
	return err
}
