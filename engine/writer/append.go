package writer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite"
	"vaultdispatcher/engine/rewrite/swap"
)

// deliverAsked delivers the answer to a question without a marker: to the asker, or with the question
// to the end of a note. The answer of a run comes below the line that is asked again. If the record
// wants it, a missing note is made. Otherwise the writer looks for the note again, and then keeps the
// answer.
func (w *Writer) deliverAsked(ctx context.Context, d journal.Dispatch, waited time.Duration) error {
	if d.Asked == journal.AskedTold {
		return w.opts.Journal.RecordTold(context.WithoutCancel(ctx), d.ID)
	}
	job, err := w.newJob(ctx, d)
	if err != nil {
		return err
	}
	job.Partial, job.Idle = waited >= looksForLine, w.waitIdly(ctx, d.Vault)
	add := func(ctx context.Context, job rewrite.Job, log func(swap.Intention) error) (rewrite.Result, error) {
		return rewrite.Append(ctx, job, d.Markers[0].Instruction, log)
	}
	result, err := w.rewriteNote(ctx, d, job, add)
	if gone := errors.Is(err, rewrite.ErrNoteGone); gone && w.opts.Engine.IsAwayOnDisk(d.Vault) {
		return fmt.Errorf("%w: its drive is away", swap.ErrVaultGone)
	} else if gone && d.Asked == journal.AskedCreate {
		if err = makeNote(d.Vault, d.File); err == nil {
			result, err = w.rewriteNote(ctx, d, job, add)
		}
	}
	if errors.Is(err, swap.ErrVaultGone) {
		w.opts.Engine.MarkUnreachable(d.Vault)
	}
	ctx = context.WithoutCancel(ctx)
	switch {
	case errors.Is(err, rewrite.ErrNoteGone):
		return w.lookAgainOrPark(ctx, d, err, waited, "the note is gone; the answer is kept")
	case errors.Is(err, rewrite.ErrUnsafe):
		return w.opts.Journal.Park(ctx, d.ID, "the note ends in code or in a comment, where nothing can be added; the answer is kept")
	case err != nil:
		return err
	case len(result.Missing) > 0:
		return errors.New("its line is not in the note now")
	}
	return w.opts.Journal.RecordWritten(ctx, d.ID, result.Written, result.Hash)
}

// makeNote makes an empty note and its folders, only through the vault's root. An existing note does
// not change.
func makeNote(vault, rel string) error {
	root, err := os.OpenRoot(vault)
	if err != nil {
		return fmt.Errorf("%w: %w", swap.ErrVaultGone, err)
	}
	defer root.Close()
	name := filepath.FromSlash(rel)
	if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return fmt.Errorf("make the folder of %s: %w", rel, err)
	}
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("make %s: %w", rel, err)
	}
	return f.Close()
}
