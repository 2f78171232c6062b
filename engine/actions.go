package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/writer"
)

// This file is what a person may decide about a dispatch.

// Retry implements [api.Backend].
func (e *Engine) Retry(ctx context.Context, id string) (api.Dispatch, error) {
	if _, err := e.getStartable(ctx, id); err != nil {
		return api.Dispatch{}, err
	}
	return e.recordAfter(ctx, id, e.dispatcher.Retry(ctx, id))
}

// notRetriable says in one sentence why a dispatch that has failed or was cancelled
// cannot be retried, as far as that can be seen without its note, or nothing.
func (e *Engine) notRetriable(d journal.Dispatch) string {
	switch {
	case d.Status != journal.Failed && d.Status != journal.Cancelled:
	case d.Status == journal.Cancelled && !d.Withheld:
		return "Its marker was changed or taken away; one that stands in the note is asked by itself."
	case e.vaultAt(d.Vault) == nil:
		return e.noVault(d)
	}
	return ""
}

// Release implements [api.Backend].
func (e *Engine) Release(ctx context.Context, id string) (api.Dispatch, error) {
	d, err := e.getStartable(ctx, id)
	if err != nil {
		return api.Dispatch{}, err
	}
	if _, _, err := e.roles.Find(d.Role); err != nil && d.Status == journal.Held {
		return api.Dispatch{}, &api.Conflict{Reason: "It stays held: " + err.Error() + "."}
	}
	err = e.dispatcher.Release(ctx, id, "by hand")
	if err == nil {
		e.hourly.Count(time.Now())
		if !d.NextAttempt.IsZero() {
			e.hourly.GiveBack(d.NextAttempt)
		}
	}
	return e.recordAfter(ctx, id, err)
}

// getStartable returns a dispatch that may be started at a person's wish.
func (e *Engine) getStartable(ctx context.Context, id string) (journal.Dispatch, error) {
	d, err := e.journal.Get(ctx, id)
	if err != nil {
		return d, toWire(err)
	}
	v := e.vaultAt(d.Vault)
	if v == nil {
		return d, &api.Conflict{Reason: e.noVault(d)}
	}
	if why := v.WhyForeign(); why != "" {
		return d, &api.Conflict{Reason: "Another machine answers its vault: " + why + "."}
	}
	return d, nil
}

// Cancel implements [api.Backend]. The marker stays, and waits for a retry or for
// its line to change. A parked dispatch has no marker any more: it leaves the list
// of answers that wait.
func (e *Engine) Cancel(ctx context.Context, id string) (api.Dispatch, error) {
	d, err := e.journal.Get(ctx, id)
	if err == nil && d.Status == journal.Parked {
		return e.recordAfter(ctx, id, e.journal.Dismiss(ctx, id, "the answer was taken or is not wanted"))
	}
	return e.recordAfter(ctx, id, e.dispatcher.Withhold(ctx, id, "cancelled by hand"))
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
		return api.Dispatch{}, toWire(err)
	}
	if reason := e.notUndoable(d); reason != "" {
		return api.Dispatch{}, &api.Conflict{Reason: reason}
	}
	v := e.vaultAt(d.Vault)
	if d, err = v.BeginUndo(ctx, d); err != nil {
		return api.Dispatch{}, toWire(err)
	}
	err = e.writer.Undo(ctx, d)
	if err == nil {
		e.notices.End(func(n api.Notice) bool { return n.Code == api.NoticeUndo && n.Args["dispatch"] == d.ID })
	}
	if refused, ok := errors.AsType[*writer.Refused](err); ok {
		err = &api.Conflict{Reason: refused.Reason}
	}
	// A marker that came meanwhile may have been taken for ours.
	ctx = context.WithoutCancel(ctx)
	v.LookQuietly(ctx, vault.Save{Rel: d.File, Seen: time.Now(), Trigger: "reconcile"})
	return e.recordAfter(ctx, id, err)
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
