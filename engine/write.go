package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite"
	"vaultdispatcher/engine/rewrite/swap"
)

// write puts the answers of d into its note and records what became of them: in
// the note, or parked because their place is gone. An error means that the note
// is as it was and that the answers wait in the journal for another try.
func (e *Engine) write(ctx context.Context, d journal.Dispatch) error {
	result, err := rewrite.Answer(ctx, e.job(d), func(in swap.Intention) error {
		return e.journal.Swapping(ctx, journal.Swap{Dispatch: d.ID, Path: in.Path, Temp: in.Temp, Base: in.Base, New: in.New})
	})
	switch {
	case errors.Is(err, rewrite.ErrNoteGone):
		return e.journal.Park(ctx, d.ID, "the note is gone; the answer is kept")
	case err != nil:
		return fmt.Errorf("write the answer into %s: %w", d.File, err)
	}
	if result.Conflict != "" {
		e.log.Warn("kept the other version of a note", "note", d.File, "copy", result.Conflict)
	}
	if len(result.Written) == 0 {
		return e.journal.Park(ctx, d.ID, "the marker is gone from the note; the answer is kept")
	}
	return e.journal.Written(ctx, d.ID, result.Written, result.Hash)
}

// job is what the rewriter has to know about d.
func (e *Engine) job(d journal.Dispatch) rewrite.Job {
	job := rewrite.Job{
		Root:  d.Vault,
		Path:  filepath.Join(d.Vault, filepath.FromSlash(d.File)),
		Limit: e.config.Limits.AnswerBytes,
	}
	for _, m := range d.Markers {
		job.Places = append(job.Places, rewrite.Place{
			Text: m.Text, Before: m.Before, After: m.After,
			Ordinal: m.Ordinal, Line: m.Line, Answer: m.Answer,
		})
	}
	return job
}

// recoverSwaps ends the exchanges that a crash cut short, before anything else
// may touch their notes. Their dispatches are written again, which finds out
// whether the answers stand in the note by now. What cannot be ended now stays
// recorded for next time.
func (e *Engine) recoverSwaps(ctx context.Context) error {
	open, err := e.journal.Swaps(ctx)
	if err != nil {
		return fmt.Errorf("read open exchanges: %w", err)
	}
	for _, s := range open {
		outcome, err := swap.Recover(swap.Intention{Path: s.Path, Temp: s.Temp, Base: s.Base, New: s.New})
		if err != nil {
			e.log.Error("recover an interrupted write", "note", s.Path, "error", err)
			continue
		}
		if outcome.Conflict != "" {
			e.log.Warn("kept the other version of a note", "note", s.Path, "copy", outcome.Conflict)
		}
		if err := e.journal.SwapDone(ctx, s.Temp); err != nil {
			return fmt.Errorf("record a recovered write: %w", err)
		}
	}
	return nil
}
