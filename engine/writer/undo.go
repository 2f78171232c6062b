package writer

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/wording"
)

const (
	// undoWithin is how long an undo waits for a note that is being written; the
	// caller of the HTTP interface waits as long.
	undoWithin = 8 * time.Second

	undoneByHand = "undone by hand"
)

// Refused is why an undo was not made, in one sentence for a person.
type Refused struct{ Reason string }

func (r *Refused) Error() string { return r.Reason }

// NotUndoable says in one sentence why a dispatch cannot be undone, as far as
// that can be seen without its note, or nothing.
func NotUndoable(d journal.Dispatch, now time.Time) string {
	switch {
	case d.Undo == journal.Undone:
		return "It is undone already."
	case d.Status != journal.Done:
		return "Only what is done can be undone; it is " + wording.Status(string(d.Status)) + "."
	case now.Sub(d.Finished) > journal.UndoFor:
		return "It was answered more than 7 days ago."
	}
	if d.Asked == journal.AskedTold {
		return "Its answer was written into no note."
	}
	for _, m := range d.Markers {
		if len(m.Block.Text) == 0 {
			return "An earlier version wrote the answer and did not keep what it wrote exactly."
		}
	}
	return ""
}

// Undo takes back the answers of a dispatch that the journal has as undoing: the markers are in
// the note again. Everything that a person wrote elsewhere in the note since is kept. If the disk
// keeps an undo from its end, the engine ends it later by itself. If an undo is refused, Undo
// returns [Refused] and does not touch the answers.
func (w *Writer) Undo(ctx context.Context, d journal.Dispatch) error {
	ctx = context.WithoutCancel(ctx) // the undo is ended even if the caller is gone
	within, cancel := context.WithTimeout(ctx, undoWithin)
	defer cancel()
	err := w.takeBack(within, d, nil)
	if err == nil {
		return nil
	}
	if errors.Is(err, swap.ErrUnended) || errors.Is(err, errUnrecorded) {
		w.Submit(d) // it continues when the exchange is ended, or the disk has room
		return nil
	}
	reason := refusalFor(err)
	if reason == "" {
		reason = "It cannot be undone now: " + syserr.Plain(err) + "."
	}
	if err := w.opts.Journal.RecordUndoRefused(ctx, d.ID, syserr.Plain(err)); err != nil {
		w.Submit(d)
		return err
	}
	return &Refused{reason}
}

// errUnrecorded says that the markers are back and the journal does not know it.
var errUnrecorded = errors.New("the undo is not recorded")

// takeBack puts the markers back and records it. After an error other than errUnrecorded and
// swap.ErrUnended the note is unchanged. idle is [rewrite.Job.Idle].
func (w *Writer) takeBack(ctx context.Context, d journal.Dispatch, idle func(wait func() error) error) error {
	job, err := w.newTakingJob(ctx, d)
	if err != nil {
		return err
	}
	job.Idle = idle
	result, err := w.rewriteNote(ctx, d, job, rewrite.Undo)
	if err != nil {
		return err
	}
	if err := w.opts.Journal.RecordUndone(context.WithoutCancel(ctx), d.ID, sayUndone(d, result.Lines), result.Hash); err != nil {
		return fmt.Errorf("%w: %w", errUnrecorded, err)
	}
	return nil
}

// newTakingJob is newJob for one that takes answers out of the note again.
func (w *Writer) newTakingJob(ctx context.Context, d journal.Dispatch) (rewrite.Job, error) {
	job, err := w.newJob(ctx, d)
	if err != nil {
		return job, err
	}
	twins, err := w.opts.Journal.Twins(ctx, d)
	if err != nil {
		return job, err
	}
	job.Hash = d.Hash
	for _, t := range twins {
		job.Strangers = append(job.Strangers, rewrite.Stranger{Path: filepath.Join(d.Vault, filepath.FromSlash(t.File)), Hash: t.Hash, Block: t.Block})
	}
	return job, nil
}

// IsInRun is [rewrite.IsInRun] of the one answer of d, in its note as it is now. It touches the
// disk.
func (w *Writer) IsInRun(ctx context.Context, d journal.Dispatch) (bool, error) {
	job, err := w.newTakingJob(ctx, d)
	if err != nil {
		return false, err
	}
	src, err := swap.On(nil).Read(job.Root, job.Path)
	if err != nil {
		return false, &Refused{"Its note cannot be changed now: " + syserr.Plain(err) + "."}
	}
	return rewrite.IsInRun(src.Data, job), nil
}

// sayUndone says what an undo put back, and where: others may have moved its lines since they
// were asked.
func sayUndone(d journal.Dispatch, lines []int) string {
	switch {
	case d.Markers[0].Text == "":
		return "undone: the question and its answer are out of the note again"
	case len(lines) == 0:
		return undoneByHand
	case len(lines) == 1:
		return fmt.Sprintf("%s: the marker of line %d is back", undoneByHand, lines[0])
	}
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(line))
	}
	return fmt.Sprintf("%s: the markers of lines %s are back", undoneByHand, b.String())
}

// endUndo continues an undo that an earlier engine has begun. The answer to the caller is lost,
// so a notice names an undo that is refused.
func (w *Writer) endUndo(ctx context.Context, d journal.Dispatch) error {
	err := w.takeBack(ctx, d, w.waitIdly(ctx, d.Vault))
	reason := refusalFor(err)
	if reason == "" {
		return err
	}
	w.opts.Engine.UndoFailed(d, reason)
	return w.opts.Journal.RecordUndoRefused(ctx, d.ID, syserr.Plain(err))
}

// WhyNotReplaced says in one sentence why the answers of a dispatch cannot be replaced in the
// present note, or returns "".
func WhyNotReplaced(src []byte, d journal.Dispatch) string {
	places := make([]rewrite.Place, len(d.Markers))
	for i, m := range d.Markers {
		places[i] = placeOf(m)
	}
	return refusalFor(rewrite.WhyNotReplaced(src, places))
}

// refusalFor says in one sentence what rules an undo out for good, or nothing if
// it may be tried again.
func refusalFor(err error) string {
	for _, r := range []struct {
		err    error
		reason string
	}{
		{rewrite.ErrEdited, "The answer was edited in the note, so it stays; its text is in the history."},
		{rewrite.ErrBlockGone, "The answer is not in the note any more."},
		{rewrite.ErrEqual, "The same answer stands in the note more than once, and nothing tells which one is meant."},
		{rewrite.ErrForeign, "The answer that stands there is rather another question's: two notes may have swapped their names. Nothing was changed; give them their names back, or take the answer out by hand."},
		{rewrite.ErrUnsafe, "The rest of the note would mean something else without the answer."},
		{rewrite.ErrNoteGone, "The note is not at its place any more."},
		{swap.ErrReadOnly, "The note is read-only."},
		{swap.ErrTooLarge, "The note is larger than 10 MiB."},
		{swap.ErrOutside, "The note leads out of its vault."},
		{swap.ErrNotAFile, "The note is no regular file."},
	} {
		if errors.Is(err, r.err) {
			return r.reason
		}
	}
	return ""
}
