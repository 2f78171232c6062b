package engine

import (
	"context"
	"sync"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite/swap"
)

// displaced holds what exchanges have displaced until it can be looked at once
// more and go. It is also in the journal, so what is left when the engine ends
// is looked at when it starts again.
type displaced struct {
	end   func(context.Context, journal.Swap, ending) error
	woken chan struct{} // holds one token when something was added

	mu      sync.Mutex // guards the field below
	waiting []leftover // in the order of their time
}

// leftover is an exchange that is still open, and how it is to be ended.
type leftover struct {
	swap journal.Swap
	by   ending
	due  time.Time
}

// ending is swap.Settle or swap.Recover.
type ending func(swap.Intention) (swap.Outcome, error)

func newDisplaced(end func(context.Context, journal.Swap, ending) error) *displaced {
	return &displaced{end: end, woken: make(chan struct{}, 1)}
}

// add has an exchange ended when the grace period is over.
func (d *displaced) add(s journal.Swap, by ending) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting = append(d.waiting, leftover{s, by, time.Now().Add(swap.Grace)})
	select {
	case d.woken <- struct{}{}:
	default:
	}
}

// run ends each leftover when its time has come, until ctx ends; then it ends
// what it can at once, so that nothing stays behind in a vault without need.
func (d *displaced) run(ctx context.Context) error {
	defer d.flush(context.WithoutCancel(ctx))
	for {
		first, ok := d.first()
		var due <-chan time.Time
		if ok {
			due = time.After(time.Until(first.due))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-d.woken:
		case <-due:
			d.drop()
			if d.end(ctx, first.swap, first.by) != nil {
				d.add(first.swap, first.by) // a vault that is away, say: again until it is back
			}
		}
	}
}

// flush ends all leftovers now; what cannot be ended is for the next start.
func (d *displaced) flush(ctx context.Context) {
	for {
		first, ok := d.first()
		if !ok {
			return
		}
		d.drop()
		_ = d.end(ctx, first.swap, first.by)
	}
}

func (d *displaced) first() (leftover, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.waiting) == 0 {
		return leftover{}, false
	}
	return d.waiting[0], true
}

// drop forgets the first; only run calls it, and others only append.
func (d *displaced) drop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting = d.waiting[1:]
}
