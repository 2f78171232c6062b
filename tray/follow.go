package tray

import (
	"context"
	"errors"
	"net/http"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
)

const (
	// pollEvery is how long after one call to the engine the next begins, at least.
	pollEvery = 2 * time.Second

	// pollSlowly is how long that becomes where no engine is.
	pollSlowly = 10 * time.Second

	// pollTime is how long an engine has to answer.
	pollTime = 5 * time.Second

	// askFor is how long an engine that refuses to be followed is asked instead.
	askFor = 30 * time.Second
)

// polled is the last result of a call: the status of the engine, or an error.
type polled struct {
	status api.Status
	err    error
}

// follower keeps in touch with the engine. It follows its events, which costs
// nothing while nothing happens, and asks for its status where it is refused that.
type follower struct {
	follow func(ctx context.Context, tell func(api.Status)) error
	ask    func(ctx context.Context) (api.Status, error)
	heard  chan polled   // holds the latest, until it is taken
	hurry  chan struct{} // holds one token when an engine may have come or gone
	every  time.Duration // pollEvery; a test may make it shorter before it runs

	// These belong to the goroutine of run.
	asking time.Time     // until then it does not try to follow
	doubt  bool          // the last call had no answer that says anything
	silent bool          // nothing is heard: a short question is next, not a long wait
	pause  time.Duration // before the next call, if longer than the usual one
}

func newFollower(client func() *client.Client) *follower {
	return &follower{
		follow: func(ctx context.Context, tell func(api.Status)) error { return client().Follow(ctx, tell) },
		ask: func(ctx context.Context) (api.Status, error) {
			ctx, cancel := context.WithTimeout(ctx, pollTime)
			defer cancel()
			return client().Status(ctx)
		},
		heard: make(chan polled, 1), hurry: make(chan struct{}, 1), every: pollEvery,
	}
}

// pollSoon has the next call made as soon as it may be.
func (f *follower) pollSoon() {
	select {
	case f.hurry <- struct{}{}:
	default:
	}
}

// pollForever follows until ctx ends.
func (f *follower) pollForever(ctx context.Context) {
	for ctx.Err() == nil {
		begun := time.Now()
		if f.silent || begun.Before(f.asking) {
			status, err := f.ask(ctx)
			f.silent = f.silent && errors.Is(err, context.DeadlineExceeded)
			f.sendPoll(polled{status, err})
			f.notePoll(err)
		} else {
			f.pollOnce(ctx)
		}
		f.waitForNext(ctx, begun)
	}
}

// pollOnce follows for as long as it lasts.
func (f *follower) pollOnce(ctx context.Context) {
	told := false
	err := f.follow(ctx, func(s api.Status) {
		told = true
		f.sendPoll(polled{status: s})
	})
	refused, _ := errors.AsType[*api.StatusError](err)
	switch {
	case ctx.Err() != nil:
		return
	case isForeign(err): // any program may ask for its status, but it is not for this user
		f.sendPoll(polled{err: err})
		f.pause = pollSlowly
		return
	case refused != nil:
		f.asking = time.Now().Add(max(askFor, refused.RetryAfter))
		f.notePoll(err)
		return
	case errors.Is(err, context.DeadlineExceeded):
		f.silent = true
		f.notePoll(nil)
		return
	case told:
		f.doubt = false
		f.notePoll(nil) // it has ended, or is another one now: the next call says
		return
	case !f.doubt && !errors.Is(err, api.ErrNotRunning) && !errors.Is(err, api.ErrNotOurs):
		f.doubt = true // an engine that is just ending, perhaps
		return
	}
	f.sendPoll(polled{err: err})
	f.notePoll(err)
}

// isForeign reports whether an engine does not take our token: it is another user's, or
// has another state folder.
func isForeign(err error) bool {
	refused, ok := errors.AsType[*api.StatusError](err)
	return ok && refused.Status == http.StatusUnauthorized
}

// notePoll decides how long to wait after a call that ended so.
func (f *follower) notePoll(err error) {
	if f.pause = min(max(f.every, 2*f.pause), pollSlowly); !errors.Is(err, api.ErrNotRunning) {
		f.pause = 0
	}
}

// sendPoll hands on a result. It replaces one that was not taken yet.
func (f *follower) sendPoll(p polled) {
	select {
	case <-f.heard:
	default:
	}
	f.heard <- p
}

// waitForNext waits until the next call, but not long after a token of hurry.
func (f *follower) waitForNext(ctx context.Context, begun time.Time) {
	for hurry := f.hurry; ; {
		select {
		case <-ctx.Done():
			return
		case <-hurry:
			hurry, f.pause = nil, 0
		case <-time.After(time.Until(begun.Add(max(f.pause, f.every)))):
			return
		}
	}
}
