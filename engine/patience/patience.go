// Package patience says how long a call may wait when a person waits for it: a call that asks an engine whether it is
// there, or a disk which folder it is.
//
//	ctx, cancel := context.WithTimeout(ctx, patience.Of(probeTime))
//
// Such waits are short, so a machine that is blocked for a second makes them end too early. A person calls again; a
// test of the whole program raises them once, with [Raise].
package patience

import (
	"context"
	"sync/atomic"
	"time"
)

var least atomic.Int64 // nanoseconds

// Of returns how long to wait where usual is enough.
func Of(usual time.Duration) time.Duration { return max(usual, time.Duration(least.Load())) }

// Raise makes every wait at least as long as d. Only tests call it. It is safe for concurrent use.
func Raise(d time.Duration) { least.Store(int64(d)) }

// DiskTime is how long the disk of a folder may take to answer a question that a
// person waits for.
const DiskTime = time.Second

// IndexTime is how long a question waits for a batch of the index that is at work.
const IndexTime = 50 * time.Millisecond

// ActTime is how long it may take to change a few small files there.
const ActTime = 3 * time.Second

// mostBehind is how many looks may be at work at a time, those among them that were left behind. Each that hangs keeps a
// thread of the system, and a Go program with 10,000 of them ends (https://pkg.go.dev/runtime/debug#SetMaxThreads).
const mostBehind = 64

var places = make(chan struct{}, mostBehind) // holds one token for each look at work

// Await waits for a look at a disk, but no longer than [DiskTime]; ok says whether it
// came back. A system call that hangs cannot be ended, so such a look is left behind. Where
// too many are, another begins only when one of them comes back in that time.
func Await[T any](look func() T) (found T, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), Of(DiskTime))
	defer cancel()
	return AwaitUntil(ctx, look)
}

// AwaitAct is [AwaitAt] for an act that changes a few small files in a folder, and waits for it no longer than
// [ActTime]. A look before it is no sign that the disk responds, for the system may remember the answer. An act that
// is left behind continues.
func AwaitAct[T any](folder string, act func() T) (done T, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), Of(ActTime))
	defer cancel()
	return AwaitAt(ctx, folder, act)
}

// AwaitUntil is [Await] for a caller who waits until ctx ends.
func AwaitUntil[T any](ctx context.Context, look func() T) (found T, ok bool) {
	found, ok, _ = await(ctx, look)
	return found, ok
}

// await is AwaitUntil; back is closed when the look is back, and nil where none was begun.
func await[T any](ctx context.Context, look func() T) (found T, ok bool, back <-chan struct{}) {
	select {
	case places <- struct{}{}:
	case <-ctx.Done():
		return found, false, nil
	}
	answer, ended, taken := make(chan T, 1), make(chan struct{}), places
	go func() {
		defer func() { <-taken; close(ended) }()
		answer <- look()
	}()
	select {
	case found = <-answer:
		return found, true, ended
	case <-ctx.Done():
		return found, false, ended
	}
}
