package dispatch

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/journal"
)

const (
	// longestLimit is more than any agent's; a time beyond it was misread.
	longestLimit = 32 * 24 * time.Hour

	// shortestLimit keeps an agent that says "at once" from being asked at once.
	shortestLimit = 2 * time.Second

	// lookAgain is how often an entry that waits for a limit looks at the clock: it may have
	// been set, and while a machine sleeps no timer runs.
	lookAgain = time.Minute
)

// limits are the roles that are not asked before a time, because their agent has
// said when it answers again. The journal holds the same.
type limits struct {
	mu   sync.Mutex // guards the field below
	list []journal.Limit
}

// limitOf returns the limit that keeps a role from being asked now. same says whether
// two roles are answered alike; what limits one limits the other. A limit that was
// told in the future of a clock that was set back begins now.
func (l *limits) limitOf(role string, same func(a, b string) bool, now time.Time) (journal.Limit, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var longest journal.Limit
	for i := range l.list {
		l.list[i] = fitToClock(l.list[i], now)
		if other := l.list[i]; other.End.After(now) && other.End.After(longest.End) && same(other.Role, role) {
			longest = other
		}
	}
	return longest, !longest.End.IsZero()
}

// fitToClock is a limit by a clock that may have been set back since: it lasts no
// longer than it did when it was told.
func fitToClock(l journal.Limit, now time.Time) journal.Limit {
	if now.Before(l.Start) {
		l.Start, l.End = now, now.Add(l.End.Sub(l.Start))
	}
	return l
}

// addLimit makes a limit of what an agent has said, unless that makes no sense. A limit
// that the agent gives again as soon as it has ended lasts twice as long, up to an hour.
func (l *limits) addLimit(role, reason string, until, now time.Time) (journal.Limit, bool) {
	if !until.After(now) || until.Sub(now) > longestLimit {
		return journal.Limit{}, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	made := journal.Limit{Role: strings.ToLower(role), Start: now, End: until, Reason: reason}
	least := shortestLimit
	if i := l.indexOfRole(made.Role); i >= 0 {
		if before := l.list[i]; now.Sub(before.End) < lookAgain {
			least = max(least, min(2*before.End.Sub(before.Start), time.Hour))
		}
		l.list = slices.Delete(l.list, i, i+1)
	}
	if least > made.End.Sub(now) {
		made.End = now.Add(least)
	}
	l.list = append(l.list, made)
	return made, true
}

// endLimits forgets the limits that keep a role from being asked, its own and those of roles that are answered alike. It
// returns whose they were.
func (l *limits) endLimits(role string, same func(a, b string) bool) (roles []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(l.list, func(one journal.Limit) bool {
		ends := same(one.Role, role)
		if ends {
			roles = append(roles, one.Role)
		}
		return ends
	})
	return roles
}

// indexOfRole returns the index of a role in lower case, or -1; the caller holds mu.
func (l *limits) indexOfRole(role string) int {
	return slices.IndexFunc(l.list, func(one journal.Limit) bool { return one.Role == role })
}

// Limits returns the limits that hold now.
func (p *Dispatcher) Limits() []journal.Limit {
	p.limits.mu.Lock()
	defer p.limits.mu.Unlock()
	now := time.Now()
	return slices.DeleteFunc(slices.Clone(p.limits.list), func(l journal.Limit) bool { return !fitToClock(l, now).End.After(now) })
}

// limitedBy returns the failure's limit, when it says until when.
func limitedBy(err error) (until time.Time, ok bool) {
	limit, ok := errors.AsType[*agent.RateLimited](err)
	if !ok || limit.Expiry.IsZero() {
		return time.Time{}, false
	}
	return limit.Expiry, true
}

// takeUpLimits restores the limits that an earlier engine has met.
func (p *Dispatcher) takeUpLimits(ctx context.Context) {
	list, err := p.opts.Journal.Limits(ctx)
	if err != nil {
		p.opts.Log.Error("read the limits of roles", "error", err) // they are met once more
	}
	p.limits.mu.Lock()
	defer p.limits.mu.Unlock()
	p.limits.list = list
}

// recordLimit records that d has met the limit of its role. Every dispatch of the
// role waits for it; d loses no attempt by it.
func (p *Dispatcher) recordLimit(ctx context.Context, d journal.Dispatch, l journal.Limit) (entry, bool) {
	_ = p.opts.Record.Record(ctx, "remember a limit", d.ID, func(ctx context.Context) error { return p.opts.Journal.SetLimit(ctx, l) })
	return p.postponeEntry(ctx, d, l)
}

// postponeEntry lets d wait for a limit, as status and journal show it.
func (p *Dispatcher) postponeEntry(ctx context.Context, d journal.Dispatch, l journal.Limit) (entry, bool) {
	if d.Status != journal.Queued || d.NextAttempt.UnixMilli() != l.End.UnixMilli() {
		err := p.opts.Record.Record(ctx, "postpone dispatch", d.ID, func(ctx context.Context) (err error) {
			d, err = p.opts.Journal.Postpone(ctx, d.ID, l.Reason, l.End)
			return err
		})
		if err != nil {
			return entry{}, false
		}
	}
	return entry{d: d, dueTime: time.Now().Add(min(time.Until(l.End), lookAgain)), awaitsLimit: true}, true
}

// clearLimit takes note that the agent of a role has answered. Dispatches that waited
// for its limit go on.
func (p *Dispatcher) clearLimit(ctx context.Context, role string) {
	ended := p.limits.endLimits(role, p.opts.Roles.ShareLimit)
	if len(ended) == 0 {
		return
	}
	for _, limited := range ended {
		if err := p.opts.Journal.EndLimit(context.WithoutCancel(ctx), limited); err != nil {
			p.opts.Log.Warn("forget a limit", "role", limited, "error", err) // it ends by itself
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.waiting {
		if p.waiting[i].awaitsLimit {
			p.waiting[i].dueTime = time.Time{}
		}
	}
	p.wakeRun()
}
