package engine

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/budget"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/recorder"
	"vaultdispatcher/engine/metrics"
	"vaultdispatcher/engine/notices"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/rules"
	"vaultdispatcher/engine/wording"
)

// This file keeps wiki.limits.perHour and perDay, and dollarsPerDay and tokensPerDay of wiki.limits and of roles: what starts now,
// and what waits for its hour.

// starts makes dispatches of groups (pipeline.go), and decides when one starts: now, or at the hour for which wiki.limits and the budgets of a day have room. It
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
	budgets    *budget.Ledger
	ahead      ahead // what is searched for before it is needed

	*roles.Ceiling  // counts starts
	*roles.Releaser // starts what has waited for its hour

	mu      sync.Mutex         // guards the field below
	orphans []journal.Dispatch // unfinished ones of vaults that are not open yet
}

// open makes what keeps the limits, with what was started and used before.
func (s *starts) open(ctx context.Context) error {
	begun, err := s.journal.Starts(ctx, time.Now().Add(-roles.LongestSpan))
	if err != nil {
		return err
	}
	begun = slices.DeleteFunc(begun, func(b journal.Start) bool { return !s.roles.Costs(b.Role) })
	s.Ceiling = roles.NewCeiling(s.config.Limits, begun)
	s.budgets = budget.New(s.config)
	used, err := s.journal.Spent(ctx, budget.BeginOfDay(time.Now()))
	if err != nil {
		return err
	}
	for _, u := range used {
		s.budgets.Add(s.roles.EntryOf(u.Role), s.roles.Costs(u.Role), budget.Use{Dollars: u.Dollars, Tokens: u.Tokens}, u.Time)
	}
	if err := s.rescheduleHeld(ctx); err != nil {
		return err
	}
	s.Releaser = roles.NewReleaser(roles.ReleaserOptions{
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
		was := d.Time
		d.Time, _, _ = s.takeRoom(d.ID, d.Role, now)
		if !d.Time.Equal(was) {
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
		return s.journal.Hold(ctx, d.ID, kind, why+startsItself, at)
	}); err == nil {
		s.LookAgain()
	}
	return true
}

// countCall counts a call of the agent of a dispatch.
func (s *starts) countCall(ctx context.Context, d journal.Dispatch) {
	now := time.Now()
	if !s.roles.Costs(d.Role) || !s.Ceiling.Call(d.ID, now) {
		return
	}
	if err := s.journal.RecordCall(ctx, d.ID, now); err != nil {
		s.log.Warn("record a call of an agent", "dispatch", d.ID, "error", err) // this engine counts it
	}
}

// ByHand starts a dispatch that a person wants, and no limit stops it. A repeated question starts at
// its times.
func (s *starts) ByHand(ctx context.Context, d journal.Dispatch, start func() error) error {
	if plan, again := planOf(d); again {
		return s.journal.ComeAgain(ctx, d.ID, rules.Again.Cause.Say(plan))
	}
	if d.Answered && d.Status != journal.Done || !s.roles.Costs(d.Role) && !s.hasBudget(d.Role) {
		return start()
	}
	s.Ceiling.Force(d.ID, time.Now())
	err := start()
	if err != nil {
		s.GiveBack(d.ID)
	}
	return err
}

// planOf is when the line of a dispatch comes again that waits for a person, if it does.
func planOf(d journal.Dispatch) (plan string, again bool) {
	if d.Asked != "" || d.Answered || d.Replaces() || d.Status != journal.Held && d.Status != journal.Cancelled {
		return "", false
	}
	return rules.PlanOf(d.Markers[0].Instruction)
}

// listTimed lists what waits for its hour in the vaults there are. In a vault that is left to another machine nothing starts.
func (s *starts) listTimed(ctx context.Context) ([]journal.Timed, error) {
	waiting, err := s.journal.HeldUntil(ctx)
	waiting = slices.DeleteFunc(waiting, func(d journal.Timed) bool { return s.vaults.At(d.Vault) == nil })
	now, left := time.Now(), make(map[string]bool)
	for _, v := range s.vaults.Opened() {
		left[v.Root] = len(waiting) > 0 && v.Condition.WhyIdle() != ""
	}
	for i, d := range waiting {
		if left[d.Vault] && !waiting[i].Time.After(now) {
			waiting[i].Time = now.Add(retryLater)
		}
	}
	slices.SortStableFunc(waiting, func(a, b journal.Timed) int { return a.Time.Compare(b.Time) })
	return waiting, err
}

// DelayFor says how long a dispatch may not be asked yet because its vault is left to
// another machine or does not respond, or the machine that answers it is away.
func (s *starts) DelayFor(d journal.Dispatch) time.Duration {
	if v := s.vaults.At(d.Vault); v != nil && (v.Condition.WhyIdle() != "" || v.Condition.Silence() != "") || s.roles.WhyAway(d.Role) != "" {
		return retryLater
	}
	return 0
}

// retryLater is how soon it is seen whether a vault that was left alone is ours again.
const retryLater = 5 * time.Second

// takeRoom returns when a dispatch may start: now, or later, and then the kind of wait and the reason.
// For a dispatch that waits for its hour, it keeps a start.
func (s *starts) takeRoom(id, role string, now time.Time) (at time.Time, kind journal.HoldKind, why string) {
	costs := s.roles.Costs(role)
	if why = s.budgets.Why(s.roles.EntryOf(role), costs, now); why != "" && !s.Ceiling.IsForced(id) {
		s.GiveBack(id)
		return budget.NextDay(now), journal.ForBudget, why
	}
	if !costs {
		return now, "", ""
	}
	at, why = s.Ceiling.Take(id, now)
	return at, journal.ForLimit, why
}

// hasBudget reports whether a budget counts what a role uses.
func (s *starts) hasBudget(role string) bool {
	_, found := s.budgets.Least(s.roles.EntryOf(role), s.roles.Costs(role), time.Now())
	return found
}

// CountUsage counts what a run of an agent has cost, for the metrics and the budgets, and returns what its record keeps.
func (s *starts) CountUsage(ctx context.Context, d journal.Dispatch, told agent.Usage, asked, answered int) agent.Usage {
	told, used := s.roles.Price(d.Role, told, asked, answered)
	if told != (agent.Usage{}) {
		s.metrics.CountUsage(d.Role, journal.Usage(told))
	}
	costs := s.roles.Costs(d.Role)
	if !costs && !s.hasBudget(d.Role) {
		return told
	}
	now := time.Now()
	s.budgets.Add(s.roles.EntryOf(d.Role), costs, used, now)
	_ = s.recorder.Record(ctx, "keep what was spent", d.ID, func(ctx context.Context) error {
		return s.journal.RecordSpent(ctx, d.ID, journal.Spent{Time: now, Dollars: used.Dollars, Tokens: used.Tokens})
	})
	return told
}

const (
	warnShare  = 0.8 // of a budget, from which on a notice says so
	largeShare = 0.1 // of a budget: a question that takes as much is large
)

// Notices say which budgets are nearly or wholly used up.
func (s *starts) Notices(now time.Time) (rows []api.Notice) {
	for _, line := range s.budgets.Lines(now) {
		if line.Share() >= warnShare {
			until := budget.NextDay(now)
			n := api.NewNotice(api.NoticeBudget, "used", line.String(), "percent", int(100*line.Share()))
			n.End, n.ID = &until, api.NewNotice(api.NoticeBudget, "role", line.Entry, "until", until, "full", line.Share() >= 1).ID // one for all amounts
			rows = append(rows, n)
		}
	}
	return rows
}

// Budgets returns the budgets with what is used of them.
func (s *starts) Budgets(now time.Time) []api.Budget {
	all := []api.Budget{}
	for _, line := range s.budgets.Lines(now) {
		all = append(all, line.Record(budget.NextDay(now)))
	}
	return all
}

// tellLarge says before a question is asked that it will take much of a budget; the caller calls end when it was asked.
func (s *starts) tellLarge(d journal.Dispatch, text string) (end func()) {
	line, found := s.budgets.Least(s.roles.EntryOf(d.Role), s.roles.Costs(d.Role), time.Now())
	line.Used = s.roles.Estimate(d.Role, len(text))
	if !found || line.Share() < largeShare {
		return func() {}
	}
	estimate := wording.Number(line.Used.Tokens) + " tokens"
	if line.Used.Dollars > 0 {
		estimate += " (" + wording.Dollars(line.Used.Dollars) + ")"
	}
	s.notices.AddNotice(api.NoticeLarge, "role", d.Role, "file", d.File, "estimate", estimate, "dispatch", d.ID)
	return func() {
		s.notices.End(func(n api.Notice) bool { return n.Code == api.NoticeLarge && n.Args["dispatch"] == d.ID })
	}
}
