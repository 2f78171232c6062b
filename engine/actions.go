package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/behind"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/writer"
)

// This file is what a person may decide about a dispatch.

// Retry implements [api.Backend].
func (e *Engine) Retry(ctx context.Context, id string) (api.Dispatch, error) {
	d, err := e.getRetriable(ctx, id)
	if err != nil {
		return api.Dispatch{}, err
	}
	err = e.startByHand(d, func() error { return e.dispatcher.Retry(ctx, id) })
	return e.recordAfter(ctx, id, err)
}

// AskAgain implements [api.Backend]. Answers that stand in the note are replaced when the new ones
// are there.
func (e *Engine) AskAgain(ctx context.Context, id string) (api.Dispatch, error) {
	d, err := e.getRetriable(ctx, id)
	if err != nil {
		return api.Dispatch{}, err
	}
	if _, _, err := e.roles.Find(d.Role); err != nil {
		return api.Dispatch{}, &api.Conflict{Reason: "It is not asked: " + err.Error() + "."}
	}
	if d.Status == journal.Done && d.Asked == journal.AskedTold {
		// It stands in no note.
	} else if d.Status == journal.Done && d.Asked != "" {
		return api.Dispatch{}, &api.Conflict{Reason: "Its answer was appended to the note; ask once more to have another below it."}
	} else if d.Status == journal.Done {
		v := e.vaults.At(d.Vault)
		src, err := vault.OnDisk(ctx, v, func(disk vault.Disk) ([]byte, error) { return disk.Read(d.File) })
		if errors.Is(err, fs.ErrNotExist) {
			err = &api.Conflict{Reason: "The note is not at its place any more."}
		}
		if err != nil {
			return api.Dispatch{}, toWireError(err)
		}
		if reason := writer.WhyNotReplaced(src, d); reason != "" {
			return api.Dispatch{}, &api.Conflict{Reason: reason}
		}
	}
	err = e.startByHand(d, func() error { return e.dispatcher.AskAgain(ctx, id) })
	return e.recordAfter(ctx, id, err)
}

// getRetriable returns a dispatch that may be tried again, which is no way around its release.
func (e *Engine) getRetriable(ctx context.Context, id string) (journal.Dispatch, error) {
	d, err := e.getStartable(ctx, id)
	if err == nil && d.Hold == journal.ForUntrusted {
		err = &api.Conflict{Reason: unread}
	}
	return d, err
}

// Release implements [api.Backend].
func (e *Engine) Release(ctx context.Context, id string) (api.Dispatch, error) {
	d, err := e.getStartable(ctx, id)
	if err != nil {
		return api.Dispatch{}, err
	}
	if _, _, err := e.roles.Find(d.Role); err != nil && d.Status == journal.Held {
		return api.Dispatch{}, &api.Conflict{Reason: "It still waits for you: " + err.Error() + "."}
	}
	err = e.startByHand(d, func() error { return e.dispatcher.Release(ctx, id, "by hand") })
	return e.recordAfter(ctx, id, err)
}

// getStartable returns a dispatch that may be started at a person's wish.
func (e *Engine) getStartable(ctx context.Context, id string) (journal.Dispatch, error) {
	d, err := e.journal.Get(ctx, id)
	if err != nil {
		return d, toWireError(err)
	}
	v := e.vaults.At(d.Vault)
	if v == nil {
		return d, &api.Conflict{Reason: e.vaults.WhyNone(d.Vault)}
	}
	if why := v.WhyIdle(); why != "" {
		return d, &api.Conflict{Reason: wording.Sentence(why)}
	}
	if reason := e.roles.Rules.WhyNotAsked(d.Role, d.File); reason != "" {
		return d, &api.Conflict{Reason: "It is not asked: " + reason + "."}
	}
	return d, nil
}

