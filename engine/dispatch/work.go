package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/syserr"
)

// workOn carries one record to its answers. It returns the entry as it waits for
// another try, and whether there is one.
//
// A step that cannot be recorded is tried until it can be or the run is ended; then the record does
// not change and is taken up when the engine starts next.
func (p *Dispatcher) workOn(ctx context.Context, e entry) (entry, bool) {
	if wait := p.opts.Engine.DelayFor(e.d); wait > 0 {
		return entry{d: e.d, dueTime: time.Now().Add(wait), isForced: e.isForced}, true
	}
	if l, limited := p.limits.limitOf(e.d.Role, p.opts.Roles.ShareLimit, time.Now()); limited && !e.isForced {
		return p.postponeEntry(ctx, e.d, l)
	}
	if !e.isForced && p.opts.Engine.HoldsBack(ctx, e.d) {
		return entry{}, false
	}
	d, err := p.beginRun(ctx, e.d)
	if err != nil {
		return entry{}, false
	}
	p.opts.Writer.Changed(d)
	if d.Answered { // since it was submitted; it is never asked again
		p.opts.Writer.Submit(d)
		return entry{}, false
	}
	if d.Starts > maxStarts {
		return p.recordFailure(ctx, d, fmt.Sprintf("its run was interrupted %d times; see what ended the engine", maxStarts))
	}
	answers, err := p.askAgent(ctx, d)
	keep := p.opts.Journal.RecordAnswers
	if p.opts.Engine.MustApprove(d) {
		keep = p.opts.Journal.RecordProposal
	}
	if err == nil {
		err = p.opts.Record.Record(ctx, "keep the answer", d.ID, func(ctx context.Context) error { return keep(ctx, d.ID, answers) })
	}
	if err != nil {
		return p.handleNoAnswer(ctx, d, err)
	}
	d.Answered, d.File = true, p.currentFile(d)
	p.opts.Writer.Submit(d)
	return entry{}, false
}

// beginRun moves a queued record to processing.
func (p *Dispatcher) beginRun(ctx context.Context, d journal.Dispatch) (journal.Dispatch, error) {
	name, _, _ := p.opts.Roles.Find(d.Role) // ask reports a role without a runner
	err := p.opts.Record.Record(ctx, "begin dispatch", d.ID, func(ctx context.Context) (err error) {
		d, err = p.opts.Journal.Start(ctx, d.ID, name, time.Now())
		return err
	})
	return d, err
}

// askAgent gets one answer per marker from the agent of d.
func (p *Dispatcher) askAgent(ctx context.Context, d journal.Dispatch) ([]string, error) {
	_, runner, err := p.opts.Roles.Find(d.Role)
	if err != nil {
		return nil, &agent.Failure{Kind: agent.Permanent, Reason: syserr.Plain(err)}
	}
	return p.opts.Engine.AskAgent(ctx, d, func(task agent.Task) (agent.Reply, error) { return p.runAgent(ctx, d, runner, task) })
}

// runAgent asks an agent once and keeps what that has cost.
func (p *Dispatcher) runAgent(ctx context.Context, d journal.Dispatch, runner agent.Runner, task agent.Task) (agent.Reply, error) {
	reply, err := p.runTask(ctx, d.ID, runner, task)
	cost := reply.Usage
	if failure, ok := errors.AsType[*agent.Failure](err); ok {
		cost = cost.Plus(failure.Usage)
	}
	if err == nil || cost != (agent.Usage{}) {
		cost = p.opts.Meter.CountUsage(ctx, d, cost, len(task.Text), len(reply.Text))
	}
	if cost != (agent.Usage{}) {
		_ = p.opts.Record.Record(ctx, "keep what it has cost", d.ID, func(ctx context.Context) error {
			return p.opts.Journal.AddUsage(ctx, d.ID, journal.Usage(cost))
		})
	}
	if err == nil {
		p.clearLimit(ctx, d.Role)
	}
	return reply, err
}

// handleNoAnswer records why there is no answer and says when to ask again.
func (p *Dispatcher) handleNoAnswer(ctx context.Context, d journal.Dispatch, err error) (entry, bool) {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errCancelled), errors.Is(err, journal.ErrState):
		return entry{}, false // Cancel has recorded it
	case errors.Is(cause, agent.ErrStopping):
		return p.queueAgain(ctx, d, "the engine stopped", 0, journal.Count{})
	}
	if until, ok := limitedBy(err); ok {
		if l, ok := p.limits.addLimit(d.Role, syserr.Plain(err), until, time.Now()); ok {
			return p.recordLimit(ctx, d, l)
		}
	}
	if errors.Is(err, agent.ErrNoTurn) {
		next, ok := p.queueAgain(ctx, d, syserr.Plain(err), gather, journal.Count{Starts: -1}) // no agent was asked
		next.gathers = true
		return next, ok
	}
	if syserr.IsWorded(err) {
		p.opts.Log.Warn("an agent cannot be asked now", "dispatch", d.ID, "error", err)
	}
	delay, again := askAgain(d.Attempts+1, err)
	if !again {
		return p.recordFailure(ctx, d, syserr.Plain(err))
	}
	return p.queueAgain(ctx, d, syserr.Plain(err), delay, journal.Count{Attempts: 1})
}

// recordFailure records that d has failed; there is nothing more to do.
func (p *Dispatcher) recordFailure(ctx context.Context, d journal.Dispatch, reason string) (entry, bool) {
	_ = p.opts.Record.Record(ctx, "record failure", d.ID, func(ctx context.Context) error {
		return p.opts.Journal.Fail(ctx, d.ID, reason)
	})
	return entry{}, false
}

// queueAgain records that d waits for another try and returns it as it waits.
func (p *Dispatcher) queueAgain(ctx context.Context, d journal.Dispatch, reason string, delay time.Duration, tried journal.Count) (entry, bool) {
	due := time.Now().Add(delay)
	err := p.opts.Record.Record(ctx, "queue dispatch again", d.ID, func(ctx context.Context) error {
		return p.opts.Journal.Requeue(ctx, d.ID, reason, due, tried)
	})
	if err != nil {
		return entry{}, false
	}
	err = p.opts.Record.Record(ctx, "read dispatch", d.ID, func(ctx context.Context) (err error) {
		d, err = p.opts.Journal.Get(ctx, d.ID)
		return err
	})
	return entry{d: d, dueTime: due}, err == nil
}
