package dispatch

import (
	"errors"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/due"
)

const (
	// maxAttempts is how often an agent is asked before its dispatch has failed.
	maxAttempts = 3

	// maxStarts guards against a note whose run takes the engine down with it:
	// a run ended by our own stop or crash is no attempt, but it is counted.
	maxStarts = 10
)

// askAgain returns how long to wait after the given failed attempt, counted
// from 1, and whether to ask again at all: after 2 s, then after 8 s.
func askAgain(attempt int, kind agent.Kind) (time.Duration, bool) {
	if kind != agent.Transient || attempt >= maxAttempts {
		return 0, false
	}
	return due.Backoff(attempt), true
}

// kindOf says whether trying again can help. Any error but an agent's is ours
// (a disk, the journal) and may be temporary.
func kindOf(err error) agent.Kind {
	if failure, ok := errors.AsType[*agent.Failure](err); ok {
		return failure.Kind
	}
	return agent.Transient
}
