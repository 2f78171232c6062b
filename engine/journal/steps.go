package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/wording"
)

// Start moves a queued dispatch to processing under the named runner and counts the run. With answers, only their
// writing begins again: that counts as no run, and the dispatch keeps the runner that gave them.
func (j *Journal) Start(ctx context.Context, id, runner string, now time.Time) (Dispatch, error) {
	return j.takeStep(ctx, started, id, runner, func(_ context.Context, _ *sql.Tx, d *record) error {
		d.Status, d.Error = Processing, ""
		d.Started, d.NextAttempt = columns.InMillis(now), time.Time{}
		if !d.Answered {
			d.Runner = runner
			d.Starts++
		}
		return nil
	})
}

// RecordAnswers stores one answer per marker, in their order. From here on no agent
// is asked again for this dispatch.
func (j *Journal) RecordAnswers(ctx context.Context, id string, answers []string) error {
	return j.recordAnswers(ctx, answered, id, answers, nil)
}

// recordAnswers stores answers in the same step as what then does.
func (j *Journal) recordAnswers(ctx context.Context, r rule, id string, answers []string, then func(context.Context, *sql.Tx, *record) error) error {
	_, err := j.takeStep(ctx, r, id, "", func(ctx context.Context, tx *sql.Tx, d *record) error {
		if len(answers) != len(d.Markers) {
			return fmt.Errorf("%d answers for %d markers", len(answers), len(d.Markers))
		}
		d.Answered = true
		if _, err := tx.ExecContext(ctx, "DELETE FROM parts WHERE dispatch = ? AND key NOT IN (?, ?, ?)", d.seq, PartCut, PartSchedule, PartEdit); err != nil {
			return err
		}
		if err := setAnswers(ctx, tx, d, answers); err != nil || then == nil {
			return err
		}
		return then(ctx, tx, d)
	})
	return err
}

func setAnswers(ctx context.Context, tx *sql.Tx, d *record, answers []string) error {
	for i, answer := range answers {
		if _, err := tx.ExecContext(ctx, "UPDATE markers SET answer = ? WHERE dispatch = ? AND position = ?", answer, d.seq, i); err != nil {
			return err
		}
	}
	return nil
}

// RecordWritten records that the answers of the markers at these positions are in the note, whose bytes now have this
// hash. With all answers written the dispatch is done; otherwise the places of the others are gone and it is parked.
// Its swaps stay open until [Journal.CloseSwap], because their displaced files may still be needed.
func (j *Journal) RecordWritten(ctx context.Context, id string, positions []int, hash [32]byte) error {
	detail := fmt.Sprintf("%d", len(positions))
	_, err := j.takeStep(ctx, written, id, detail, func(ctx context.Context, tx *sql.Tx, d *record) error {
		if err := setWrittenAt(ctx, tx, d, positions, true); err != nil {
			return err
		}
		if len(positions) > 0 {
			d.Hash = hash
		}
		gone := len(d.Markers) - d.countWritten()
		if gone == 0 {
			endRecord(d, Done, wording.Choose(d.Reapplied > 0, WrittenOver, ""))
			return nil
		}
		endRecord(d, Parked, fmt.Sprintf("%d of %d marker lines are no longer in the note", gone, len(d.Markers)))
		return addStep(ctx, tx, d.seq, string(Parked), d.Error)
	})
	return err
}

// Park ends an answered dispatch whose place is gone. Its answers stay in the
// journal and its claims are given back.
func (j *Journal) Park(ctx context.Context, id, reason string) error {
	return j.finishDispatch(ctx, parked, id, Parked, reason)
}

// Fail ends the tries of a dispatch, which keeps its claims until it is retried
// or cancelled. A run without an answer counts as an attempt.
func (j *Journal) Fail(ctx context.Context, id, reason string) error {
	return j.finishDispatch(ctx, failed, id, Failed, reason)
}

// Cancel ends a dispatch and gives its claims back; one that already had its
// answers is parked, unless they were taken back. While they are being written it is too late: ErrState.
func (j *Journal) Cancel(ctx context.Context, id, reason string) error {
	return j.finishDispatch(ctx, cancelled, id, Cancelled, reason)
}

// Withhold is Cancel at a person's wish: the dispatch keeps its claims, and the
// answers it may have, so that no save asks again until its line changes (Cancel)
// or the person retries it.
func (j *Journal) Withhold(ctx context.Context, id, reason string) error {
	return j.finishDispatch(ctx, withheld, id, Cancelled, reason)
}

func (j *Journal) finishDispatch(ctx context.Context, r rule, id string, to Status, reason string) error {
	_, err := j.takeStep(ctx, r, id, reason, func(ctx context.Context, tx *sql.Tx, d *record) error {
		if d.Undo == Undoing {
			return keepAnswers(ctx, tx, d)
		}
		if d.Status == Proposed { // no later step writes an unapproved proposal
			d.Answered, d.Hold = false, ""
		}
		if d.Replaces() && !d.Answered {
			d.Answered = true
			endRecord(d, Done, "the earlier answer stays: "+reason)
			return nil
		}
		if r.name == cancelled.name && d.Answered && d.Undo != Undone || r.name == withheld.name && d.Replaces() {
			to = Parked
		}
		if to == Failed && d.Status == Processing && !d.Answered {
			d.Attempts++
		}
		d.Withheld = r.name == withheld.name && to == Cancelled
		endRecord(d, to, reason)
		return nil
	})
	return err
}

