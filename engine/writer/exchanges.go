package writer

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite/swap"
)

// exchanges holds the texts that exchanges have displaced, until they can be checked once more and
// removed, and the exchanges that could not be ended. The journal holds both too, so the next engine
// ends those that remain.
type exchanges struct {
	lock      func(ctx context.Context, path string) (unlock func(), err error) // waits for a note's turn
	endLocked func(context.Context, journal.Swap, ending) error                 // for callers that have it
	agenda    *due.Queue[string]                                                // their Temps
	lanes     *due.Lanes[string]                                                // by vault

	isFlushing atomic.Bool // exchanges that cannot be ended now are not tried again

	mu      sync.Mutex // guards the field below
	pending map[string]openExchange
}

// openExchange is an exchange that is still open, and how it is to be ended.
type openExchange struct {
	swap   journal.Swap
	ending ending
	added  time.Time
	broken bool // not ended, and its note must not be written before it is
}

// ending is swap.Settle or swap.Recover.
type ending func(swap.Intention) (swap.Outcome, error)

func newExchanges(lock func(context.Context, string) (func(), error), endLocked func(context.Context, journal.Swap, ending) error) *exchanges {
	x := &exchanges{lock: lock, endLocked: endLocked, agenda: due.New[string](), pending: make(map[string]openExchange)}
	x.lanes = due.NewLanes(x.endNow)
	return x
}

// addSettled has what an exchange has displaced looked at when the grace period is over.
func (x *exchanges) addSettled(s journal.Swap) { x.putBack(openExchange{swap: s, ending: swap.Settle}) }

// addBroken has an exchange that could not be ended recovered: when the grace period
// is over, or before the next write of its note.
func (x *exchanges) addBroken(s journal.Swap) {
	x.putBack(openExchange{swap: s, ending: swap.Recover, broken: true})
}

func (x *exchanges) putBack(o openExchange) {
	x.mu.Lock()
	defer x.mu.Unlock()
	o.added = time.Now()
	x.pending[o.swap.Temp] = o
	x.agenda.Put(o.swap.Temp, o.added.Add(swap.Grace))
}

// takeOut takes an exchange out of the open ones.
func (x *exchanges) takeOut(temp string) (openExchange, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	o, ok := x.pending[temp]
	delete(x.pending, temp)
	return o, ok
}

// mendNote recovers the exchanges of a note that could not be ended; the caller has the
// note's turn. An error says that the note must not be written now.
func (x *exchanges) mendNote(ctx context.Context, path string) error {
	var failed error
	for _, o := range x.takeBroken(path) {
		if err := x.endLocked(ctx, o.swap, o.ending); err != nil {
			x.putBack(o)
			failed = fmt.Errorf("an earlier write is not ended: %w", err)
		}
	}
	return failed
}

// takeBroken takes the exchanges of a note that could not be ended out of the open
// ones, in the order in which they were added.
func (x *exchanges) takeBroken(path string) []openExchange {
	var some []openExchange
	for _, o := range x.listBroken() { // the disk is asked without the lock
		if !isSameNote(o.swap.Path, path) {
			continue
		}
		if o, ok := x.takeOut(o.swap.Temp); ok {
			x.agenda.Remove(o.swap.Temp)
			some = append(some, o)
		}
	}
	return some
}

func (x *exchanges) listBroken() []openExchange {
	x.mu.Lock()
	defer x.mu.Unlock()
	var broken []openExchange
	for _, o := range x.pending {
		if o.broken {
			broken = append(broken, o)
		}
	}
	slices.SortFunc(broken, func(a, b openExchange) int { return a.added.Compare(b.added) })
	return broken
}

// isSameNote reports whether two paths lead to one note.
func isSameNote(a, b string) bool {
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

// run ends each exchange when its time has come, until ctx ends.
func (x *exchanges) run(ctx context.Context) { x.agenda.Run(ctx, x.endLater) }

// flushAll ends all exchanges now, so that a vault keeps no temporary file without need. The next
// start tries the exchanges that cannot be ended.
func (x *exchanges) flushAll() {
	x.lanes.Wait()
	x.isFlushing.Store(true)
	for x.flushSome() {
		x.lanes.Wait() // a merge may have left more of them
	}
}

// flushSome has all exchanges ended that there are now, and reports whether there were any.
func (x *exchanges) flushSome() (some bool) {
	for {
		temp, ok := x.agenda.Take(time.Now().Add(swap.Grace))
		if !ok {
			return some
		}
		x.endLater(temp)
		some = true
	}
}

// endLater ends an exchange when those before it in its vault are ended.
func (x *exchanges) endLater(temp string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.lanes.Add(vaultOf(x.pending[temp].swap), temp)
}

// endNow ends an exchange. If it cannot be ended, for example because the vault is away, it is tried
// again. It is not closed before the note's turn, so that an earlier write sees that the note needs
// mending.
func (x *exchanges) endNow(temp string) {
	ctx := context.Background()
	x.mu.Lock()
	o, ok := x.pending[temp]
	x.mu.Unlock()
	if !ok {
		return
	}
	unlock, err := x.lock(ctx, o.swap.Path)
	if err != nil {
		return // not with this context; the journal has it
	}
	defer unlock()
	if o, ok = x.takeOut(temp); ok && x.endLocked(ctx, o.swap, o.ending) != nil && !x.isFlushing.Load() {
		x.putBack(o)
	}
}
