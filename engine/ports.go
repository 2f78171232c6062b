package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/vault"
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
	for _, v := range e.openVaults() {
		left[v.Root] = len(waiting) > 0 && v.WhyForeign() != ""
	}
	for i, d := range waiting {
		if e.hourly.Most() == 0 {
			waiting[i].At = now
		}
		if left[d.Vault] && !waiting[i].At.After(now) {
			waiting[i].At = now.Add(retryLater)
		}
	}
	slices.SortStableFunc(waiting, func(a, b journal.Timed) int { return a.At.Compare(b.At) })
	return waiting, err
}

// isAway reports whether the disk of a vault is away.
func (e *Engine) isAway(root string) bool {
	v := e.vaultAt(root)
	return v != nil && v.IsAway()
}

// markUnreachable has a vault announced anew when its folder is back.
func (e *Engine) markUnreachable(root string) {
	if v := e.vaultAt(root); v != nil {
		v.MarkUnreachable()
	}
}

// readForProgress returns a note with its progress comments and when it was changed; an
// error says that nothing is to be told in it.
func (e *Engine) readForProgress(root, rel string) ([]byte, time.Time, error) {
	v := e.vaultAt(root)
	if v == nil || !v.IsNote(rel) || v.IsAway() {
		return nil, time.Time{}, fmt.Errorf("%s is no note that can be told in", rel)
	}
	src, err := v.ReadRaw(rel)
	if err != nil {
		return nil, time.Time{}, err
	}
	info, err := v.Stat(rel)
	if err != nil {
		return nil, time.Time{}, err
	}
	return src, info.ModTime(), nil
}

// vaultPort is what the vaults may ask of this engine.
func (e *Engine) vaultPort(oldMarkers func(vault string, markers int)) vault.Port {
	return vault.Port{
		Start:     e.startGroups,
		HasRunner: func(role string) bool { _, _, err := e.roles.Find(role); return err == nil },
		Submit:    e.dispatcher.Submit,
		Cancel:    e.dispatcher.Cancel,
		Moved: func(id, rel string) {
			e.dispatcher.Moved(id, rel)
			e.writer.Moved(id, rel)
		},
		Hurry: e.writer.Hurry, Reapply: e.writer.Reapply, ShowProgress: e.writer.Touch, AwaitRecovery: e.writer.AwaitRecovery,
		Opened: e.takeUp, OldMarkers: oldMarkers, Tell: e.tell, Changed: e.tellChanged,
	}
}

// retryLater is how soon it is seen whether a vault that was left alone is ours again.
const retryLater = 5 * time.Second

// delayFor says how long a dispatch may not be asked yet because its vault is left to
// another machine, or does not respond.
func (e *Engine) delayFor(d journal.Dispatch) time.Duration {
	if v := e.vaultAt(d.Vault); v != nil && (v.WhyForeign() != "" || v.Silence() != "") {
		return retryLater
	}
	return 0
}
