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
// from 1, and whether to ask again at all: after 2 s, then after 8 s. A failure may say that fewer attempts make sense. Any
// error but an agent's is ours (a disk, the journal) and may be temporary.
func askAgain(attempt int, err error) (time.Duration, bool) {
	most := maxAttempts
	if failure, ok := errors.AsType[*agent.Failure](err); ok {
		switch {
		case failure.Kind != agent.Transient:
			return 0, false
		case failure.Tries > 0:
			most = min(most, failure.Tries)
		}
	}
	if attempt >= most {
		return 0, false
	}
	return due.Backoff(attempt), true
}
