package writer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/schedule"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/wording"
)

// A place that is missing may be back in a moment: an editor writes slowly, a sync
// program deletes before it writes, a note is renamed and renamed again. So it is
// looked for again with the back-off of the queue before its answer is parked: for ten
// seconds when a line is missing, and when the whole note is for as long as its
// questions are followed to other notes ([Options.FollowFor], [Engine.IsSought]).
const looksForLine = 10 * time.Second

// writeAnswers puts the answers of d where they belong and records the result: into the note in
// the place of the markers or of earlier answers, with the question to the end of a note or below
// the line that is asked again, or to the asker. Where their place is gone they are parked. If
// the record wants it, a missing note is made. An error means that the note is unchanged and that
// the answers wait in the journal for another try.
func (w *Writer) writeAnswers(ctx context.Context, d journal.Dispatch, waited time.Duration) error {
	if d.Undo == journal.Undoing {
		return w.endUndo(ctx, d)
	}
	if d.Asked == journal.AskedTold {
		return w.opts.Journal.RecordTold(context.WithoutCancel(ctx), d.ID)
	}
	job, do, err := w.planWrite(ctx, d)
	if err != nil {
		return err
	}
	job.Partial, job.Idle = waited >= looksForLine, w.waitIdly(ctx, d.Vault)
	result, err := w.rewriteNote(ctx, d, job, do)
	if errors.Is(err, rewrite.ErrNoteGone) && d.Asked == journal.AskedCreate {
		if err = makeNote(d.Vault, d.File); err == nil {
			result, err = w.rewriteNote(ctx, d, job, do)
		}
	}
	ctx = context.WithoutCancel(ctx)
	kept := ""
	if err != nil {
		kept = "the new answer is kept: " + syserr.Plain(err)
	}
	switch {
	case errors.Is(err, rewrite.ErrNoteGone):
		return w.lookAgainOrPark(ctx, d, err, waited, wording.Choose(d.Replaces(), kept, "the note is gone; the answer is kept"))
	case d.Replaces() && refusalFor(err) != "":
		return w.opts.Journal.Park(ctx, d.ID, kept)
	case d.Asked != "" && errors.Is(err, rewrite.ErrUnsafe):
		return w.opts.Journal.Park(ctx, d.ID, "the note ends in code or in a comment, where nothing can be added; the answer is kept")
	case err != nil:
		return err
	case len(result.Missing) > 0 && (d.Asked != "" || !job.Partial):
		return errors.New("its line is not in the note now")
	case d.Asked != "":
		return w.opts.Journal.RecordWritten(ctx, d.ID, result.Written, result.Hash)
	case !d.Replaces() && len(result.Written) == 0:
		return w.opts.Journal.Park(ctx, d.ID, "the marker is gone from the note; the answer is kept")
	}
	w.noteWritten(time.Now())
	if d.Replaces() {
		return w.opts.Journal.RecordReplaced(ctx, d.ID, result.Blocks, result.Hash)
	}
	return w.opts.Journal.RecordWritten(ctx, d.ID, result.Written, result.Hash)
}

// planWrite returns how the answers of d are written.
func (w *Writer) planWrite(ctx context.Context, d journal.Dispatch) (job rewrite.Job, do rewriting, err error) {
	switch {
	case d.Asked != "":
		do = func(ctx context.Context, job rewrite.Job, log func(swap.Intention) error) (rewrite.Result, error) {
			return rewrite.Append(ctx, job, d.Markers[0].Instruction, log)
		}
	case d.Replaces():
		job, err = w.newTakingJob(ctx, d)
		return job, rewrite.Replace, err
	default:
		do = rewrite.Answer
	}
	job, err = w.newJob(ctx, d)
	return job, do, err
}

// makeNote makes an empty note and its folders, only through the vault's root. An existing note
// does not change.
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

// lookAgainOrPark has a note that is gone, as err says, looked for again. After long enough the
// answers of d are parked.
func (w *Writer) lookAgainOrPark(ctx context.Context, d journal.Dispatch, err error, waited time.Duration, reason string) error {
	switch {
	case waited < w.opts.FollowFor:
		return &retryWithin{err: err, delay: w.opts.FollowFor - waited}
	case w.opts.Engine.IsSought(d.Vault, d.File):
		return &retryWithin{err: err, delay: looksForLine}
	}
	return w.opts.Journal.Park(ctx, d.ID, reason)
}

// rewriting is rewrite.Answer, rewrite.Undo, rewrite.Replace, or a closure over rewrite.Append or
// rewrite.Show. rewrite.Merge has its own way (merge.go), and an exchange that displaced
// something or was cut short is ended by swap.Settle or swap.Recover (exchanges.go).
type rewriting func(context.Context, rewrite.Job, func(swap.Intention) error) (rewrite.Result, error)

// rewriteNote has the rewriter work on the note of d. It records every intention with the text of
// each place, and first ends the exchanges that could not be ended earlier. While the drive of a
// vault is away its notes are not gone.
func (w *Writer) rewriteNote(ctx context.Context, d journal.Dispatch, job rewrite.Job, do rewriting) (rewrite.Result, error) {
	result, err := w.rewriteAs(ctx, d.ID, job, do, w.opts.Journal.RecordSwap)
	if errors.Is(err, rewrite.ErrNoteGone) && w.opts.Engine.IsAwayOnDisk(d.Vault) {
		err = fmt.Errorf("%w: its drive is away", swap.ErrVaultGone)
	}
	if errors.Is(err, swap.ErrVaultGone) {
		w.opts.Engine.MarkUnreachable(d.Vault) // when it is back it may hold what we were about to write
	}
	return result, err
}

