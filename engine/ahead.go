package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/group"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/vault"
)

// The search for related passages is the longest step from a save to its agent. For a question that comes alone it is made
// just before the question has settled, or while it is accepted. Nothing depends on that: what was found counts for the very
// words that are asked in the end, and only while the index is as it was.

// lead is how long before a question has settled it is searched for, and mostAhead how many such searches there are.
const (
	lead      = 25 * time.Millisecond
	mostAhead = 16
)

// ahead has searches that are not needed yet, the latest last.
type ahead struct {
	turn sync.Mutex // held while one is at work

	mu   sync.Mutex // guards the field below
	list []*seeking
}

// seeking is such a search, and what it is for.
type seeking struct {
	root, rel, query string
	timer            *time.Timer
	done             chan struct{}  // closed when it has ended
	found            *recall.Sought // nil = nothing
}

// ForeseeGroups searches for the groups of a note that start at a time if nothing changes, shortly before, and no more for others of it.
func (s *starts) ForeseeGroups(ctx context.Context, v *vault.Vault, found vault.Settled, at time.Time) {
	var wanted []*seeking
	for _, g := range found.Groups {
		if s.isWorthSeeking(found, g) {
			wanted = append(wanted, newSeeking(s.draft(v, found, g, at)))
		}
	}
	s.ahead.drop(func(n *seeking) bool {
		return n.root == v.Root && n.rel == found.Rel && !slices.ContainsFunc(wanted, n.isFor)
	})
	for _, n := range wanted {
		s.seekAt(ctx, v, n, at.Add(-lead))
	}
}

// isWorthSeeking reports whether a group came alone and starts by itself, with passages.
func (s *starts) isWorthSeeking(found vault.Settled, g vault.Admitted) bool {
	return g.Hold == "" && !found.Crowded && s.config.Enrich.Passages > 0 && s.roles.WantsPassages(g.Role)
}

// seekAt searches at a time, unless that was done or another such search is at work. It gives way to all dispatches, and ends with ctx.
func (s *starts) seekAt(ctx context.Context, v *vault.Vault, n *seeking, at time.Time) {
	a := &s.ahead
	a.mu.Lock()
	defer a.mu.Unlock()
	if i := slices.IndexFunc(a.list, n.isFor); i >= 0 && a.list[i].mayServe() {
		return
	}
	n.timer = time.AfterFunc(time.Until(at), func() {
		defer close(n.done)
		if s.dispatcher.Running() > 0 || !a.turn.TryLock() {
			return
		}
		defer a.turn.Unlock()
		n.found, _ = vault.OnDisk(ctx, v, func(disk vault.Disk) (*recall.Sought, error) {
			disk.IndexPending(ctx, n.rel)
			return disk.Index().Seek(ctx, n.rel, n.query)
		}) // an error is the dispatch's to tell
	})
	a.list = append(slices.DeleteFunc(a.list, n.isFor), n)
	if len(a.list) > mostAhead {
		a.list[0].timer.Stop()
		a.list = a.list[1:]
	}
}

// take returns what was found for a question of a note, or searches now.
func (a *ahead) take(ctx context.Context, disk vault.Disk, rel, query string) (*recall.Sought, error) {
	wanted := &seeking{root: disk.Root, rel: rel, query: query}
	for _, n := range a.drop(wanted.isFor) {
		select {
		case <-n.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if n.mayServe() {
			return n.found, nil
		}
	}
	return disk.Index().Seek(ctx, rel, query)
}

// drop forgets searches, and returns those that have begun.
func (a *ahead) drop(is func(*seeking) bool) (begun []*seeking) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = slices.DeleteFunc(a.list, func(n *seeking) bool {
		isDropped := is(n)
		if isDropped && !n.timer.Stop() {
			begun = append(begun, n)
		}
		return isDropped
	})
	return begun
}

// newSeeking returns the search for a question as it would be asked.
func newSeeking(d journal.Dispatch) *seeking {
	g, windows := group.Of(d)
	return &seeking{root: d.Vault, rel: d.File, query: queryFor(d.File, g, windows), done: make(chan struct{})}
}

func (n *seeking) isFor(o *seeking) bool {
	return n.root == o.root && n.rel == o.rel && n.query == o.query
}

// mayServe reports whether a search that has ended has found what it would find now, or it has not ended yet.
func (n *seeking) mayServe() bool {
	select {
	case <-n.done:
		return n.found != nil && n.found.IsCurrent()
	default:
		return true
	}
}
