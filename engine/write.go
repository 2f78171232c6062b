package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite"
	"vaultdispatcher/engine/rewrite/swap"
)

// A place that is missing may be back in a moment: an editor writes slowly, a
// sync program deletes before it writes, a note is renamed and renamed again. So
// it is looked for again with the back-off of the dispatcher before its answer
// is parked: for ten seconds when a line is missing, and when the whole note is for
// as long as its questions are followed to other notes.
const (
	looksForLine = 10 * time.Second
	looksForNote = followFor
)

// write puts the answers of d into its note and records what became of them: in
// the note, or parked because their place is gone. An error means that the note
// is as it was and that the answers wait in the journal for another try.
func (e *Engine) write(ctx context.Context, d journal.Dispatch, waited time.Duration) error {
	if d.Undo == journal.Undoing {
		return e.endUndo(ctx, d)
	}
	job, err := e.job(ctx, d)
	if err != nil {
		return err
	}
	job.Partial = waited >= looksForLine
	result, err := e.rewrite(ctx, d, job, rewrite.Answer)
	v := e.vaultAt(d.Vault)
	if errors.Is(err, rewrite.ErrNoteGone) && v != nil && v.away() {
		err = fmt.Errorf("%w: its drive is away", swap.ErrVaultGone)
	}
	if v != nil && errors.Is(err, swap.ErrVaultGone) {
		v.announced.Store(false) // when it is back it may hold what we were about to write
	}
	switch {
	case errors.Is(err, rewrite.ErrNoteGone) && waited >= looksForNote:
		return e.journal.Park(ctx, d.ID, "the note is gone; the answer is kept")
	case errors.Is(err, rewrite.ErrNoteGone):
		return &dispatch.Sooner{Err: err, In: looksForNote - waited}
	case err != nil:
		return err
	case len(result.Missing) > 0 && !job.Partial:
		return errors.New("its line is not in the note now")
	case len(result.Written) == 0:
		return e.journal.Park(ctx, d.ID, "the marker is gone from the note; the answer is kept")
	}
	return e.journal.Written(ctx, d.ID, result.Written, result.Hash)
}

// rewriting is rewrite.Answer or rewrite.Undo.
type rewriting func(context.Context, rewrite.Job, func(swap.Intention) error) (rewrite.Result, error)

// rewrite has the rewriter work on the note of d. Every intention is recorded with
// what it puts where, and what an earlier exchange could not end is ended first.
func (e *Engine) rewrite(ctx context.Context, d journal.Dispatch, job rewrite.Job, do rewriting) (rewrite.Result, error) {
	return e.rewriteAs(ctx, d.ID, job, do, e.journal.Swapping)
}

// rewriteAs is rewrite with its own way to record an intention.
func (e *Engine) rewriteAs(ctx context.Context, id string, job rewrite.Job, do rewriting, record func(context.Context, journal.Swap) error) (rewrite.Result, error) {
	var draft rewrite.Draft
	job.Draft = func(next rewrite.Draft) { draft = next }
	job.Before = func(ctx context.Context) error { return e.displaced.mend(ctx, job.Path) }
	var logged []journal.Swap
	result, err := do(ctx, job, func(in swap.Intention) error {
		s := journal.Swap{Dispatch: id, Path: in.Path, Temp: in.Temp, Base: in.Base, New: in.New, Text: draft.Base, Blocks: draft.Blocks}
		logged = append(logged, s)
		return record(ctx, s)
	})
	ctx = context.WithoutCancel(ctx)
	e.close(logged, err)
	if result.Conflict != "" {
		e.conflictAfter(ctx, logged, result.Conflict)
	}
	return result, err
}

