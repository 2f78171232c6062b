// Package recorder records the steps of dispatches that must not get lost.
package recorder

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/syserr"
)

// A Recorder records steps that must not get lost: where the journal cannot be
// written, on a full disk for example, it tries again until it can. It is safe for
// concurrent use.
type Recorder struct {
	log       *slog.Logger
	isRefused func(error) bool

	mu      sync.Mutex // guards the field below
	trouble string     // why the journal cannot be written now; empty when it can
}

// New returns a Recorder that logs what it cannot record. isRefused reports whether a step was
// refused, so that no other try helps.
func New(log *slog.Logger, isRefused func(error) bool) *Recorder {
	return &Recorder{log: log, isRefused: isRefused}
}

// Trouble says why nothing can be recorded now, or nothing.
func (r *Recorder) Trouble() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.trouble
}

// recordEvery is how often a step that could not be recorded is tried again.
const recordEvery = 5 * time.Second

// Record takes a step of a dispatch, at least once and until it is recorded, refused
// for the dispatch's state, or ctx ends. The step itself gets a context that
// outlives ctx: how a cancelled run ended must be recorded too.
func (r *Recorder) Record(ctx context.Context, what, id string, step func(context.Context) error) error {
	for {
		err := step(context.WithoutCancel(ctx))
		refused := r.isRefused(err)
		if !refused {
			r.keepTrouble(err)
		}
		if err == nil || refused {
			return err
		}
		r.log.Error("cannot record a step", "step", what, "dispatch", id, "error", err)
		if due.Sleep(ctx, recordEvery) != nil {
			return err
		}
	}
}

// keepTrouble remembers why the journal cannot be written, or that it can.
func (r *Recorder) keepTrouble(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trouble = ""
	if err != nil {
		r.trouble = syserr.Plain(err)
	}
}
