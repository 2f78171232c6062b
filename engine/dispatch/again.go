package dispatch

import (
	"errors"
	"time"

	"vaultdispatcher/engine/agent"
)

const (
	// maxAttempts is how often an agent is asked before its dispatch has failed.
	maxAttempts = 3

	// maxWrites is how often a note is tried; an editor may hold it for minutes.
	maxWrites = 6

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
	return fourfold(attempt), true
}

// writeAgain is askAgain for the writing of an answer: 2 s, 8 s, 32 s and so on,
// about 11 minutes in all.
func writeAgain(attempt int) (time.Duration, bool) {
	if attempt >= maxWrites {
		return 0, false
	}
	return fourfold(attempt), true
}

// Sooner is an error of [Options.Write] after which the next try is made within a
// certain time, even where the back-off is longer.
type Sooner struct {
	Err error
	In  time.Duration
}

func (s *Sooner) Error() string { return s.Err.Error() }

func (s *Sooner) Unwrap() error { return s.Err }

// fourfold is 2 s for the first attempt and four times as long for each further.
func fourfold(attempt int) time.Duration { return 2 * time.Second << (2 * (attempt - 1)) }

// kind says whether trying again can help. What is no agent's failure is ours
// (a disk, the journal) and may pass.
func kind(err error) agent.Kind {
	if failure, ok := errors.AsType[*agent.Failure](err); ok {
		return failure.Kind
	}
	return agent.Transient
}
