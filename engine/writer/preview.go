package writer

import (
	"context"
	"database/sql"
	"errors"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/proposal"
	"vaultdispatcher/engine/rewrite"
)

// This file shows a person what would be written, and writes of it what was seen alone.

var (
	errUnseen = errors.New("what would be written is not what was approved")
	errShown  = errors.New("it was to be shown")
)

// Preview returns the changes of the answers of d to the present note. It writes nothing. The
// error is a [*Refused] if the note does not take them.
func (w *Writer) Preview(ctx context.Context, d journal.Dispatch) (shown proposal.Shown, err error) {
	job, do, err := w.planWrite(ctx, d)
	if err != nil {
		return shown, err
	}
	job.Approve = func(before, after []byte) error {
		shown = proposal.Show(before, after)
		return errShown
	}
	result, err := do(ctx, job, nil)
	if errors.Is(err, rewrite.ErrNoteGone) && d.Asked == journal.AskedCreate {
		err = rewrite.ShowAppended(job, d.Markers[0].Instruction)
	}
	switch {
	case errors.Is(err, errShown):
		return shown, nil
	case err == nil && len(result.Missing) == 0:
		return proposal.Show(nil, nil), nil // it is there already
	case err == nil:
		return shown, &Refused{Reason: "Its line is not in the note now."}
	case errors.Is(err, rewrite.ErrNoteGone):
		return shown, &Refused{Reason: "The note is not at its place now."}
	case errors.Is(err, rewrite.ErrApart):
		return shown, &Refused{Reason: "The text was changed in the same lines since the question was asked. Reject it with a reason, and it is asked again with the text of now."}
	case errors.Is(err, rewrite.ErrUnfit), errors.Is(err, rewrite.ErrUnsafe), errors.Is(err, rewrite.ErrConflict), errors.Is(err, rewrite.ErrContested):
		return shown, &Refused{Reason: "It cannot be written now: " + err.Error() + "."}
	}
	if reason := refusalFor(err); reason != "" {
		return shown, &Refused{Reason: reason}
	}
	return shown, err
}

// approveSeen has the writing of d refused where it is not what a person has seen, if one had to.
func (w *Writer) approveSeen(ctx context.Context, d journal.Dispatch, job *rewrite.Job) error {
	seen, err := w.opts.Journal.Part(ctx, d.ID, journal.PartSeen)
	if errors.Is(err, sql.ErrNoRows) || d.Undo == journal.Undoing {
		return nil
	}
	job.Approve = func(before, after []byte) error {
		if proposal.Show(before, after).Hash != seen {
			return errUnseen
		}
		return nil
	}
	return err
}
