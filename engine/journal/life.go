package journal

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/wording"
)

// rule says when a step may be taken.
type rule struct {
	name       string // as Steps shows it
	sources    []Status
	answered   bool // only when the answers are there
	unanswered bool // only when they are not
	idle       bool // not while the answers are being written
	undo       bool // also while they are being taken back
	prompt     bool // what it returns has the Task; every other step leaves it unread
}

// The life of a dispatch. Parked is its end until a person dismisses it. Done is left when the answers are taken back
// or were written over, cancelled only while the dispatch keeps its claims.
var (
	started   = rule{name: "started", sources: []Status{Queued}, undo: true, prompt: true}
	answered  = rule{name: "answered", sources: []Status{Processing}, unanswered: true}
	swapping  = rule{name: "swapping", sources: []Status{Processing}, answered: true, undo: true}
	written   = rule{name: "written", sources: []Status{Processing}, answered: true}
	parked    = rule{name: "parked", sources: []Status{Queued, Processing, Failed, Held}, answered: true}
	failed    = rule{name: "failed", sources: []Status{Queued, Processing}, undo: true}
	held      = rule{name: "held", sources: []Status{Queued, Processing, Scheduled}}
	scheduled = rule{name: "scheduled", sources: []Status{Held, Cancelled}, unanswered: true}
	cancelled = rule{name: "cancelled", sources: []Status{Queued, Processing, Failed, Held, Proposed, Scheduled, Cancelled}, idle: true}
	withheld  = rule{name: "withheld", sources: []Status{Queued, Processing, Failed, Held, Proposed, Scheduled}, idle: true}
	requeued  = rule{name: "requeued", sources: []Status{Processing}, undo: true}
	retried   = rule{name: "retried", sources: []Status{Queued, Failed, Held, Cancelled}}
	released  = rule{name: "released", sources: []Status{Held}}
	dismissed = rule{name: "dismissed", sources: []Status{Parked}}
	moved     = rule{name: "moved", sources: []Status{Queued, Processing, Failed, Held, Proposed, Scheduled, Cancelled}}
	recovered = rule{name: "recovered", sources: []Status{Processing}, unanswered: true}
	limited   = rule{name: "limited", sources: []Status{Queued, Processing}, unanswered: true}

	offered  = rule{name: "proposed", sources: []Status{Processing}, unanswered: true}
	proposed = rule{name: "proposed", sources: []Status{Processing}, answered: true}
	accepted = rule{name: "approved", sources: []Status{Proposed}, answered: true}
	rejected = rule{name: "rejected", sources: []Status{Proposed}, answered: true}

	renewed  = rule{name: "renewed", sources: []Status{Queued, Failed, Held, Proposed, Cancelled, Done}}
	replaced = rule{name: "replaced", sources: []Status{Processing}, answered: true}
	sent     = rule{name: "told", sources: []Status{Processing}, answered: true}

	undoing     = rule{name: "undoing", sources: []Status{Done}, answered: true}
	undone      = rule{name: "undone", sources: []Status{Processing}, answered: true, undo: true}
	kept        = rule{name: "kept", sources: []Status{Processing}, answered: true, undo: true}
	overwritten = rule{name: "overwritten", sources: []Status{Done}, answered: true}
	reverted    = rule{name: "reverted", sources: []Status{Done}, answered: true}
	restored    = rule{name: "restored", sources: []Status{Held}, answered: true}
	found       = rule{name: "found", sources: []Status{Parked}, answered: true}
)

// is says in a few words what state the dispatch is in.
func (d *Dispatch) is() string { return "it is " + wording.Status(string(d.Status)) }

// allows returns ErrState with the reason when d is in no state for the step.
func (r rule) allows(d *Dispatch) error {
	is := d.is()
	switch {
	case !slices.Contains(r.sources, d.Status), d.Status == Cancelled && !d.Withheld:
		return &StateError{is}
	case d.Undo == Undoing && !r.undo:
		return &StateError{is + ", its answer is being taken back"}
	case r.answered && !d.Answered:
		return &StateError{is + " and has no answer yet"}
	case r.idle && d.Status == Processing && d.Answered:
		return &StateError{is + ", its answer is being written"}
	case r.unanswered && d.Answered:
		return &StateError{is + " and has its answer"}
	}
	return nil
}

// takeStep takes one step of a dispatch's life in its own transaction: it checks the
// rule, lets edit change the dispatch and whatever else belongs to the step, and
// stores both with a line of history.
func (j *Journal) takeStep(ctx context.Context, r rule, id, detail string, edit func(ctx context.Context, tx *sql.Tx, d *record) error) (Dispatch, error) {
	var d record
	err := j.db.WriteThen(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		if d, err = byID(ctx, tx, map[bool]string{false: listColumns, true: fullColumns}[r.prompt], id); err != nil {
			return err
		}
		if err := r.allows(&d.Dispatch); err != nil {
			return err
		}
		if err := addStep(ctx, tx, d.seq, r.name, detail); err != nil {
			return err
		}
		was := d.Status
		err = edit(ctx, tx, &d)
		if err == nil && was == Proposed && d.Status != was { // in this step, so that no crash loses what was decided, or has it decided again
			_, err = tx.ExecContext(ctx, "DELETE FROM parts WHERE dispatch = ? AND key IN (?, ?)", d.seq, PartOffer, PartShown)
		}
		if err != nil {
			return err
		}
		return saveRecord(ctx, tx, &d)
	}, func() { j.told.Forget(d.seq) })
	if err != nil {
		return Dispatch{}, fmt.Errorf("record dispatch %s as %s: %w", id, r.name, err)
	}
	j.stepped(r.name, d.Dispatch)
	return d.Dispatch, nil
}

// saveRecord stores what a step may change.
func saveRecord(ctx context.Context, tx *sql.Tx, d *record) error {
	if d.Status != Held && !d.Withheld {
		d.Hold = ""
	}
	status := d.Status
	if hold, is := map[Status]HoldKind{Proposed: forProposal, Scheduled: ForSchedule}[status]; is {
		status, d.Hold = Held, hold
	}
	_, err := tx.ExecContext(ctx, `UPDATE dispatches SET runner = ?, trigger = ?, status = ?, answered = ?, withheld = ?, attempts = ?,
		starts = ?, next_attempt = ?, error = ?, started = ?, finished = ?, hash = ?,
		undo = ?, reapplied = ?, hold = ? WHERE seq = ?`,
		d.Runner, d.Trigger, status, d.Answered, d.Withheld, d.Attempts, d.Starts, columns.ToMillis(d.NextAttempt), d.Error,
		columns.ToMillis(d.Started), columns.ToMillis(d.Finished), columns.HashBytes(d.Hash), d.Undo, d.Reapplied, d.Hold, d.seq)
	return err
}

func addStep(ctx context.Context, tx *sql.Tx, seq int64, name, detail string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO steps (dispatch, at, name, detail) VALUES (?, ?, ?, ?)",
		seq, columns.ToMillis(time.Now()), name, detail)
	return err
}
