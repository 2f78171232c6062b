package due

import (
	"slices"
	"sync"
)

// Lanes calls a function for keys: one after the other in each lane, the lanes side by
// side. A lane whose function does not return, because a disk does not respond, holds
// up no other. [NewLanes] makes one; it is safe for concurrent use.
type Lanes[K comparable] struct {
	do      func(K)
	workers sync.WaitGroup

	mu      sync.Mutex     // guards the field below
	waiting map[string][]K // by lane; a lane at work is there, also with nothing behind
}

// NewLanes returns lanes in which do is called.
func NewLanes[K comparable](do func(K)) *Lanes[K] {
	return &Lanes[K]{do: do, waiting: make(map[string][]K)}
}

// Add has the function called for a key when it is its turn in the lane, once for a key
// that waits for its turn already. It never waits.
func (l *Lanes[K]) Add(lane string, key K) {
	l.mu.Lock()
	defer l.mu.Unlock()
	keys, atWork := l.waiting[lane]
	if slices.Contains(keys, key) {
		return
	}
	l.waiting[lane] = append(keys, key)
	if !atWork {
		l.workers.Go(func() { l.runLane(lane) })
	}
}

// Wait returns when all keys that were added have had their turn.
func (l *Lanes[K]) Wait() { l.workers.Wait() }

// runLane works until nothing waits in a lane.
func (l *Lanes[K]) runLane(lane string) {
	for {
		key, ok := l.takeNext(lane)
		if !ok {
			return
		}
		l.do(key)
	}
}

// takeNext takes the next key of a lane; a lane without one is at work no more.
func (l *Lanes[K]) takeNext(lane string) (key K, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	keys := l.waiting[lane]
	if len(keys) == 0 {
		delete(l.waiting, lane)
		return key, false
	}
	l.waiting[lane] = keys[1:]
	return keys[0], true
}
