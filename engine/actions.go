package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/writer"
)

// Undo implements [api.Backend]: the markers are in the note again, and nothing
// starts them but a retry or a change of their line.
func (e *Engine) Undo(ctx context.Context, id string) (api.Dispatch, error) {
	d, err := e.journal.Get(ctx, id)
	if err != nil {
		return api.Dispatch{}, wire(err)
	}
	if reason := e.notUndoable(d); reason != "" {
		return api.Dispatch{}, &api.Conflict{Reason: reason}
	}
	v := e.vaultAt(d.Vault)
	if d, err = v.beginUndo(ctx, d); err != nil {
		return api.Dispatch{}, wire(err)
	}
	err = e.writer.Undo(ctx, d)
	if err == nil {
		e.notices.end(func(n api.Notice) bool { return n.Code == api.NoticeUndo && n.Args["dispatch"] == d.ID })
	}
	if refused, ok := errors.AsType[*writer.Refused](err); ok {
		err = &api.Conflict{Reason: refused.Reason}
	}
	// A marker that came meanwhile may have been taken for ours.
	ctx = context.WithoutCancel(ctx)
	v.lookQuietly(ctx, save{rel: d.File, seen: time.Now(), trigger: "reconcile"})
	return e.act(ctx, id, err)
}

// notUndoable says in one sentence why a dispatch cannot be undone, as far as
// that can be seen without its note, or nothing.
func (e *Engine) notUndoable(d journal.Dispatch) string {
	reason := writer.NotUndoable(d, time.Now())
	if reason == "" && e.vaultAt(d.Vault) == nil {
		reason = e.noVault(d)
	}
	return reason
}

// beginUndo claims the markers before they are back: from here on every look at
// the note knows whose they are.
func (v *vault) beginUndo(ctx context.Context, d journal.Dispatch) (journal.Dispatch, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	d, err := v.engine.journal.Undoing(ctx, d.ID)
	if err == nil {
		v.tracked[d.File] = true
	}
	return d, err
}

// isAway reports whether the disk of a vault is away.
func (e *Engine) isAway(root string) bool {
	v := e.vaultAt(root)
	return v != nil && v.away()
}

// markUnreachable has a vault announced anew when its folder is back.
func (e *Engine) markUnreachable(root string) {
	if v := e.vaultAt(root); v != nil {
		v.announced.Store(false)
	}
}

// readForProgress returns a note with its progress comments and when it was changed; an
// error says that nothing is to be told in it.
func (e *Engine) readForProgress(root, rel string) ([]byte, time.Time, error) {
	v := e.vaultAt(root)
	if v == nil || !v.isNote(rel) || v.away() {
		return nil, time.Time{}, fmt.Errorf("%s is no note that can be told in", rel)
	}
	src, err := v.readRaw(rel)
	if err != nil {
		return nil, time.Time{}, err
	}
	info, err := v.stat(rel)
	if err != nil {
		return nil, time.Time{}, err
	}
	return src, info.ModTime(), nil
}

// diff shows what a dispatch has put into its note, marker by marker.
func diff(d journal.Dispatch) string {
	var b strings.Builder
	for _, m := range d.Markers {
		if len(m.Block.Text) == 0 {
			continue
		}
		fmt.Fprintf(&b, "@@ line %d @@\n", m.Line)
		for _, side := range []struct {
			sign string
			text []byte
		}{{"-", []byte(m.Text)}, {"+", m.Block.Text}} {
			for _, line := range note.Lines(side.text) {
				fmt.Fprintf(&b, "%s%s\n", side.sign, strings.ToValidUTF8(line, "\uFFFD"))
			}
		}
	}
	return b.String()
}
