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
	"vaultdispatcher/engine/rewrite"
	"vaultdispatcher/engine/rewrite/swap"
)

const (
	// undoFor is how long an answer can be undone.
	undoFor = 7 * 24 * time.Hour

	// undoWithin is how long an undo waits for a note that is being written; the
	// caller of the HTTP interface waits as long.
	undoWithin = 8 * time.Second

	undoneByHand = "undone by hand"
)

// Undo implements [api.Backend]: the markers stand in the note again, and nothing
// starts them but a retry or a change of their line. What a person wrote elsewhere
// in the note since stays. An undo that is cut short by a crash is ended by the
// next engine.
func (e *Engine) Undo(ctx context.Context, id string) (api.Dispatch, error) {
	d, err := e.journal.Get(ctx, id)
	if err != nil {
		return api.Dispatch{}, wire(err)
	}
	if reason := e.notUndoable(d, time.Now()); reason != "" {
		return api.Dispatch{}, &api.Conflict{Reason: reason}
	}
	v := e.vaultAt(d.Vault)
	if d, err = v.beginUndo(ctx, d); err != nil {
		return api.Dispatch{}, wire(err)
	}
	ctx = context.WithoutCancel(ctx) // what has begun is ended, whoever still waits for it
	limited, cancel := context.WithTimeout(ctx, undoWithin)
	defer cancel()
	err = e.takeBack(limited, d)
	if errors.Is(err, swap.ErrUnended) || errors.Is(err, errUnrecorded) {
		e.dispatcher.Submit(d) // it goes on when the exchange is ended, or the disk has room
		return e.act(ctx, id, nil)
	}
	if err != nil {
		reason := refusal(err)
		if reason == "" {
			reason = "It cannot be undone now: " + err.Error() + "."
		}
		if err := e.journal.Kept(ctx, id, err.Error()); err != nil {
			e.dispatcher.Submit(d)
			return api.Dispatch{}, wire(err)
		}
		err = &api.Conflict{Reason: reason}
	}
	// A marker that came meanwhile may have been taken for ours.
	v.lookQuietly(ctx, save{rel: d.File, seen: time.Now(), trigger: "reconcile"})
	return e.act(ctx, id, err)
}

// notUndoable says in one sentence why a dispatch cannot be undone, as far as
// that can be seen without its note, or nothing.
func (e *Engine) notUndoable(d journal.Dispatch, now time.Time) string {
	switch {
	case d.Undo == journal.Undone:
		return "It is undone already."
	case d.Status != journal.Done:
		return "Only what is done can be undone; it is " + string(d.Status) + "."
	case now.Sub(d.Finished) > undoFor:
		return "It was answered more than 7 days ago."
	case e.vaultAt(d.Vault) == nil:
		return e.noVault(d)
	}
	for _, m := range d.Markers {
		if len(m.Block.Text) == 0 {
			return "An earlier version wrote the answer and did not keep what it wrote exactly."
		}
	}
	return ""
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

// errUnrecorded says that the markers are back and the journal does not know it.
var errUnrecorded = errors.New("the undo is not recorded")

// takeBack puts the markers back and records it. After an error other than
// errUnrecorded and swap.ErrUnended the note is as it was.
func (e *Engine) takeBack(ctx context.Context, d journal.Dispatch) error {
	job, err := e.job(ctx, d)
	if err != nil {
		return err
	}
	result, err := e.rewrite(ctx, d, job, rewrite.Undo)
	if err != nil {
		return err
	}
	if err := e.journal.Undone(context.WithoutCancel(ctx), d.ID, undoneByHand, result.Hash); err != nil {
		return fmt.Errorf("%w: %w", errUnrecorded, err)
	}
	return nil
}

// endUndo goes on with an undo that an earlier engine has begun. The answer to
// whoever asked for it is lost, so what cannot be undone is told as a notice.
func (e *Engine) endUndo(ctx context.Context, d journal.Dispatch) error {
	err := e.takeBack(ctx, d)
	reason := refusal(err)
	if reason == "" {
		return err
	}
	e.tell(fmt.Sprintf("the answer of %s in %s could not be undone: %s", d.ID, d.File, reason))
	return e.journal.Kept(ctx, d.ID, err.Error())
}

// refusal says in one sentence what stands against an undo for good, or nothing if
// it may be tried again.
func refusal(err error) string {
	for _, r := range []struct {
		err    error
		reason string
	}{
		{rewrite.ErrEdited, "The answer was edited in the note, so it stays; its text is in the history."},
		{rewrite.ErrBlockGone, "The answer is not in the note any more."},
		{rewrite.ErrEqual, "The same answer stands in the note more than once, and nothing tells which one is meant."},
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