// rewriteAs is rewriteNote with its own way to record an intention.
func (w *Writer) rewriteAs(ctx context.Context, id string, job rewrite.Job, do rewriting, record func(context.Context, journal.Swap) error) (rewrite.Result, error) {
	var draft rewrite.Draft
	job.Draft = func(next rewrite.Draft) { draft = next }
	job.Engine = w.opts.EngineID
	job.Prelude = func(ctx context.Context) error { return w.exchanges.mendNote(ctx, job.Path) }
	var logged []journal.Swap
	result, err := do(ctx, job, func(in swap.Intention) error {
		s := journal.Swap{Dispatch: id, Path: in.Path, Temp: in.Temp, Base: in.Base, New: in.New, Text: draft.Base, Blocks: draft.Blocks, Replaced: draft.Replaced, Edits: encodeEdits(draft.Edits)}
		logged = append(logged, s)
		w.opts.Engine.WillReplace(job.Root, job.Path, in.Base, false)
		return record(ctx, s)
	})
	ctx = context.WithoutCancel(ctx)
	w.closeLater(logged, err)
	if result.Conflict != "" {
		_ = job.Wait(func() error { w.resolveConflictAfter(ctx, logged, result.Conflict); return nil })
	}
	return result, err
}

// newJob is what the rewriter has to know about d: its own places, and those of
// other dispatches in the note, which it must not take for its own.
func (w *Writer) newJob(ctx context.Context, d journal.Dispatch) (rewrite.Job, error) {
	job := rewrite.Job{
		Root:  d.Vault,
		Path:  filepath.Join(d.Vault, filepath.FromSlash(d.File)),
		ID:    d.ID,
		Limit: w.opts.AnswerBytes,
	}
	for _, m := range d.Markers {
		job.Places = append(job.Places, placeOf(m))
	}
	if err := errors.Join(w.addEdits(ctx, d, &job), w.approveSeen(ctx, d, &job)); err != nil {
		return job, err
	}
	line, err := w.opts.Journal.Part(ctx, d.ID, journal.PartSchedule)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return job, err
	}
	if line != "" {
		again := strings.TrimSuffix(d.Markers[0].Instruction, " ("+schedule.Date(d.TaskID)+")")
		job.Run = rewrite.Run{Heading: schedule.Heading(d.TaskID), Again: again, First: w.opts.NewestFirst != nil && w.opts.NewestFirst(line)}
	}
	claims, err := w.opts.Journal.Claims(ctx, d.Vault, d.File)
	if err != nil {
		return job, fmt.Errorf("read the claims on %s: %w", d.File, err)
	}
	for _, c := range claims {
		other := placeOf(c.Marker)
		switch other.Trace = c.Trace(); c.Dispatch {
		case line:
			plan, _, _ := schedule.ParseQuestion(c.Marker.Instruction)
			job.Run.Below, job.Run.First = &other.Trace, plan.Newest != schedule.Last
		case d.ID:
		default:
			job.Siblings = append(job.Siblings, other)
		}
	}
	return job, nil
}

// placeOf returns a marker as the rewriter looks for it: it has its answer, so white space is no
// edit.
func placeOf(m journal.Marker) rewrite.Place {
	m.Folds = true
	return rewrite.Place{Trace: m.Trace, Answer: m.Answer, Block: m.Block}
}

// closeLater has the exchanges that one call of the rewriter has announced ended after
// their grace: each may have left a version of the note that is kept so long. When
// one could not be ended they all are recovered, as after a crash.
func (w *Writer) closeLater(logged []journal.Swap, err error) {
	for _, s := range logged {
		if errors.Is(err, swap.ErrUnended) {
			w.exchanges.addBroken(s)
		} else {
			w.exchanges.addSettled(s)
		}
	}
}

// endExchange is endExchangeLocked when it is the note's turn.
func (w *Writer) endExchange(ctx context.Context, s journal.Swap, by ending) error {
	unlock, err := rewrite.Lock(ctx, s.Path)
	if err != nil {
		return fmt.Errorf("end an exchange of %s: %w", s.Path, err)
	}
	defer unlock()
	return w.endExchangeLocked(ctx, s, by)
}

// endExchangeLocked ends an exchange, by swap.Settle after its grace or by swap.Recover after a
// crash, and closes it. An exchange that cannot be ended now is left recorded.
func (w *Writer) endExchangeLocked(ctx context.Context, s journal.Swap, by ending) error {
	outcome, err := by(swap.Intention{Path: s.Path, Temp: s.Temp, Base: s.Base, New: s.New})
	if err != nil {
		return fmt.Errorf("end an exchange of %s: %w", s.Path, err)
	}
	if outcome.Conflict != "" {
		w.resolveConflict(ctx, s, outcome.Conflict)
	}
	return w.opts.Journal.CloseSwap(ctx, s.Temp)
}
