package writer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/syserr"
)

// WhyNotReplaced says in one sentence why the answers of a dispatch cannot be replaced in the present
// note, or returns "".
func WhyNotReplaced(src []byte, d journal.Dispatch) string {
	places := make([]rewrite.Place, len(d.Markers))
	for i, m := range d.Markers {
		places[i] = placeOf(m)
	}
	return refusalFor(rewrite.WhyNotReplaced(src, places))
}

// replaceAnswers replaces the answers in the note by those of the same dispatch, asked anew. If the
// text in the note is no longer as written, it is left alone, and the new answers are kept.
func (w *Writer) replaceAnswers(ctx context.Context, d journal.Dispatch, waited time.Duration) error {
	job, err := w.newTakingJob(ctx, d)
	if err != nil {
		return err
	}
	job.Idle = w.waitIdly(ctx, d.Vault)
	result, err := w.rewriteNote(ctx, d, job, rewrite.Replace)
	if errors.Is(err, rewrite.ErrNoteGone) && w.opts.Engine.IsAwayOnDisk(d.Vault) {
		err = fmt.Errorf("%w: its drive is away", swap.ErrVaultGone)
	}
	if errors.Is(err, swap.ErrVaultGone) {
		w.opts.Engine.MarkUnreachable(d.Vault)
	}
	ctx = context.WithoutCancel(ctx)
	if errors.Is(err, rewrite.ErrNoteGone) {
		return w.lookAgainOrPark(ctx, d, err, waited, "the new answer is kept: "+syserr.Plain(err))
	}
	if reason := refusalFor(err); reason != "" {
		return w.opts.Journal.Park(ctx, d.ID, "the new answer is kept: "+syserr.Plain(err))
	}
	if err != nil {
		return err
	}
	w.noteWritten(time.Now())
	return w.opts.Journal.RecordReplaced(ctx, d.ID, result.Blocks, result.Hash)
}
