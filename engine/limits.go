package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/roles"
)

// This file keeps wiki.limits.perHour and perDay: what starts now, and what waits for its hour.

// openLimits makes what keeps wiki.limits.perHour and perDay, with what was started before.
func (e *Engine) openLimits(ctx context.Context) error {
	starts, err := e.journal.Starts(ctx, time.Now().Add(-roles.LongestSpan))
	if err != nil {
		return err
	}
	var paid []time.Time
	for _, s := range starts {
		if e.roles.Costs(s.Role) {
			paid = append(paid, s.At)
		}
	}
	e.ceiling = roles.NewCeiling(e.config.Limits, paid)
	if err := e.rescheduleHeld(ctx); err != nil {
		return err
	}
	e.releaser = roles.NewReleaser(roles.ReleaserOptions{
		List: e.listTimed,
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

// rescheduleHeld gives what earlier engines held until a time the hour that the limits of
// now allow, which may be this one.
func (e *Engine) rescheduleHeld(ctx context.Context) error {
	waiting, err := e.journal.HeldUntil(ctx)
	if err != nil {
		return err
	}
	now := time.Now().Truncate(time.Millisecond)
	var moved []journal.Timed
	for _, d := range waiting {
		was := d.At
		if d.At = now; e.roles.Costs(d.Role) {
			d.At, _ = e.ceiling.Take(now)
		}
		if !d.At.Equal(was) {
			moved = append(moved, d)
		}
	}
	if len(moved) == 0 {
		return nil
	}
	return e.journal.Reschedule(ctx, moved)
}

// takeStart holds a dispatch that costs until the limits have room for it. It returns the
// start that was taken for it, or the zero time.
func (e *Engine) takeStart(d *journal.Dispatch, now time.Time) time.Time {
	if d.Status != journal.Queued || !e.roles.Costs(d.Role) {
		return time.Time{}
	}
	at, why := e.ceiling.Take(now.Truncate(time.Millisecond)) // as the journal keeps it
	if why != "" {
		d.Status, d.Hold, d.NextAttempt = journal.Held, journal.ForLimit, at
		d.Error = why + "; it starts by itself"
	}
	return at
}

// countStart counts a dispatch that a person starts, which no limit stops; until is when
// it would have started by itself.
func (e *Engine) countStart(role string, until time.Time) {
	if !e.roles.Costs(role) {
		return
	}
	e.ceiling.Count(time.Now())
	if !until.IsZero() {
		e.ceiling.GiveBack(until)
	}
}

// listTimed lists what waits for its hour in the vaults there are. In a vault that is left to another machine nothing starts.
func (e *Engine) listTimed(ctx context.Context) ([]journal.Timed, error) {
	waiting, err := e.journal.HeldUntil(ctx)
	waiting = slices.DeleteFunc(waiting, func(d journal.Timed) bool { return e.vaultAt(d.Vault) == nil })
	now, left := time.Now(), make(map[string]bool)
	for _, v := range e.openVaults() {
		left[v.Root] = len(waiting) > 0 && v.WhyIdle() != ""
	}
	for i, d := range waiting {
		if left[d.Vault] && !waiting[i].At.After(now) {
			waiting[i].At = now.Add(retryLater)
		}
	}
	slices.SortStableFunc(waiting, func(a, b journal.Timed) int { return a.At.Compare(b.At) })
	return waiting, err
}

// DelayFor says how long a dispatch may not be asked yet because its vault is left to
// another machine or does not respond, or the machine that answers it is away.
func (e *Engine) DelayFor(d journal.Dispatch) time.Duration {
	if v := e.vaultAt(d.Vault); v != nil && (v.WhyIdle() != "" || v.Silence() != "") || e.roles.WhyAway(d.Role) != "" {
		return retryLater
	}
	return 0
}

// retryLater is how soon it is seen whether a vault that was left alone is ours again.
const retryLater = 5 * time.Second
