package engine

import (
	"context"
	"errors"
	"fmt"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite"
	"vaultdispatcher/engine/rewrite/swap"
)

// conflictAfter is conflict for a copy that one of these exchanges has left. Of
// several nobody knows which one it comes from, and then it stays.
func (e *Engine) conflictAfter(ctx context.Context, logged []journal.Swap, copy string) {
	if len(logged) == 0 {
		return
	}
	s := logged[0]
	if len(logged) > 1 {
		s.Text = nil
	}
	unlock, err := rewrite.Lock(ctx, s.Path)
	if err != nil {
		e.log.Error("merge a copy", "note", s.Path, "error", err)
		return
	}
	defer unlock()
	e.conflict(ctx, s, copy)
}

// conflict brings a version that an exchange had to keep beside its note back into
// it, where both have changed different lines. Where they have not, or while that
// is not possible, both live and a person is told. The caller has the note's turn.
func (e *Engine) conflict(ctx context.Context, s journal.Swap, copy string) {
	err := errors.New("the note before is not known")
	if s.Text != nil {
		err = e.merge(ctx, s, copy)
	}
	if err == nil {
		e.log.Info("merged another version into a note", "note", s.Path)
		return
	}
	e.log.Warn("kept the other version of a note", "note", s.Path, "copy", copy, "reason", err)
	e.tell(fmt.Sprintf("%s was saved while its answer was written; the other version is kept as %s", s.Path, copy))
}

// merge is rewrite.Merge with its exchanges recorded as those of s's dispatch.
func (e *Engine) merge(ctx context.Context, s journal.Swap, copy string) error {
	var logged []journal.Swap
	_, err := rewrite.Merge(ctx, rewrite.Copy{
		Root: vaultOf(s),
		Path: s.Path, Copy: copy, Base: s.Text,
	}, func(in swap.Intention) error {
		m := journal.Swap{Dispatch: s.Dispatch, Path: in.Path, Temp: in.Temp, Base: in.Base, New: in.New}
		logged = append(logged, m)
		return e.journal.Merging(ctx, m)
	})
	e.close(logged, err)
	return err
}
