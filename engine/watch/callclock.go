package watch

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// ErrUnanswered is what [Watcher.Run] returns when the disk did not answer in time
// after the end of its context.
var ErrUnanswered = errors.New("the disk does not answer")

// stopGrace is how long Run waits, after its context has ended, for a system call.
const stopGrace = time.Second

// callClock holds when the disk last answered, for [Stats]. The goroutine of the reconciler writes it before and
// after each call that may wait for the disk: every stat, every listing of a folder, the opening of a source, a
// probe. Any goroutine may read it.
type callClock struct {
	latest atomic.Int64 // nanoseconds since 1970; 0 before the first
	asking atomic.Bool
}

// beginCall says that the disk is asked from now on.
func (a *callClock) beginCall() {
	a.noteReturn()
	a.asking.Store(true)
}

// noteReturn says that the disk has answered a question; the next one follows at once.
func (a *callClock) noteReturn() { a.latest.Store(time.Now().UnixNano()) }

// endCall says that the disk has answered and is asked no more for now.
func (a *callClock) endCall() {
	a.noteReturn()
	a.asking.Store(false)
}

// readClock returns when the disk last answered, and since when it is waited for.
func (a *callClock) readClock() (last, waiting time.Time) {
	asking := a.asking.Load()
	nano := a.latest.Load()
	if nano == 0 {
		return time.Time{}, time.Time{}
	}
	last = time.Unix(0, nano)
	if asking {
		waiting = last
	}
	return last, waiting
}

// gate passes events on until it is closed.
type gate struct {
	mu   sync.Mutex // guards sink, also while it is called
	sink func(Event)
}

func (g *gate) passEvent(e Event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.sink != nil {
		g.sink(e)
	}
}

func (g *gate) closeGate() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sink = nil
}
