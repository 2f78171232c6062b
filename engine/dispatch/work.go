package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/journal"
)

// work carries one record as far as it comes. It returns the entry as it waits
// for another try, and whether there is one.
//
// The journal is told with a context that outlives the run: a cancelled run must
// still be recorded.
func (p *Dispatcher) work(ctx context.Context, e entry) (entry, bool) {
	record := context.WithoutCancel(ctx)
	d, err := p.begin(record, e.d)
	if err != nil {
		p.report("begin dispatch", e.d.ID, err)
		return entry{}, false
	}
	if !d.Answered {
		if d.Starts > maxStarts {
			p.fail(record, d, fmt.Sprintf("its run was interrupted %d times; see what ended the engine", maxStarts))
			return entry{}, false
		}
		answers, err := p.ask(ctx, d)
		if err != nil {
			return p.unanswered(ctx, d, err)
		}
		if err := p.opts.Journal.Answered(record, d.ID, answers); err != nil {
			return p.unanswered(ctx, d, fmt.Errorf("keep the answer: %w", err))
		}
		d.Answered = true
		for i := range d.Markers {
			d.Markers[i].Answer = answers[i]
		}
	}
	if err := p.opts.Write(record, d); err != nil {
		return p.unwritten(record, d, e.writes+1, err)
	}
	return entry{}, false
}

// begin moves a queued record to processing. A record whose answers were there
// when the last engine ended is there already.
func (p *Dispatcher) begin(ctx context.Context, d journal.Dispatch) (journal.Dispatch, error) {
	if d.Status == journal.Processing && d.Answered {
		return d, nil
	}
	name, _, _ := p.opts.Runner(d.Role) // a role without a runner is ask's to report
	return p.opts.Journal.Start(ctx, d.ID, name, time.Now())
}

// ask gets one answer per marker, with one repair of a reply that cannot be read.
func (p *Dispatcher) ask(ctx context.Context, d journal.Dispatch) ([]string, error) {
	_, runner, err := p.opts.Runner(d.Role)
	if err != nil {
		return nil, &agent.Failure{Kind: agent.Permanent, Reason: err.Error()}
	}
	task, err := p.opts.Task(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("build the task: %w", err)
	}
	reply, err := runner.Run(ctx, task)
	if err != nil {
		return nil, err
	}
	answers, problem := agent.ParseReply(reply.Text, len(d.Markers))
	if problem == nil {
		return answers, nil
	}
	reply, err = runner.Run(ctx, agent.RepairTask(task, reply.Text, problem))
	if err != nil {
		return nil, err
	}
	answers, problem = agent.ParseReply(reply.Text, len(d.Markers))
	if problem != nil {
		return nil, &agent.Failure{Kind: agent.Permanent, Reason: fmt.Sprintf("the reply cannot be used: %v", problem)}
	}
	return answers, nil
}

// unanswered records why there is no answer and says when to ask again.
func (p *Dispatcher) unanswered(ctx context.Context, d journal.Dispatch, err error) (entry, bool) {
	record := context.WithoutCancel(ctx)
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errCancelled), errors.Is(err, journal.ErrState):
		return entry{}, false // Cancel has recorded it
	case errors.Is(cause, errStopping):
		return p.requeue(record, d, "the engine stopped", 0, false)
	}
	delay, again := askAgain(d.Attempts+1, kind(err))
	if !again {
		p.fail(record, d, err.Error())
		return entry{}, false
	}
	return p.requeue(record, d, err.Error(), delay, true)
}

// unwritten keeps the answers and says when to try the note again.
func (p *Dispatcher) unwritten(ctx context.Context, d journal.Dispatch, writes int, err error) (entry, bool) {
	delay, again := writeAgain(writes)
	if !again {
		p.fail(ctx, d, fmt.Sprintf("the answer is kept but cannot be written: %v", err))
		return entry{}, false
	}
	e, ok := p.requeue(ctx, d, err.Error(), delay, false)
	e.writes = writes
	return e, ok
}

// fail records that d has failed.
func (p *Dispatcher) fail(ctx context.Context, d journal.Dispatch, reason string) {
	if err := p.opts.Journal.Fail(ctx, d.ID, reason); err != nil {
		p.report("record failure", d.ID, err)
	}
}

// requeue records that d waits for another try and returns it as it waits.
func (p *Dispatcher) requeue(ctx context.Context, d journal.Dispatch, reason string, delay time.Duration, attempt bool) (entry, bool) {
	due := time.Now().Add(delay)
	if err := p.opts.Journal.Requeue(ctx, d.ID, reason, due, attempt); err != nil {
		p.report("queue dispatch again", d.ID, err)
		return entry{}, false
	}
	d, err := p.opts.Journal.Get(ctx, d.ID)
	if err != nil {
		p.report("read dispatch", d.ID, err)
		return entry{}, false
	}
	return entry{d: d, due: due}, true
}

// report logs that a step could not be recorded; the record stays as it was and
// is taken up again when the engine starts next.
func (p *Dispatcher) report(msg, id string, err error) {
	p.opts.Log.Error(msg, "dispatch", id, "error", err)
}
