package engine

import (
	"context"
	"fmt"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/budget"
	"vaultdispatcher/engine/journal"
)

// This file keeps dollarsPerDay and tokensPerDay, of wiki.limits and of roles.

// openBudgets makes what keeps the budgets, with what was used today before.
func (s *starts) openBudgets(ctx context.Context) error {
	s.budgets = budget.New(s.config)
	used, err := s.journal.Spent(ctx, budget.BeginOfDay(time.Now()))
	for _, u := range used {
		s.budgets.Add(s.roles.EntryOf(u.Role), s.roles.Costs(u.Role), budget.Use{Dollars: u.Dollars, Tokens: u.Tokens}, u.At)
	}
	return err
}

// takeRoom returns when a dispatch may start: now, or later, and then what it waits for and why. Where it waits for its hour,
// a start is kept for it.
func (s *starts) takeRoom(id, role string, now time.Time) (at time.Time, kind journal.HoldKind, why string) {
	costs := s.roles.Costs(role)
	if why = s.budgets.Why(s.roles.EntryOf(role), costs, now); why != "" && !s.ceiling.IsForced(id) {
		s.ceiling.GiveBack(id)
		return budget.NextDay(now), journal.ForBudget, why
	}
	if !costs {
		return now, "", ""
	}
	at, why = s.ceiling.Take(id, now)
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
		return s.journal.RecordSpent(ctx, d.ID, journal.Spent{At: now, Dollars: used.Dollars, Tokens: used.Tokens})
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
			n.Until, n.ID = &until, api.NewNotice(api.NoticeBudget, "role", line.Entry, "until", until, "full", line.Share() >= 1).ID // one for all amounts
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
	estimate := fmt.Sprintf("%d tokens", line.Used.Tokens)
	if line.Used.Dollars > 0 {
		estimate += fmt.Sprintf(" ($%.2f)", line.Used.Dollars)
	}
	s.notices.Add(api.NoticeLarge, "role", d.Role, "file", d.File, "estimate", estimate, "dispatch", d.ID)
	return func() {
		s.notices.End(func(n api.Notice) bool { return n.Code == api.NoticeLarge && n.Args["dispatch"] == d.ID })
	}
}
