package dispatch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/journal"
)

// This file holds what is done to a dispatch from outside: by a person, or
// because its note has changed.

// Cancel ends a dispatch whose line has changed. It returns an error of the
// journal when the dispatch is in no state to be cancelled; an agent at work is
// ended after Cancel has returned.
func (p *Dispatcher) Cancel(ctx context.Context, id, reason string) error {
	if err := p.opts.Journal.Cancel(ctx, id, reason); err != nil {
		return fmt.Errorf("cancel dispatch %s: %w", id, err)
	}
	p.endRun(id)
	return nil
}

// Withhold is Cancel at a person's wish: the marker remains, and no save starts it again until its
// line changes or the person retries it.
func (p *Dispatcher) Withhold(ctx context.Context, id, reason string) error {
	if err := p.opts.Journal.Withhold(ctx, id, reason); err != nil {
		return fmt.Errorf("cancel dispatch %s: %w", id, err)
	}
	p.endRun(id)
	return nil
}

// Hold lets a dispatch that no agent has begun with wait for a person. A dispatch that has begun
// continues, and for one that has ended the journal returns an error.
func (p *Dispatcher) Hold(ctx context.Context, id string, kind journal.HoldKind, reason string) error {
	taken, waits := p.takeWaiting(id)
	if !waits {
		if d, err := p.opts.Journal.Get(ctx, id); err != nil || d.Status != journal.Scheduled {
			return err
		}
	}
	if err := p.opts.Journal.Hold(ctx, id, kind, reason, time.Time{}); err != nil {
		if waits && !errors.Is(err, journal.ErrState) { // it is still queued, and waits for its slot as before
			p.mu.Lock()
			p.insertEntry(taken)
			p.mu.Unlock()
		}
		return fmt.Errorf("hold dispatch %s: %w", id, err)
	}
	return nil
}

// takeWaiting takes a dispatch out of the queue; ok says whether it was there.
func (p *Dispatcher) takeWaiting(id string) (taken entry, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := p.indexOf(id)
	if i < 0 {
		return entry{}, false
	}
	taken = p.waiting[i]
	p.waiting = slices.Delete(p.waiting, i, i+1)
	return taken, true
}

// endRun takes a cancelled dispatch out of the queue or ends its agent.
func (p *Dispatcher) endRun(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r, ok := p.running[id]; ok {
		r.cancel(errCancelled)
	}
	if i := p.indexOf(id); i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
	}
}

// Moved says that the question of a dispatch is in another note now.
func (p *Dispatcher) Moved(id, file string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r, ok := p.running[id]; ok {
		r.d.File = file
		p.running[id] = r
	}
	if i := p.indexOf(id); i >= 0 {
		p.waiting[i].d.File = file
		p.wakeRun()
	}
}

// currentFile returns the note of a running dispatch, which may have moved since it
// began.
func (p *Dispatcher) currentFile(d journal.Dispatch) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.running[d.ID].d.File
}

// Retry runs a failed, held or waiting dispatch now, also one that waits for the
// limit of its role: a person may know better.
func (p *Dispatcher) Retry(ctx context.Context, id string) error {
	d, err := p.opts.Journal.Retry(ctx, id, journal.TriggerRetry)
	return p.submitStep("retry dispatch %s: %w", entry{d: d, isForced: true}, id, err)
}

// AskAgain asks the agent of a dispatch anew, whether there is an answer or not.
func (p *Dispatcher) AskAgain(ctx context.Context, id string) error {
	d, err := p.opts.Journal.Renew(ctx, id)
	return p.submitStep("ask dispatch %s again: %w", entry{d: d, isForced: true}, id, err)
}

// Release starts a held dispatch; by says at whose wish.
func (p *Dispatcher) Release(ctx context.Context, id, by string) error {
	d, err := p.opts.Journal.Release(ctx, id, by)
	return p.submitStep("release dispatch %s: %w", entry{d: d}, id, err)
}

// Reject asks the agent of a proposal again, with the reason why its answer is not wanted.
func (p *Dispatcher) Reject(ctx context.Context, id, because string) error {
	d, err := p.opts.Journal.Reject(ctx, id, because)
	return p.submitStep("reject the answer of dispatch %s: %w", entry{d: d, isForced: true}, id, err)
}

// submitStep queues the record that a step has made of a dispatch; format is that of its error.
func (p *Dispatcher) submitStep(format string, e entry, id string, err error) error {
	if err != nil {
		return fmt.Errorf(format, id, err)
	}
	p.submitAgain(e)
	return nil
}

// submitAgain queues a record that was queued before, in its new form.
func (p *Dispatcher) submitAgain(e entry) {
	if e.d.Answered {
		p.opts.Writer.Submit(e.d)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.running[e.d.ID]; ok { // it has recorded its end and is about to go
		p.retried[e.d.ID] = e
		return
	}
	if i := p.indexOf(e.d.ID); i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
	}
	p.insertEntry(e)
}
