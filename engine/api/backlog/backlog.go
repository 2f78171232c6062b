// Package backlog bounds the rate of work that callers may ask for faster.
//
// [Backlog.Admit] reports whether a piece of work may be done now. Other work is remembered, and [Backlog.Run] does
// it in its turn.
//
// # Promises
//
// Work remembered under a key is done once, after all work that was remembered before it; later work does not
// overtake it. Work that asks for it is tried again. The backlog remembers no more than the two limits allow, and
// nothing of it outlives the program.
package backlog

import (
	"context"
	"sync"
	"time"

	"vaultdispatcher/engine/due"
)

// retryAfter is how soon work that could not be done is tried again.
const retryAfter = 30 * time.Second

// Backlog is work that waits. [New] makes one.
type Backlog[T any] struct {
	limits Limits
	turns  *due.Queue[string] // keys of what waits

	mu      sync.Mutex // guards the fields below
	bucket  bucket
	waiting map[string]*entry[T]
	ahead   int // how many of them a new piece of work must not overtake
	bytes   int // of the keys
}

type entry[T any] struct {
	item  T
	tried bool
}

// Limits are how much may be done and remembered.
type Limits struct {
	PerSecond float64
	Burst     int // may be done at once after a pause
	Pieces    int // pieces of work that are remembered
	MostBytes int // of their keys
}

// New returns an empty backlog.
func New[T any](l Limits) *Backlog[T] {
	return &Backlog[T]{limits: l, turns: due.New[string](), waiting: make(map[string]*entry[T])}
}

// Limits returns what was given to [New].
func (b *Backlog[T]) Limits() Limits { return b.limits }

// Admit reports that work may be done now, or that it is remembered under its key, in place of earlier work of that
// key. If neither is true, wait is the time until there may be room.
func (b *Backlog[T]) Admit(key string, item T) (now, remembered bool, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if old := b.waiting[key]; old != nil {
		if old.item = item; old.tried {
			old.tried, b.ahead = false, b.ahead+1
			b.turns.Put(key, time.Now())
		}
		return false, true, 0
	}
	if b.ahead == 0 {
		var ok bool
		if b.bucket, wait, ok = b.bucket.takeToken(time.Now(), b.limits.PerSecond, b.limits.Burst); ok {
			return true, false, 0
		}
	}
	if len(b.waiting) >= b.limits.Pieces || b.bytes+len(key) > b.limits.MostBytes {
		return false, false, max(wait, time.Second)
	}
	b.waiting[key] = &entry[T]{item: item}
	b.ahead, b.bytes = b.ahead+1, b.bytes+len(key)
	b.turns.Put(key, time.Now())
	return false, true, 0
}

// Run does what is remembered, one piece after the other, until ctx ends. Work that returns true
// is done again later.
func (b *Backlog[T]) Run(ctx context.Context, do func(context.Context, T) (again bool)) {
	b.turns.Run(ctx, func(key string) {
		item, ok := b.takeTurn(ctx, key)
		if ok && do(ctx, item) {
			b.putBack(key, item)
		}
	})
}

// takeTurn waits until the work of a key may be done, and forgets it.
func (b *Backlog[T]) takeTurn(ctx context.Context, key string) (item T, ok bool) {
	for {
		b.mu.Lock()
		var wait time.Duration
		b.bucket, wait, ok = b.bucket.takeToken(time.Now(), b.limits.PerSecond, b.limits.Burst)
		if ok {
			e := b.waiting[key]
			delete(b.waiting, key)
			b.turns.Remove(key) // it may have been asked for again since its turn came
			b.bytes -= len(key)
			if !e.tried {
				b.ahead--
			}
			b.mu.Unlock()
			return e.item, true
		}
		b.mu.Unlock()
		if due.Sleep(ctx, wait) != nil {
			return item, false
		}
	}
}

// putBack remembers work that could not be done, unless it was asked for again meanwhile.
func (b *Backlog[T]) putBack(key string, item T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting[key] == nil && len(b.waiting) < b.limits.Pieces {
		b.waiting[key] = &entry[T]{item: item, tried: true}
		b.bytes += len(key)
		b.turns.Put(key, time.Now().Add(retryAfter))
	}
}
