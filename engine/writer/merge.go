package writer

import (
	"context"
	"errors"
	"path/filepath"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite"
	"vaultdispatcher/engine/rewrite/swap"
)

// resolveConflictAfter is resolveConflict for a copy that one of the logged exchanges has left. With
// several exchanges the base of the copy is unknown, and the copy is kept.
func (w *Writer) resolveConflictAfter(ctx context.Context, logged []journal.Swap, copy string) {
	if len(logged) == 0 {
		return
	}
	s := logged[0]
	if len(logged) > 1 {
		s.Text = nil
	}
	unlock, err := rewrite.Lock(ctx, s.Path)
	if err != nil {
		w.opts.Log.Error("merge a copy", "note", s.Path, "error", err)
		return
	}
	defer unlock()
	w.resolveConflict(ctx, s, copy)
}

// resolveConflict merges a version that an exchange had to keep beside its note back into it, if both
// have changed different lines. If they have not, or while that is impossible, it keeps both and a
// notice says so. The caller has the note's turn.
func (w *Writer) resolveConflict(ctx context.Context, s journal.Swap, copy string) {
	err := errors.New("the note before is not known")
	if s.Text != nil {
		err = w.mergeCopy(ctx, s, copy)
	}
	if err == nil {
		w.opts.Log.Info("merged another version into a note", "note", s.Path)
		return
	}
	w.opts.Log.Warn("kept the other version of a note", "note", s.Path, "copy", copy, "reason", err)
	w.opts.Engine.BothKept(s.Path, copy)
}

// mergeCopy is rewrite.Merge with its exchanges recorded as those of s's dispatch.
func (w *Writer) mergeCopy(ctx context.Context, s journal.Swap, copy string) error {
	var logged []journal.Swap
	_, err := rewrite.Merge(ctx, rewrite.Copy{
		Root: vaultOf(s), Engine: w.opts.EngineID,
		Path: s.Path, Copy: copy, Base: s.Text,
	}, func(in swap.Intention) error {
		m := journal.Swap{Dispatch: s.Dispatch, Path: in.Path, Temp: in.Temp, Base: in.Base, New: in.New}
		logged = append(logged, m)
		w.opts.Engine.WillReplace(vaultOf(s), s.Path, in.Base, true)
		return w.opts.Journal.RecordMergeSwap(ctx, m)
	})
	w.closeLater(logged, err)
	return err
}

// vaultOf returns the vault of an exchange: its Temp is <vault>/.vault-mind/tmp/<name>.
func vaultOf(s journal.Swap) string { return filepath.Dir(filepath.Dir(filepath.Dir(s.Temp))) }
