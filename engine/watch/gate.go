package watch

import (
	"errors"
	"sync"
	"time"
)

// ErrUnanswered is what [Watcher.Run] returns when the disk did not answer in time
// after the end of its context.
var ErrUnanswered = errors.New("the disk does not answer")

// stopGrace is how long Run waits, after its context has ended, for a system call.
const stopGrace = time.Second

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
