package vault

import (
	"context"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/vault/facts"
)

// WhileResponding calls a function that may touch the vault's disk, for a caller that
// does not wait for a disk which does not respond. The call is then left behind, because
// a system call that hangs cannot be ended.
func WhileResponding[T any](ctx context.Context, v *Vault, do func() (T, error)) (T, error) {
	return WhileRespondingElse(ctx, v, do, func(T, error) {})
}

// mostBehind is how many calls may wait for a vault's disk at a time. Each that hangs keeps a thread of the system,
// and a Go program with 10,000 of them ends (https://pkg.go.dev/runtime/debug#SetMaxThreads).
const mostBehind = 64

// WhileRespondingElse is WhileResponding for a call that has to be heard: what comes of
// it after its caller has gone is for late. Where the disk is known not to respond, or
// too many calls wait for it, nothing is begun.
func WhileRespondingElse[T any](ctx context.Context, v *Vault, do func() (T, error), late func(T, error)) (T, error) {
	type outcome struct {
		result T
		err    error
	}
	outcomes, none := make(chan outcome, 1), *new(T)
	if ctx.Err() != nil {
		return none, ctx.Err()
	}
	if silence := v.facts.Silence(); silence != "" {
		return none, &Silent{Vault: v.Name, Since: silence}
	}
	if v.behind.Add(1) > mostBehind {
		v.behind.Add(-1)
		return none, &Silent{Vault: v.Name, Since: "not responding: too many calls wait for its disk"}
	}
	var decided atomic.Bool // that the caller has the outcome, or that it has gone
	go func() {
		defer v.behind.Add(-1)
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
			v.AskFacts()
			if silence := v.facts.Silence(); silence != "" {
				return leave(&Silent{Vault: v.Name, Since: silence})
			}
		}
	}
}

// Silent says that the disk of a vault does not respond.
type Silent struct {
	Vault string
	Since string // in words
}

func (s *Silent) Error() string { return "the vault " + s.Vault + " is " + s.Since }

// BeginUndo claims the markers before they are back: from here on every look at
// the note knows whose they are. It waits for a look at work, and so for the disk, but
// not for one that does not respond: then the error is a [Silent], and nothing has begun.
func (v *Vault) BeginUndo(ctx context.Context, d journal.Dispatch) (journal.Dispatch, error) {
	unlock, err := WhileRespondingElse(ctx, v, func() (func(), error) {
		v.mu.Lock()
		v.isGone(d.File) // a disk that hangs shows itself here, before anything is recorded
		return v.mu.Unlock, nil
	}, func(unlock func(), _ error) { unlock() })
	if err != nil {
		return d, err
	}
	defer unlock()
	if d, err = v.opts.Journal.BeginUndo(ctx, d.ID); err == nil {
		v.tracked[d.File] = true
	}
	return d, err
}
