package due

import (
	"context"
	"sync"
)

// Pile holds keys that are handled several at once. Whoever needs them handled does it, or waits for
// the one that does. [NewPile] makes one; it is safe for concurrent use.
type Pile[K comparable] struct {
	most  int
	woken chan struct{} // holds one token when keys were added
	turn  chan struct{} // holds one token while keys are handled

	mu    sync.Mutex // guards the fields below
	keys  []K
	waits map[K]bool
}

// NewPile returns an empty pile, of which so many keys at most are handled at once.
func NewPile[K comparable](most int) *Pile[K] {
	return &Pile[K]{most: most, woken: make(chan struct{}, 1), turn: make(chan struct{}, 1), waits: make(map[K]bool)}
}

// Add puts a key on the pile, unless it lies there. It never waits.
func (p *Pile[K]) Add(key K) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waits[key] {
		return
	}
	p.waits[key] = true
	p.keys = append(p.keys, key)
	select {
	case p.woken <- struct{}{}:
	default:
	}
}

// HandleSome calls a function with the oldest keys and these, when what was taken before is
// handled. It reports whether there was one.
func (p *Pile[K]) HandleSome(do func(keys []K), these ...K) bool {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	keys := append(p.takeOldest(p.most-len(these)), these...)
	if len(keys) > 0 {
		do(keys)
	}
	return len(keys) > 0
}

func (p *Pile[K]) takeOldest(most int) []K {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := min(most, len(p.keys))
	keys := append([]K(nil), p.keys[:n]...)
	if p.keys = p.keys[n:]; len(p.keys) == 0 {
		p.keys = nil // give back what a burst made it grow to
	}
	for _, key := range keys {
		delete(p.waits, key)
	}
	return keys
}

// Run handles what is added until ctx ends.
func (p *Pile[K]) Run(ctx context.Context, do func(keys []K)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.woken:
		}
		for ctx.Err() == nil && p.HandleSome(do) {
		}
	}
}