// endRecord puts a dispatch into a state that only a person or a changed line leaves.
func endRecord(d *record, to Status, reason string) {
	d.Status, d.Error = to, reason
	d.NextAttempt, d.Finished = time.Time{}, columns.InMillis(time.Now())
}

// Count is what a try that ended adds to the counts of its dispatch.
type Count struct{ Attempts, Starts int }

// Requeue lets a processing dispatch wait for its next try at the given time.
// Answers it has stay: then only their writing is tried again.
func (j *Journal) Requeue(ctx context.Context, id, reason string, at time.Time, tried Count) error {
	_, err := j.takeStep(ctx, requeued, id, reason, func(_ context.Context, _ *sql.Tx, d *record) error {
		d.Status, d.Error, d.NextAttempt = Queued, reason, columns.InMillis(at)
		d.Attempts, d.Starts = d.Attempts+tried.Attempts, d.Starts+tried.Starts
		return nil
	})
	return err
}

// Retry queues a failed, held, withheld or waiting dispatch to run at once, as if it had
// never been tried. Answers it has stay: then only their writing is tried again.
func (j *Journal) Retry(ctx context.Context, id, trigger string) (Dispatch, error) {
	return j.takeStep(ctx, retried, id, trigger, func(_ context.Context, _ *sql.Tx, d *record) error {
		queueAfresh(d, trigger)
		return nil
	})
}

// queueAfresh queues a dispatch as if it had never been tried.
func queueAfresh(d *record, trigger string) {
	if d.Trigger != TriggerAgent && d.Trigger != TriggerProof { // these say for whom it is
		d.Trigger = trigger
	}
	d.Status, d.Error, d.Withheld = Queued, "", false
	d.Attempts, d.Starts, d.Reapplied, d.Undo = 0, 0, 0, ""
	d.NextAttempt, d.Finished = time.Time{}, time.Time{}
}

// Recover is called once at start, before anything runs. It queues each dispatch whose run was ended by a stop or
// crash of this program. That is no attempt, and it counts as a start unless another dispatch was answered during the
// run. A dispatch that has its answers remains in processing. Recover forgets questions of proofs, because their
// callers are gone. It returns the unfinished dispatches as Unfinished does.
func (j *Journal) Recover(ctx context.Context) ([]Dispatch, error) {
	err := j.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM dispatches WHERE "+ofProof, TriggerProof, AskedTold); err != nil {
			return err
		}
		broken, err := readRecords(ctx, tx, listColumns, "WHERE status = ? AND NOT answered", Processing)
		for i := range broken {
			d := &broken[i]
			d.Status, d.NextAttempt = Queued, time.Time{}
			var others bool
			failed := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM steps WHERE name = ? AND at > ? AND dispatch <> ?)",
				answered.name, columns.ToMillis(d.Started), d.seq).Scan(&others)
			if others && d.Starts > 0 {
				d.Starts-- // the engine answered others during this run, so the run did not end it
			}
			err = errors.Join(err, failed, addStep(ctx, tx, d.seq, recovered.name, ""), saveRecord(ctx, tx, d))
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("recover unfinished dispatches: %w", err)
	}
	return j.Unfinished(ctx)
}

// Postpone lets a dispatch without answers wait until its role may be asked again.
// A run that ended so does not count: neither as an attempt nor as a start.
func (j *Journal) Postpone(ctx context.Context, id, reason string, at time.Time) (Dispatch, error) {
	return j.takeStep(ctx, limited, id, reason, func(_ context.Context, _ *sql.Tx, d *record) error {
		if d.Status == Processing {
			d.Starts--
		}
		d.Status, d.Error, d.NextAttempt = Queued, reason, columns.InMillis(at)
		return nil
	})
}

// Asked is the place for the answer of a question that was asked without a marker. Its record has one marker all the
// same, but no note has that one: it claims nothing, so no save touches it.
type Asked string

// The places for such an answer.
const (
	AskedTold   Asked = "told"   // to the caller; no note is touched
	AskedAppend Asked = "append" // behind the last line of an existing note
	AskedCreate Asked = "create" // the same, and a missing note is made
)

const (
	TriggerRetry = "retry"                     // the trigger of a dispatch that a person runs again
	TriggerProof = "proof"                     // of a question that setup asks to see an answer: nothing of it is kept
	TriggerAgent = "agent"                     // of one from another agent. It sees nothing private: that agent may read all that its answer is made of
	ofProof      = "trigger = ? AND asked = ?" // finds questions of proofs, which are in no note
)

// RecordTold records that the answer of a question that belongs into no note is there.
func (j *Journal) RecordTold(ctx context.Context, id string) error {
	_, err := j.takeStep(ctx, sent, id, "", func(ctx context.Context, tx *sql.Tx, d *record) error {
		if d.Asked != AskedTold {
			return &StateError{"its answer belongs into a note"}
		}
		for i := range d.Markers {
			d.Markers[i].Written = true
		}
		endRecord(d, Done, "")
		return setWritten(ctx, tx, d.seq, true)
	})
	return err
}