// job is what the rewriter has to know about d: its own places, and those of
// other dispatches in the note, which it must not take for its own.
func (e *Engine) job(ctx context.Context, d journal.Dispatch) (rewrite.Job, error) {
	job := rewrite.Job{
		Root:  d.Vault,
		Path:  filepath.Join(d.Vault, filepath.FromSlash(d.File)),
		ID:    d.ID,
		Limit: e.config.Limits.AnswerBytes,
	}
	for _, m := range d.Markers {
		job.Places = append(job.Places, place(m))
	}
	claims, err := e.journal.Claims(ctx, d.Vault, d.File)
	if err != nil {
		return job, fmt.Errorf("read the claims on %s: %w", d.File, err)
	}
	for _, c := range claims {
		if c.Dispatch != d.ID {
			job.Others = append(job.Others, place(c.Marker))
		}
	}
	return job, nil
}

func place(m journal.Marker) rewrite.Place {
	return rewrite.Place{Trace: m.Trace, Answer: m.Answer, Block: m.Block}
}

// close has the exchanges that one call of the rewriter has announced ended after
// their grace: each may have left a version of the note that is kept so long. When
// one could not be ended they all are recovered, as after a crash.
func (e *Engine) close(logged []journal.Swap, err error) {
	for _, s := range logged {
		if errors.Is(err, swap.ErrUnended) {
			e.displaced.addBroken(s)
		} else {
			e.displaced.add(s, swap.Settle)
		}
	}
}

// end is endHeld when it is the note's turn.
func (e *Engine) end(ctx context.Context, s journal.Swap, by ending) error {
	unlock, err := rewrite.Lock(ctx, s.Path)
	if err != nil {
		return fmt.Errorf("end an exchange of %s: %w", s.Path, err)
	}
	defer unlock()
	return e.endHeld(ctx, s, by)
}

// endHeld ends an exchange, by swap.Settle after its grace or by swap.Recover after
// a crash, and closes it. What cannot be ended now stays recorded.
func (e *Engine) endHeld(ctx context.Context, s journal.Swap, by ending) error {
	outcome, err := by(swap.Intention{Path: s.Path, Temp: s.Temp, Base: s.Base, New: s.New})
	if err != nil {
		return fmt.Errorf("end an exchange of %s: %w", s.Path, err)
	}
	if outcome.Conflict != "" {
		e.conflict(ctx, s, outcome.Conflict)
	}
	return e.journal.SwapDone(ctx, s.Temp)
}

// openSwaps returns the exchanges that the last engine left, by the root of their
// vault.
func (e *Engine) openSwaps(ctx context.Context) (map[string][]journal.Swap, error) {
	open, err := e.journal.Swaps(ctx)
	if err != nil {
		return nil, fmt.Errorf("read open exchanges: %w", err)
	}
	byRoot := make(map[string][]journal.Swap)
	e.recovery = make(map[string]chan struct{})
	for _, s := range open {
		root := vaultOf(s)
		byRoot[root] = append(byRoot[root], s)
		if e.recovery[root] == nil {
			e.recovery[root] = make(chan struct{})
		}
	}
	return byRoot, nil
}

// recoverSwaps ends the exchanges that the last engine left in one vault, before
// anything else may touch its notes. Their dispatches are written again, which finds
// out whether the answers stand in the note by now.
func (e *Engine) recoverSwaps(ctx context.Context, root string, open []journal.Swap) error {
	defer close(e.recovery[root])
	for _, s := range open {
		if err := e.end(ctx, s, swap.Recover); err != nil {
			e.log.Error("recover an interrupted write", "error", err)
			e.displaced.addBroken(s)
		}
	}
	return nil
}

// recovered waits until what a crash has cut short in a vault is mended, or is known
// to be tried again before each write.
func (e *Engine) recovered(ctx context.Context, root string) error {
	mended, ok := e.recovery[root]
	if !ok {
		return nil
	}
	select {
	case <-mended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// vaultOf is the root of the vault of an exchange: <root>/.vault-mind/tmp/<temp>.
func vaultOf(s journal.Swap) string { return filepath.Dir(filepath.Dir(filepath.Dir(s.Temp))) }
