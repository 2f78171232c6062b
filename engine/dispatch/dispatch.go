// Package dispatch gives accepted groups to their agents: at most three of any role at
// once, each from its queued record to answers in the journal, a failure that says
// why, or another try later.
//
// [Dispatcher.Run] does the work until its context ends; [Dispatcher.Submit]
// hands it a record the journal has accepted, and [Options.Write] takes each record
// that has its answers. Everything that must survive a crash is in the journal before
// the next step begins; the Dispatcher itself holds only which records wait and run,
// the batches they form, and copies of the limits.
//
// # Promises
//
// A dispatch never runs twice at the same time. A new question does not wait behind a pile, and no
// pile waits for ever: the newest and the oldest start by turns. Questions that came with many others
// are behind the rest, except in one turn of four. A rate-limited agent is not asked again before the
// time it gave, whatever crashes in between, unless that time is past or over 32 days away; only
// [Dispatcher.Retry] tries it sooner. All answers of a group are kept together, and its slot is free
// as soon as they are. When the context ends, running agents get [Options.Grace] to finish and are
// then ended with their process trees; a run that is ended this way is no attempt and starts again
// with the next engine. All methods but Run are safe for concurrent use.
package dispatch

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/recorder"
)

// Modes of wiki.dispatch.mode.
const (
	Tasks = "tasks" // the groups of a note run beside each other
	Chain = "chain" // one after the other, each seeing the answer before it
)

// MaxConcurrency is the most agents that run at once, whatever the setting.
const MaxConcurrency = 3

// Options are what a Dispatcher works with. All of it must be safe for concurrent use.
type Options struct {
	Journal     *journal.Journal
	Record      *recorder.Recorder // of every step; nil is one of its own
	Concurrency int                // 1 to MaxConcurrency
	Mode        string             // Tasks or Chain
	Grace       time.Duration      // how long running agents may continue when the engine ends

	Roles  Roles
	Engine Engine
	Writer Writer
	Meter  Meter

	Log *slog.Logger
}

// Roles is what answers, as the dispatcher sees it.
type Roles interface {
	// Find finds what answers a role; an error says in one sentence why nothing does.
	Find(role string) (name string, runner agent.Runner, err error)

	// ShareLimit reports whether two roles are answered alike, so that what limits one
	// limits the other.
	ShareLimit(a, b string) bool

	// Lane returns the name that roles share if they are answered one at a time; "" means no lane.
	Lane(role string) string
}

// Engine is the engine, as the dispatcher sees it.
type Engine interface {
	// DelayFor says how long the agent of a record may not be asked yet.
	DelayFor(d journal.Dispatch) time.Duration

	// HoldsBack holds a record that is about to be asked where a limit has no room for it, and says so.
	HoldsBack(ctx context.Context, d journal.Dispatch) bool

	// MustApprove reports whether a person has to approve the answers of a record before they are written.
	MustApprove(d journal.Dispatch) bool

	// AskAgent gets one answer for each marker of a record, by asking its agent once or more.
	// It is called when the record has its slot.
	AskAgent(ctx context.Context, d journal.Dispatch, run AskOnce) ([]string, error)
}

// Writer is the queue of answers to write, as the dispatcher sees it.
type Writer interface {
	// Submit takes a record whose answers are in the journal, to put them into its
	// note. It never waits: the slot is free at once.
	Submit(d journal.Dispatch)

	// Changed says that work on a record has begun or ended. It does not wait for anything.
	Changed(d journal.Dispatch)
}

// Meter counts what agents cost.
type Meter interface {
	// CountUsage takes what a run of a record's agent has told of its cost, and how many bytes it was asked and has
	// answered, and returns what is kept of that in the record.
	CountUsage(ctx context.Context, d journal.Dispatch, told agent.Usage, asked, answered int) agent.Usage
}

// AskOnce asks the agent of a record once.
type AskOnce func(agent.Task) (agent.Reply, error)

// Dispatcher is the queue and the agents at work.
type Dispatcher struct {
	opts   Options
	agenda *due.Queue[struct{}] // when to look at the queue again

	limits limits

	mu      sync.Mutex       // guards the fields below
	waiting []entry          // in the order they were created
	running map[string]run   // by id
	retried map[string]entry // retries that came while their run was ending
	turns   int              // how many have begun; it says whose turn is the next
	stopped bool
}

// entry is one record that waits for its turn.
type entry struct {
	d       journal.Dispatch
	dueTime time.Time // not before; zero = at once

	awaitsLimit bool // it waits for the limit of its role
	isForced    bool // a person wants it asked now, whatever the limit
	isFresh     bool // the queue has not looked at it yet
	gathers     bool // it waits for others to go with it, and begins with them
}

// run is one record at work.
type run struct {
	d      journal.Dispatch
	cancel context.CancelCauseFunc
	batch  *batch // it begins with; nil = it is asked alone
	slot   *slot
}

// errCancelled is why a run was ended from outside; [agent.ErrStopping] is the other reason.
var errCancelled = errors.New("cancelled")

// New returns a Dispatcher; nothing runs before Run.
func New(opts Options) *Dispatcher {
	if opts.Concurrency < 1 || opts.Concurrency > MaxConcurrency {
		opts.Concurrency = MaxConcurrency
	}
	if opts.Record == nil {
		opts.Record = recorder.New(opts.Log, journal.IsRefused)
	}
	return &Dispatcher{opts: opts, agenda: due.New[struct{}](), running: make(map[string]run), retried: make(map[string]entry)}
}

// Submit queues a record. A record with answers is passed to the writer; one that already waits or
// runs is left alone.
func (p *Dispatcher) Submit(d journal.Dispatch) {
	if d.Answered {
		p.opts.Writer.Submit(d)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	at := due.Believable(d.NextAttempt)
	p.insertEntry(entry{d: d, dueTime: at, isFresh: at.IsZero()})
}

// insertEntry is Submit for callers that hold mu. Entries are in the order of their creation, so that
// a chain keeps it through retries.
func (p *Dispatcher) insertEntry(e entry) {
	if p.isRunning(e.d.ID) || p.indexOf(e.d.ID) >= 0 {
		return
	}
	at := len(p.waiting)
	for at > 0 && p.waiting[at-1].d.Created.After(e.d.Created) {
		at--
	}
	p.waiting = slices.Insert(p.waiting, at, e)
	p.wakeRun()
}

// Running returns how many records are at work.
func (p *Dispatcher) Running() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.running)
}

// Run works until ctx ends and returns when the last agent has ended.
func (p *Dispatcher) Run(ctx context.Context) error {
	// Agents outlive ctx by the grace period, so their context is not its child.
	p.takeUpLimits(ctx)
	work, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	var agents sync.WaitGroup
	p.wakeRun()
	p.agenda.Run(ctx, func(struct{}) { p.agenda.PutIfNew(struct{}{}, p.startDue(work, &agents)) })
	p.drainAgents(&agents, end)
	return ctx.Err()
}

// drainAgents gives running agents the grace period and then ends them.
func (p *Dispatcher) drainAgents(agents *sync.WaitGroup, end context.CancelCauseFunc) {
	p.mu.Lock()
	p.stopped = true
	p.mu.Unlock()
	done := make(chan struct{})
	go func() { agents.Wait(); close(done) }()
	grace := time.NewTimer(p.opts.Grace)
	defer grace.Stop()
	select {
	case <-done:
	case <-grace.C:
		end(agent.ErrStopping)
		<-done
	}
}

// idle is how long Run sleeps when nothing waits; a Submit wakes it.
const idle = time.Hour
