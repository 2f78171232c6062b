package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/roles"
)

// This file is what the rooms ask the engine for: the limit of starts an hour, and what
// the writer has to know of a vault.

// openLimits makes what keeps wiki.limits.perHour, with what was started before.
func (e *Engine) openLimits(ctx context.Context) error {
	starts, err := e.journal.Starts(ctx, time.Now().Add(-time.Hour))
	if err != nil {
		return err
	}
	e.hourly = roles.NewHourly(e.config.Limits.PerHour, starts)
	e.releaser = roles.NewReleaser(roles.ReleaserOptions{
		List: e.heldUntil,
		Release: func(ctx context.Context, d journal.Timed) error {
			err := e.dispatcher.Release(ctx, d.ID, "its hour has come")
			if errors.Is(err, journal.ErrState) {
				return nil // another release was faster
			}
			return err
		},
		Failed: func(err error) { e.log.Warn("release what was held until now", "error", err) },
	})
	return nil
}

// takeStart holds a dispatch that may start until wiki.limits.perHour has room for it.
// It returns the start that was taken for it.
func (e *Engine) takeStart(d *journal.Dispatch, now time.Time) time.Time {
	if d.Status != journal.Queued {
		return time.Time{}
	}
	now = now.Truncate(time.Millisecond) // as the journal keeps it
	at := e.hourly.Take(now)
	if at.After(now) {
		d.Status, d.NextAttempt = journal.Held, at
		d.Error = fmt.Sprintf("more than wiki.limits.perHour (%d) in an hour; it starts by itself", e.hourly.Most())
	}
	return at
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
