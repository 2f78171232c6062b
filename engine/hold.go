package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/roles"
)

// This file is what a person may decide about a dispatch.

// Retry implements [api.Backend].
func (e *Engine) Retry(ctx context.Context, id string) (api.Dispatch, error) {
	if _, err := e.startable(ctx, id); err != nil {
		return api.Dispatch{}, err
	}
	return e.act(ctx, id, e.dispatcher.Retry(ctx, id))
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
	d, err := e.startable(ctx, id)
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
	return e.act(ctx, id, err)
}

// startable returns a dispatch that may be started at a person's wish.
func (e *Engine) startable(ctx context.Context, id string) (journal.Dispatch, error) {
	d, err := e.journal.Get(ctx, id)
	if err != nil {
		return d, wire(err)
	}
	v := e.vaultAt(d.Vault)
	if v == nil {
		return d, &api.Conflict{Reason: e.noVault(d)}
	}
	if why := v.foreign(); why != "" {
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
		return e.act(ctx, id, e.journal.Dismiss(ctx, id, "the answer was taken or is not wanted"))
	}
	return e.act(ctx, id, e.dispatcher.Withhold(ctx, id, "cancelled by hand"))
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
		details = append(details, e.detail(whole, nil))
	}
	return details, nil
}

// limit makes what keeps wiki.limits.perHour, with what was started before.
func (e *Engine) limit(ctx context.Context) error {
	starts, err := e.journal.Starts(ctx, time.Now().Add(-time.Hour))
	if err != nil {
		return err
	}
	e.hourly = roles.NewHourly(e.config.Limits.PerHour, starts)
	e.timed = &timed{
		woken: make(chan struct{}, 1), list: e.heldUntil,
		release: func(ctx context.Context, d journal.Timed) error {
			err := e.dispatcher.Release(ctx, d.ID, "its hour has come")
			if errors.Is(err, journal.ErrState) {
				return nil // somebody was faster
			}
			return err
		},
		failed: func(err error) { e.log.Warn("release what was held until now", "error", err) },
	}
	return nil
}

// heldUntil lists what waits for its hour in the vaults there are; without a limit
// the hour has come. In a vault that is left to another machine nothing starts.
func (e *Engine) heldUntil(ctx context.Context) ([]journal.Timed, error) {
	waiting, err := e.journal.HeldUntil(ctx)
	waiting = slices.DeleteFunc(waiting, func(d journal.Timed) bool { return e.vaultAt(d.Vault) == nil })
	now, left := time.Now(), make(map[string]bool)
	for _, v := range e.open() {
		left[v.root] = len(waiting) > 0 && v.foreign() != ""
	}
	for i, d := range waiting {
		if e.hourly.Most() == 0 {
			waiting[i].At = now
		}
		if left[d.Vault] && !waiting[i].At.After(now) {
			waiting[i].At = now.Add(again)
		}
	}
	slices.SortStableFunc(waiting, func(a, b journal.Timed) int { return a.At.Compare(b.At) })
	return waiting, err
}
