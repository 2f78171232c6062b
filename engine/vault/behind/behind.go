// Package behind makes calls that may wait for a disk which does not respond, and leaves them behind where it does not:
// a system call that hangs cannot be ended.
//
//	src, err := behind.Do(ctx, calls, read, func([]byte, error) {})
//
// # Promises
//
// A caller is answered when the call returns, when the context ends, or when the disk is known not to
// respond, whichever is first. Only so many calls wait at a time; while the disk is known not to
// respond, no call begins.
package behind

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/vault/facts"
)

// most is how many calls may wait for the disk of a vault at a time. Each that hangs keeps a thread of the system,
// and a Go program with 10,000 of them ends (https://pkg.go.dev/runtime/debug#SetMaxThreads).
const most = 64

// Calls counts the calls that wait for the disk of one vault. Its fields are set before the first call; it is safe for
// concurrent use.
type Calls struct {
	Vault   string        // its name, for the error
	Silence func() string // since when its disk has not responded, in words, or nothing; it touches no disk
	Ask     func()        // has the facts of the vault looked for soon

	waiting atomic.Int32
}

// Silent says that the disk of a vault does not respond.
type Silent struct {
	Vault string
	Start string // in words
}

func (s *Silent) Error() string { return "the vault " + s.Vault + " is " + s.Start }

// IsSilent reports whether a call was given up because the disk does not respond.
func IsSilent(err error) bool {
	_, silent := errors.AsType[*Silent](err)
	return silent
}

// Do makes a call. If its caller has gone, late gets the result. If the error is [Silent] and no call
// was begun, late is not called.
func Do[T any](ctx context.Context, c *Calls, do func() (T, error), late func(T, error)) (T, error) {
	type outcome struct {
		result T
		err    error
	}
	outcomes, none := make(chan outcome, 1), *new(T)
	if ctx.Err() != nil {
		return none, ctx.Err()
	}
	if silence := c.Silence(); silence != "" {
		return none, &Silent{Vault: c.Vault, Start: silence}
	}
	if c.waiting.Add(1) > most {
		c.waiting.Add(-1)
		return none, &Silent{Vault: c.Vault, Start: "not responding: too many calls wait for its disk"}
	}
	var decided atomic.Bool // that the caller has the outcome, or that it has gone
	go func() {
		defer c.waiting.Add(-1)
		result, err := do()
		if !decided.CompareAndSwap(false, true) {
			late(result, err)
			return
		}
		outcomes <- outcome{result, err}
	}()
	leave := func(err error) (T, error) {
		if decided.CompareAndSwap(false, true) {
			return none, err
		}
		o := <-outcomes
		return o.result, o.err
	}
	for {
		select {
		case o := <-outcomes:
			return o.result, o.err
		case <-ctx.Done():
			return leave(ctx.Err())
		case <-time.After(facts.SilentAfter / 4):
			c.Ask()
			if silence := c.Silence(); silence != "" {
				return leave(&Silent{Vault: c.Vault, Start: silence})
			}
		}
	}
}
