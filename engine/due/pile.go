package due

import (
	"context"
	"slices"
	"sync"
)

// Pile holds keys that are handled several at once. A caller that needs them handled does it, or waits for the caller
// at work. [NewPile] makes one; it is safe for concurrent use.
type Pile[K comparable] struct {
	limit int
	woken chan struct{} // holds one token when keys were added
	turn  chan struct{} // holds one token while keys are handled

	mu    sync.Mutex // guards the fields below
	lines [2][]K     // the first line, and the one behind it
	waits map[K]bool // whether it is in the first line
}

// NewPile returns an empty pile that handles at most so many keys at once.
func NewPile[K comparable](most int) *Pile[K] {
	return &Pile[K]{limit: most, woken: make(chan struct{}, 1), turn: make(chan struct{}, 1), waits: make(map[K]bool)}
}

// Add puts a key on the pile, unless it is there. With isBehind, as for one of many keys that came together, it is
// handled after the others. Add never waits.
func (p *Pile[K]) Add(key K, isBehind bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	isFirst, waits := p.waits[key]
	if waits && (isFirst || isBehind) {
		return
	}
	at := &p.lines[0]
	if isBehind {
		at = &p.lines[1]
	}
	if waits {
		p.lines[1] = slices.DeleteFunc(p.lines[1], func(k K) bool { return k == key })
	}
	p.waits[key] = !isBehind
	*at = append(*at, key)
	select {
	case p.woken <- struct{}{}:
	default:
	}
}

// HandleSome calls a function with these keys and the keys that waited before them, once the call before has
// returned: all of the first line, and the line behind it as far as all of it fits. Without these it takes the oldest
// of both lines. It reports whether there was a key. Where ctx ends before that call has returned, these keys are added.
func (p *Pile[K]) HandleSome(ctx context.Context, do func(keys []K), these ...K) bool {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		for _, key := range these {
			p.Add(key, false)
		}
		return false
	}
	keys := append(p.takeOldest(p.limit-len(these), len(these) > 0), these...)
	if len(keys) > 0 {
		do(keys)
	}
	return len(keys) > 0
}

// takeOldest takes the oldest keys, at most so many. The line behind has a share of them, unless a caller waits for a
// key.
func (p *Pile[K]) takeOldest(most int, isAwaited bool) (keys []K) {
	p.mu.Lock()
	defer p.mu.Unlock()
	behind := min(most, max(most/share, most-len(p.lines[0])), len(p.lines[1]))
	if isAwaited && behind < len(p.lines[1]) {
		behind = 0
	}
	for i, n := range []int{min(most-behind, len(p.lines[0])), behind} {
		keys = append(keys, p.lines[i][:n]...)
		if p.lines[i] = p.lines[i][n:]; len(p.lines[i]) == 0 {
			p.lines[i] = nil // give back what a burst made it grow to
		}
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
		for ctx.Err() == nil && p.HandleSome(ctx, do) {
		}
	}
}