// Cancel implements [api.Backend]. The marker stays, and waits for a retry or for
// its line to change; so does an answer that waits for a busy note. A parked dispatch
// has no marker any more: it leaves the list of answers that wait.
func (e *Engine) Cancel(ctx context.Context, id string) (api.Dispatch, error) {
	d, err := e.journal.Get(ctx, id)
	if err == nil && d.Status == journal.Parked {
		return e.recordAfter(ctx, id, e.journal.Dismiss(ctx, id, "the answer was taken or is not wanted"))
	}
	withhold := func() error { return e.dispatcher.Withhold(ctx, id, "cancelled by hand") }
	refused := withhold()
	if !errors.Is(refused, journal.ErrState) || !d.Answered {
		return e.recordAfter(ctx, id, refused)
	}
	if err := e.writer.CancelWaiting(ctx, id, withhold); err == nil || !errors.Is(err, journal.ErrState) {
		refused = err
	}
	return e.recordAfter(ctx, id, refused)
}

// Answers implements [api.Backend].
func (e *Engine) Answers(ctx context.Context) ([]api.Detail, error) {
	list, err := e.journal.List(ctx, journal.Filter{Status: journal.Parked, Limit: api.MostAnswers})
	if err != nil {
		return nil, fmt.Errorf("list parked answers: %w", err)
	}
	details := make([]api.Detail, 0, len(list))
	for _, d := range list {
		whole, err := e.journal.Get(ctx, d.ID)
		if err != nil {
			return nil, fmt.Errorf("read a parked answer: %w", err)
		}
		details = append(details, e.toDetail(whole, nil))
	}
	return details, nil
}

// Undo implements [api.Backend]: the markers are in the note again, and nothing
// starts them but a retry or a change of their line.
func (e *Engine) Undo(ctx context.Context, id string) (api.Dispatch, error) {
	d, err := e.journal.Get(ctx, id)
	if err != nil {
		return api.Dispatch{}, toWireError(err)
	}
	if reason := e.whyNotUndoable(d); reason != "" {
		return api.Dispatch{}, &api.Conflict{Reason: reason}
	}
	v := e.vaults.At(d.Vault)
	if d, err = v.BeginUndo(ctx, d); err != nil {
		return api.Dispatch{}, toWireError(err)
	}
	var taken atomic.Bool // by whoever makes the undo: this call, or the writer where it was not let to the disk
	_, err = vault.OnDiskElse(ctx, v, func(disk vault.Disk) (struct{}, error) {
		if !taken.CompareAndSwap(false, true) {
			return struct{}{}, nil
		}
		return struct{}{}, e.undoBegun(context.WithoutCancel(ctx), disk, d)
	}, func(_ struct{}, err error) { e.tellUndoLate(d, err) })
	if err != nil && taken.CompareAndSwap(false, true) {
		e.writer.Submit(d)
	}
	if silent, ok := errors.AsType[*behind.Silent](err); ok {
		err = &api.Conflict{Reason: "The vault " + silent.Vault + " is " + silent.Since + ". The undo has begun and goes on when it responds; a notice says if it fails."}
	}
	if refused, ok := errors.AsType[*writer.Refused](err); ok {
		err = &api.Conflict{Reason: refused.Reason}
	}
	return e.recordAfter(ctx, id, err)
}

// undoBegun makes an undo that the journal knows of. It waits for the disk.
func (e *Engine) undoBegun(ctx context.Context, disk vault.Disk, d journal.Dispatch) error {
	err := e.writer.Undo(ctx, d)
	if err == nil {
		e.notices.End(func(n api.Notice) bool { return n.Code == api.NoticeUndo && n.Args["dispatch"] == d.ID })
	}
	// A marker that came meanwhile may have been taken for ours.
	disk.LookQuietly(ctx, vault.Save{Rel: d.File, Seen: time.Now(), Trigger: "reconcile"})
	return err
}

func (e *Engine) UndoFailed(d journal.Dispatch, reason string) {
	e.AddNotice(api.NoticeUndo, "dispatch", d.ID, "file", d.File, "reason", reason)
}

// tellUndoLate tells what came of an undo whose caller has gone.
func (e *Engine) tellUndoLate(d journal.Dispatch, err error) {
	if refused, ok := errors.AsType[*writer.Refused](err); ok {
		e.UndoFailed(d, refused.Reason)
	} else if err != nil {
		e.log.Warn("undo an answer", "dispatch", d.ID, "error", err)
	}
}
