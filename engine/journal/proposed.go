package journal

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

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
