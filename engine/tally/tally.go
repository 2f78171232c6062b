// Package tally counts what was asked and answered in the last days, for a person who wants to see it at a glance.
//
//	room := tally.New(journal.Endings)
//	report, err := room.Report(ctx, time.Now())
//
// A report holds numbers and the names of roles, and no word of a note. It is made from one read of the journal, and kept for
// a few seconds: pages that are open ask for it with every event. A Room is safe for concurrent use.
package tally

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/budget"
	"vaultdispatcher/engine/journal"
)

// keepFor is how long a report is shown again.
const keepFor = 5 * time.Second

// Room makes reports.
type Room struct {
	read func(ctx context.Context, since time.Time) ([]journal.Ending, error)

	mu     sync.Mutex // guards the fields below, and lets one read at a time
	report api.UsageReport
	time   time.Time
}

// New returns a room that reads what has ended.
func New(read func(ctx context.Context, since time.Time) ([]journal.Ending, error)) *Room {
	return &Room{read: read}
}

// Report counts the last [api.UsageDays] days in the zone of now, today the last. Callers must not change its result.
func (r *Room) Report(ctx context.Context, now time.Time) (api.UsageReport, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if age := now.Sub(r.time); age >= 0 && age < keepFor {
		return r.report, nil
	}
	days := listDays(now)
	ended, err := r.read(ctx, days[0])
	if err != nil {
		return api.UsageReport{}, err
	}
	r.report, r.time = count(days, ended), now
	return r.report, nil
}

// listDays returns when each day began, in order.
func listDays(now time.Time) []time.Time {
	days := make([]time.Time, api.UsageDays)
	year, month, day := now.Date()
	for i := range days {
		days[i] = budget.BeginOfDay(time.Date(year, month, day-len(days)+1+i, 12, 0, 0, 0, now.Location()))
	}
	return days
}

// waits are how long answers took, in seconds.
type waits []float64

// count makes a report of what has ended in these days.
func count(days []time.Time, ended []journal.Ending) api.UsageReport {
	report := api.UsageReport{Days: days, Wait50: make([]float64, len(days)), Wait95: make([]float64, len(days))}
	roles, byRole, byDay := make(map[string]*api.RoleUsage), make(map[string]waits), make([]waits, len(days))
	for _, e := range ended {
		day, found := slices.BinarySearchFunc(days, e.Finished, time.Time.Compare)
		if !found {
			day--
		}
		if day < 0 {
			continue
		}
		role := roles[e.Role]
		if role == nil {
			role = &api.RoleUsage{Role: e.Role, Answers: make([]float64, len(days)), Tokens: make([]float64, len(days)), Dollars: make([]float64, len(days))}
			roles[e.Role] = role
		}
		if countOne(role, day, e); e.Status == journal.Done && !e.Waited {
			wait := max(0, e.Finished.Sub(e.Created).Seconds())
			byRole[e.Role], byDay[day] = append(byRole[e.Role], wait), append(byDay[day], wait)
		}
	}
	for i, w := range byDay {
		report.Wait50[i], report.Wait95[i] = w.quantile(50), w.quantile(95)
	}
	for name, role := range roles {
		role.Wait50, role.Wait95 = byRole[name].quantile(50), byRole[name].quantile(95)
		report.Roles = append(report.Roles, *role)
	}
	slices.SortFunc(report.Roles, func(a, b api.RoleUsage) int {
		return cmp.Or(cmp.Compare(b.Answered, a.Answered), cmp.Compare(a.Role, b.Role))
	})
	return report
}

// countOne adds a dispatch to its role.
func countOne(role *api.RoleUsage, day int, e journal.Ending) {
	role.Tokens[day] += float64(e.Tokens)
	role.Dollars[day] += e.Cost
	role.Rejected += e.Rejected
	switch {
	case e.Status == journal.Failed:
		role.Unanswered += e.Questions
		return
	case e.Reverted:
		role.Undone += e.Questions
	case e.Status == journal.Cancelled:
		return
	}
	role.Answered += e.Questions
	role.Answers[day] += float64(e.Questions)
	role.NoResult += bits.OnesCount64(uint64(e.NoResult))
}

// quantile is a value that so many of a hundred do not exceed; -1 = no values.
func (w waits) quantile(percent int) float64 {
	if len(w) == 0 {
		return -1
	}
	slices.Sort(w)
	return w[(len(w)*percent+99)/100-1]
}
