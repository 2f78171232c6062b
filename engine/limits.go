package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/roles"
)

// This file keeps wiki.limits.perHour and perDay, and with budgets.go those of a day: what starts now, and what waits for its hour.

// openLimits makes what keeps wiki.limits.perHour and perDay, with what was started before.
func (e *Engine) openLimits(ctx context.Context) error {
	starts, err := e.journal.Starts(ctx, time.Now().Add(-roles.LongestSpan))
	if err != nil {
		return err
	}
	starts = slices.DeleteFunc(starts, func(s journal.Start) bool { return !e.roles.Costs(s.Role) })
	e.ceiling = roles.NewCeiling(e.config.Limits, starts)
	if err := e.openBudgets(ctx); err != nil {
		return err
	}
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
		d.At, _, _ = e.takeRoom(d.ID, d.Role, now)
		if !d.At.Equal(was) {
			moved = append(moved, d)
		}
	}
	if len(moved) == 0 {
		return nil
	}
	return e.journal.Reschedule(ctx, moved)
}

// takeStart holds a new dispatch that costs until the limits have room for it, and keeps a start for it.
func (e *Engine) takeStart(d *journal.Dispatch, now time.Time) {
	if d.Status != journal.Queued {
		return
	}
	if at, kind, why := e.takeRoom(d.ID, d.Role, now.Truncate(time.Millisecond)); why != "" { // as the journal keeps it
		d.Status, d.Hold, d.NextAttempt = journal.Held, kind, at
		d.Error = why + startsItself
	}
}

const startsItself = "; it starts by itself"

// HoldsBack holds a dispatch whose agent is about to be asked, and says so, where others have called theirs so often
// meanwhile that the limits have no room for it. A try after a failure is a start as well.
func (e *Engine) HoldsBack(ctx context.Context, d journal.Dispatch) bool {
	at, kind, why := e.takeRoom(d.ID, d.Role, time.Now().Truncate(time.Millisecond))
	if why == "" {
		return false
	}
	if d.Error != "" {
		why = d.Error + "; " + why
	}
	if err := e.recorder.Record(ctx, "hold for a limit", d.ID, func(ctx context.Context) error {
		return e.journal.HoldUntil(ctx, d.ID, kind, why+startsItself, at)
	}); err == nil {
		e.releaser.LookAgain()
	}
	return true
}

// countCall counts a call of the agent of a dispatch.
func (e *Engine) countCall(ctx context.Context, d journal.Dispatch) {
	now := time.Now()
	if !e.roles.Costs(d.Role) || !e.ceiling.Call(d.ID, now) {
		return
	}
	if err := e.journal.RecordCall(ctx, d.ID, now); err != nil {
		e.log.Warn("record a call of an agent", "dispatch", d.ID, "error", err) // this engine counts it
	}
}

// startByHand starts a dispatch that a person wants, which no limit stops.
func (e *Engine) startByHand(d journal.Dispatch, start func() error) error {
	if d.Answered && d.Status != journal.Done || !e.roles.Costs(d.Role) && !e.hasBudget(d.Role) {
		return start()
	}
	e.ceiling.Force(d.ID, time.Now())
	err := start()
	if err != nil {
		e.ceiling.GiveBack(d.ID)
	}
	return err
}

// listTimed lists what waits for its hour in the vaults there are. In a vault that is left to another machine nothing starts.
func (e *Engine) listTimed(ctx context.Context) ([]journal.Timed, error) {
	waiting, err := e.journal.HeldUntil(ctx)
	waiting = slices.DeleteFunc(waiting, func(d journal.Timed) bool { return e.vaults.At(d.Vault) == nil })
	now, left := time.Now(), make(map[string]bool)
	for _, v := range e.vaults.Opened() {
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
	if v := e.vaults.At(d.Vault); v != nil && (v.WhyIdle() != "" || v.Silence() != "") || e.roles.WhyAway(d.Role) != "" {
		return retryLater
	}
	return 0
}

// retryLater is how soon it is seen whether a vault that was left alone is ours again.
const retryLater = 5 * time.Second
