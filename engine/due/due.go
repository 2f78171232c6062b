// Package due calls a function for each key when its time has come.
//
// [Queue.Put] sets the time of a key, and [Queue.Run] calls a function for the key
// that is due first, until its context ends. A key has one time: Put replaces the
// one before.
//
// # Promises
//
// No key is handed out before its time or twice for one Put. Keys with equal times
// come in the order of their Put. What was put behind comes when nothing else is due, and has one turn of four
// where something is. Put, Remove and Next cost O(log n) at most, never
// wait, and are safe for concurrent use, also from within the function of Run.
package due

import (
	"container/heap"
	"container/list"
	"context"
	"sync"
	"time"
)

// Queue holds keys by the time they are due. [New] makes one.
type Queue[K comparable] struct {
	woken chan struct{} // holds one token when the first key may have changed

	fair   bool
	mu     sync.Mutex // guards the fields below
	lines  [2]line[K] // the first line, and the one behind it
	byKey  map[K]*item[K]
	puts   uint64 // counts the calls of Put
	passed int    // how often what is behind was passed over since its last turn
}

// line is the keys of a queue that go first, or those behind.
type line[K comparable] struct {
	items    items[K]  // but those in pile
	pile     list.List // of a fair queue: what was due at the last Take, by time
	tailTurn bool      // the last of the pile has the next turn
}

type item[K comparable] struct {
	key   K
	time  time.Time
	order uint64 // when it was put, for keys with equal times
	line  *line[K]
	index int // in the heap
	piled *list.Element
}

// share is how many turns there are for one of what is behind while others wait.
const share = 4

// New returns an empty queue.
func New[K comparable]() *Queue[K] {
	return &Queue[K]{woken: make(chan struct{}, 1), byKey: make(map[K]*item[K])}
}

// NewFair returns an empty queue in which new keys do not wait behind a pile.
func NewFair[K comparable]() *Queue[K] {
	q := New[K]()
	q.fair = true
	return q
}

// Put makes a key due at a time; a time in the past is now.
func (q *Queue[K]) Put(key K, at time.Time) { q.PutAs(key, at, false) }

// PutAs is Put for a key of the first line or the one behind it. A key that came together with many others is behind.
func (q *Queue[K]) PutAs(key K, at time.Time, isBehind bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.putLocked(key, at, isBehind)
}

// putLocked is PutAs; the caller holds mu.
func (q *Queue[K]) putLocked(key K, at time.Time, isBehind bool) {
	if old, known := q.byKey[key]; known {
		q.removeItem(old)
	}
	q.puts++
	it := &item[K]{key: key, time: at, order: q.puts, line: &q.lines[0]}
	if isBehind {
		it.line = &q.lines[1]
	}
	q.byKey[key] = it
	heap.Push(&it.line.items, it)
	q.wakeRun()
}

// PutIfNew is Put for a key that is not in the queue.
func (q *Queue[K]) PutIfNew(key K, at time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, ok := q.byKey[key]; !ok {
		q.putLocked(key, at, false)
	}
}

// Remove forgets a key.
func (q *Queue[K]) Remove(key K) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if it, ok := q.byKey[key]; ok {
		q.removeItem(it)
	}
}

// Next returns the key that has been due longest, or is due first, and when.
func (q *Queue[K]) Next() (key K, at time.Time, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	it := q.lines[0].firstItem()
	if behind := q.lines[1].firstItem(); it == nil || behind != nil && behind.isBefore(it) {
		it = behind
	}
	if it == nil {
		return key, at, false
	}
	return it.key, it.time, true
}

// Take removes the first key that is due at a time and returns it. A fair queue returns its first and its last due
// key by turns.
func (q *Queue[K]) Take(now time.Time) (key K, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	it, behind := q.lines[0].dueItem(now, q.fair), q.lines[1].dueItem(now, q.fair)
	switch {
	case it == nil && behind == nil:
		return key, false
	case it == nil || behind != nil && q.passed == share-1:
		it, q.passed = behind, 0
	case behind != nil:
		q.passed++
	}
	if l := it.line; it.piled != nil {
		if l.tailTurn = !l.tailTurn; l.tailTurn {
			it = l.pile.Back().Value.(*item[K])
		}
	}
	q.removeItem(it)
	return it.key, true
}

// dueItem returns the item that is due first, or nil where none is due at that time. Those of a fair queue are put on the pile.
// The caller holds mu.
func (l *line[K]) dueItem(now time.Time, fair bool) *item[K] {
	for fair && len(l.items) > 0 && !l.items[0].time.After(now) {
		it := heap.Pop(&l.items).(*item[K])
		it.piled = l.pile.PushBack(it)
	}
	if it := l.firstItem(); it != nil && !it.time.After(now) {
		return it
	}
	return nil
}

// firstItem returns the item that is due first, or nil; the caller holds mu.
func (l *line[K]) firstItem() *item[K] {
	if first := l.pile.Front(); first != nil {
		return first.Value.(*item[K])
	}
	if len(l.items) == 0 {
		return nil
	}
	return l.items[0]
}

// Run takes each key when it is due and calls do for it, one after the other, until
// ctx ends. At most one Run works on a queue at a time.
func (q *Queue[K]) Run(ctx context.Context, do func(key K)) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		if key, ok := q.Take(time.Now()); ok {
			do(key)
			continue
		}
		timer.Stop()
		if _, at, ok := q.Next(); ok {
			timer.Reset(time.Until(at))
		}
		select {
		case <-ctx.Done():
		case <-q.woken:
		case <-timer.C:
		}
	}
}

// removeItem takes an item out; the caller holds mu.
func (q *Queue[K]) removeItem(it *item[K]) {
	if it.piled != nil {
		it.line.pile.Remove(it.piled)
	} else {
		heap.Remove(&it.line.items, it.index)
	}
	delete(q.byKey, it.key)
}

// wakeRun has Run look at the first key again.
func (q *Queue[K]) wakeRun() {
	select {
	case q.woken <- struct{}{}:
	default:
	}
}

// items is a heap; the item that is due first is at the top.
type items[K comparable] []*item[K]

func (s items[K]) Len() int { return len(s) }

func (s items[K]) Less(i, j int) bool { return s[i].isBefore(s[j]) }

func (it *item[K]) isBefore(other *item[K]) bool {
	if c := it.time.Compare(other.time); c != 0 {
		return c < 0
	}
	return it.order < other.order
}

func (s items[K]) Swap(i, j int) {
	s[i], s[j] = s[j], s[i]
	s[i].index, s[j].index = i, j
}

// Push is for container/heap.
func (s *items[K]) Push(x any) {
	it := x.(*item[K])
	it.index = len(*s)
	*s = append(*s, it)
}

// Pop is for container/heap.
func (s *items[K]) Pop() any {
	last := len(*s) - 1
	it := (*s)[last]
	(*s)[last] = nil
	*s = (*s)[:last]
	return it
}
