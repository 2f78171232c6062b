package engine

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"vaultdispatcher/engine/budget"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/recorder"
	"vaultdispatcher/engine/metrics"
	"vaultdispatcher/engine/notices"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/vault"
)

// This file keeps wiki.limits.perHour and perDay, and with budgets.go those of a day: what starts now, and what waits for its hour.

// starts decides when a dispatch starts: now, or at the hour for which wiki.limits and the budgets of a day have room. It
// counts what agents use.
type starts struct {
	config     config.Config
	log        *slog.Logger
	vaults     *vault.Set
	journal    *journal.Journal
	recorder   *recorder.Recorder
	roles      *roles.Roles
	dispatcher *dispatch.Dispatcher
	metrics    *metrics.Metrics
	notices    *notices.Board
	ceiling    *roles.Ceiling
	budgets    *budget.Ledger
	releaser   *roles.Releaser
}

// GiveBack gives back the start that is kept for a dispatch.
func (s *starts) GiveBack(id string) { s.ceiling.GiveBack(id) }

// LookAgain says that another dispatch waits for its hour.
func (s *starts) LookAgain() { s.releaser.LookAgain() }

// open makes what keeps wiki.limits.perHour and perDay, with what was started before.
func (s *starts) open(ctx context.Context) error {
	begun, err := s.journal.Starts(ctx, time.Now().Add(-roles.LongestSpan))
	if err != nil {
		return err
	}
	begun = slices.DeleteFunc(begun, func(b journal.Start) bool { return !s.roles.Costs(b.Role) })
	s.ceiling = roles.NewCeiling(s.config.Limits, begun)
	if err := s.openBudgets(ctx); err != nil {
		return err
	}
	if err := s.rescheduleHeld(ctx); err != nil {
		return err
	}
	s.releaser = roles.NewReleaser(roles.ReleaserOptions{
		List: s.listTimed,
		Release: func(ctx context.Context, d journal.Timed) error {
			err := s.dispatcher.Release(ctx, d.ID, "its hour has come")
			if errors.Is(err, journal.ErrState) {
				return nil // another release was faster
			}
			return err
		},
		Failed: func(err error) { s.log.Warn("release what was held until now", "error", err) },
	})
	return nil
}

// rescheduleHeld gives what earlier engines held until a time the hour that the limits of
// now allow, which may be this one.
func (s *starts) rescheduleHeld(ctx context.Context) error {
	waiting, err := s.journal.HeldUntil(ctx)
	if err != nil {
		return err
	}
	now := time.Now().Truncate(time.Millisecond)
	var moved []journal.Timed
	for _, d := range waiting {
		was := d.At
		d.At, _, _ = s.takeRoom(d.ID, d.Role, now)
		if !d.At.Equal(was) {
			moved = append(moved, d)
		}
	}
	if len(moved) == 0 {
		return nil
	}
	return s.journal.Reschedule(ctx, moved)
}

// Take holds a new dispatch that costs until the limits have room for it, and keeps a start for it.
func (s *starts) Take(d *journal.Dispatch, now time.Time) {
	if d.Status != journal.Queued {
		return
	}
	if at, kind, why := s.takeRoom(d.ID, d.Role, now.Truncate(time.Millisecond)); why != "" { // as the journal keeps it
		d.Status, d.Hold, d.NextAttempt = journal.Held, kind, at
		d.Error = why + startsItself
	}
}

const startsItself = "; it starts by itself"

// HoldsBack holds a dispatch whose agent is about to be asked, and says so, where others have called theirs so often
// meanwhile that the limits have no room for it. A try after a failure is a start as well.
func (s *starts) HoldsBack(ctx context.Context, d journal.Dispatch) bool {
	at, kind, why := s.takeRoom(d.ID, d.Role, time.Now().Truncate(time.Millisecond))
	if why == "" {
		return false
	}
	if d.Error != "" {
		why = d.Error + "; " + why
	}
	if err := s.recorder.Record(ctx, "hold for a limit", d.ID, func(ctx context.Context) error {
		return s.journal.HoldUntil(ctx, d.ID, kind, why+startsItself, at)
	}); err == nil {
		s.releaser.LookAgain()
	}
	return true
}

// countCall counts a call of the agent of a dispatch.
func (s *starts) countCall(ctx context.Context, d journal.Dispatch) {
	now := time.Now()
	if !s.roles.Costs(d.Role) || !s.ceiling.Call(d.ID, now) {
		return
	}
	if err := s.journal.RecordCall(ctx, d.ID, now); err != nil {
		s.log.Warn("record a call of an agent", "dispatch", d.ID, "error", err) // this engine counts it
	}
}

// ByHand starts a dispatch that a person wants, which no limit stops.
func (s *starts) ByHand(d journal.Dispatch, start func() error) error {
	if d.Answered && d.Status != journal.Done || !s.roles.Costs(d.Role) && !s.hasBudget(d.Role) {
		return start()
	}
	s.ceiling.Force(d.ID, time.Now())
	err := start()
	if err != nil {
		s.ceiling.GiveBack(d.ID)
	}
	return err
}

// listTimed lists what waits for its hour in the vaults there are. In a vault that is left to another machine nothing starts.
func (s *starts) listTimed(ctx context.Context) ([]journal.Timed, error) {
	waiting, err := s.journal.HeldUntil(ctx)
	waiting = slices.DeleteFunc(waiting, func(d journal.Timed) bool { return s.vaults.At(d.Vault) == nil })
	now, left := time.Now(), make(map[string]bool)
	for _, v := range s.vaults.Opened() {
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
func (s *starts) DelayFor(d journal.Dispatch) time.Duration {
	if v := s.vaults.At(d.Vault); v != nil && (v.WhyIdle() != "" || v.Silence() != "") || s.roles.WhyAway(d.Role) != "" {
		return retryLater
	}
	return 0
}

// retryLater is how soon it is seen whether a vault that was left alone is ours again.
const retryLater = 5 * time.Second
