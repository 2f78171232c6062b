package engine

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite/swap"
)

// displaced holds what exchanges have displaced until it can be looked at once
// more and go, and the exchanges that could not be ended. It is also in the
// journal, so what is left when the engine ends is looked at when it starts again.
type displaced struct {
	end   func(context.Context, journal.Swap, ending) error // takes the note's turn
	held  func(context.Context, journal.Swap, ending) error // for callers that have it
	woken chan struct{}                                     // holds one token when something was added

	mu      sync.Mutex // guards the field below
	waiting []leftover // in the order of their time
}

// leftover is an exchange that is still open, and how it is to be ended.
type leftover struct {
	swap   journal.Swap
	by     ending
	due    time.Time
	broken bool // not ended, so nobody may write the note before it is
}

// ending is swap.Settle or swap.Recover.
type ending func(swap.Intention) (swap.Outcome, error)

func newDisplaced(end, held func(context.Context, journal.Swap, ending) error) *displaced {
	return &displaced{end: end, held: held, woken: make(chan struct{}, 1)}
}

// add has what an exchange has displaced looked at when the grace period is over.
func (d *displaced) add(s journal.Swap, by ending) { d.put(leftover{swap: s, by: by}) }

// addBroken has an exchange that could not be ended recovered: when the grace
// period is over, or before the next write of its note.
func (d *displaced) addBroken(s journal.Swap) {
	d.put(leftover{swap: s, by: swap.Recover, broken: true})
}

func (d *displaced) put(l leftover) {
	d.mu.Lock()
	defer d.mu.Unlock()
	l.due = time.Now().Add(swap.Grace)
	d.waiting = append(d.waiting, l)
	select {
	case d.woken <- struct{}{}:
	default:
	}
}

// mend recovers the exchanges of a note that could not be ended; the caller has
// the note's turn. An error says that the note must not be written now.
func (d *displaced) mend(ctx context.Context, path string) error {
	var failed error
	for _, l := range d.broken(path) {
		if err := d.held(ctx, l.swap, l.by); err != nil {
			d.put(l)
			failed = fmt.Errorf("an earlier write is not ended: %w", err)
		}
	}
	return failed
}

// broken takes the exchanges of a note that could not be ended out of the waiting.
func (d *displaced) broken(path string) []leftover {
	d.mu.Lock()
	defer d.mu.Unlock()
	var some []leftover
	d.waiting = slices.DeleteFunc(d.waiting, func(l leftover) bool {
		if !l.broken || !sameNote(l.swap.Path, path) {
			return false
		}
		some = append(some, l)
		return true
	})
	return some
}

// sameNote reports whether two paths lead to one note.
func sameNote(a, b string) bool {
	if a == b {
		return true
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// run ends each leftover when its time has come, until ctx ends; then it ends
// what it can at once, so that nothing stays behind in a vault without need.
func (d *displaced) run(ctx context.Context) error {
	defer d.flush(context.WithoutCancel(ctx))
	for {
		due, ok := d.next()
		var timer <-chan time.Time
		if ok {
			timer = time.After(time.Until(due))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-d.woken:
		case <-timer:
			if l, ok := d.take(time.Now()); ok && d.end(ctx, l.swap, l.by) != nil {
				d.put(l) // a vault that is away, say: again until it is back
			}
		}
	}
}

// flush ends all leftovers now; what cannot be ended is for the next start.
func (d *displaced) flush(ctx context.Context) {
	for {
		l, ok := d.take(time.Now().Add(swap.Grace))
		if !ok {
			return
		}
		_ = d.end(ctx, l.swap, l.by)
	}
}

// next says when the first leftover is due.
func (d *displaced) next() (time.Time, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.waiting) == 0 {
		return time.Time{}, false
	}
	return d.waiting[0].due, true
}

// take takes the first leftover that is due at that time.
func (d *displaced) take(now time.Time) (leftover, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.waiting) == 0 || d.waiting[0].due.After(now) {
		return leftover{}, false
	}
	l := d.waiting[0]
	d.waiting = d.waiting[1:]
	return l, true
}
