package dispatch

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/journal"
)

// A batch is a payload in the making: entries of one vault that begin together
// and whose runners carry each other's tasks, in chain mode groups of one note.
// Each has its own goroutine and its own record as ever; they meet to be asked.
// The first of them asks for all, when each has handed over its task or has left.
type batch struct {
	chain       bool
	concurrency int
	ctx         context.Context // of the run; ends when one of them is cancelled
	cancel      context.CancelFunc
	assembly    chan struct{} // closed when no member is missing any more
	completion  chan struct{} // closed when outcomes are there

	mu       sync.Mutex // guards the fields below; outcomes only until completion is closed
	members  []member   // in the order of the queue
	missing  int        // members without a task, and one more while some may still join
	started  bool
	outcomes map[string]agent.Outcome
}

type member struct {
	id       string
	task     agent.Task
	arrived  bool // its task has been handed over
	departed bool
}

func newBatch(ctx context.Context, chain bool, concurrency int) *batch {
	b := &batch{chain: chain, concurrency: concurrency, missing: 1, assembly: make(chan struct{}), completion: make(chan struct{})}
	b.ctx, b.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return b
}

// gather is how long an entry that may go with others waits for them: the groups
// of a note are accepted one by one.
const gather = 250 * time.Millisecond

// batchesByKey are the batches of one look at the queue, by what may go together.
type batchesByKey map[string]*batch

// batchKey says what the task of an entry may go together with; nothing where its
// runner carries one at a time, or is at its limit.
func (p *Dispatcher) batchKey(d journal.Dispatch) string {
	if _, limited := p.limits.limitOf(d.Role, p.opts.Roles.ShareLimit, time.Now()); limited {
		return ""
	}
	_, runner, err := p.opts.Roles.Find(d.Role)
	carrier, ok := runner.(agent.BatchRunner)
	if err != nil || !ok {
		return ""
	}
	key := d.Vault + "\x00" + carrier.BatchKey()
	if p.opts.Mode == Chain && d.Asked != "" {
		return "" // it is no part of a chain
	}
	if p.opts.Mode == Chain {
		key += "\x00" + d.File + "\x00" + d.Thread() // which sees itself alone
	}
	return key
}

// joinBatch adds an entry to the batch it belongs to and returns that.
func (l batchesByKey) joinBatch(ctx context.Context, p *Dispatcher, d journal.Dispatch) *batch {
	key := p.batchKey(d)
	if key == "" {
		return nil
	}
	if l[key] == nil {
		l[key] = newBatch(ctx, p.opts.Mode == Chain, p.opts.Concurrency)
	}
	l[key].addMember(d.ID)
	return l[key]
}

// areTogether reports whether d may begin although the run r of its note has: both
// are in a payload of this look at the queue.
func (l batchesByKey) areTogether(p *Dispatcher, r run, d journal.Dispatch) bool {
	if r.batch == nil {
		return false
	}
	key := p.batchKey(d)
	return key != "" && l[key] == r.batch
}

// hasBatchFor reports whether a batch has begun that d may join.
func (l batchesByKey) hasBatchFor(p *Dispatcher, d journal.Dispatch) bool {
	key := p.batchKey(d)
	return key != "" && l[key] != nil
}

// sealAll says that no other entry will join.
func (l batchesByKey) sealAll() {
	for _, b := range l {
		b.mu.Lock()
		b.countArrival()
		b.mu.Unlock()
	}
}

func (b *batch) addMember(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.members = append(b.members, member{id: id})
	b.missing++
}

// countArrival counts one that is not missing any more; the caller holds mu.
func (b *batch) countArrival() {
	b.missing--
	if b.missing == 0 {
		b.started = true
		close(b.assembly)
	}
}

// removeMember is for one that ends without having been asked, or before the others
// were. It is too late when the run has started.
func (b *batch) removeMember(id string) (left bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.members, func(m member) bool { return m.id == id })
	m := &b.members[i]
	if m.departed || b.started {
		return m.departed
	}
	m.departed = true
	if !m.arrived {
		b.countArrival()
	}
	return true
}

// addTask gives the task of one to the batch; false when it has had its turn.
func (b *batch) addTask(id string, task agent.Task) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.members, func(m member) bool { return m.id == id })
	if b.members[i].arrived {
		return false
	}
	b.members[i].task, b.members[i].arrived = task, true
	b.countArrival()
	return true
}

// collectPayload is what is asked, and by whom: the first that has stayed.
func (b *batch) collectPayload() (ids []string, p agent.Batch) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p = agent.Batch{Chain: b.chain, Concurrency: b.concurrency}
	for _, m := range b.members {
		if m.arrived && !m.departed {
			ids, p.Tasks = append(ids, m.id), append(p.Tasks, m.task)
		}
	}
	return ids, p
}

// runMember hands a task over and returns what became of it. When one of a batch is
// cancelled its agents end, and the others have had no turn.
func (b *batch) runMember(ctx context.Context, id string, runner agent.BatchRunner, task agent.Task) (agent.Reply, error) {
	if !b.addTask(id, runner.Own(task)) {
		return runner.Run(ctx, task) // the repair of its reply
	}
	select {
	case <-b.assembly:
	case <-ctx.Done():
		if b.removeMember(id) {
			return agent.Reply{}, ctx.Err()
		}
	}
	stop := context.AfterFunc(ctx, b.cancel)
	defer stop()
	if ids, payload := b.collectPayload(); ids[0] == id {
		b.askAll(ids, payload, runner)
	}
	<-b.completion
	outcome := b.outcomes[id]
	switch {
	case ctx.Err() != nil:
		return agent.Reply{}, ctx.Err()
	case errors.Is(outcome.Err, context.Canceled):
		return agent.Reply{}, agent.ErrNoTurn
	}
	return outcome.Reply, outcome.Err
}

// askAll runs the payload. One alone is no batch.
func (b *batch) askAll(ids []string, payload agent.Batch, runner agent.BatchRunner) {
	defer close(b.completion)
	defer b.cancel()
	outcomes := make(map[string]agent.Outcome, len(ids))
	if len(ids) == 1 {
		reply, err := runner.Run(b.ctx, payload.Tasks[0])
		outcomes[ids[0]] = agent.Outcome{Reply: reply, Err: err}
	} else {
		for i, outcome := range runner.RunBatch(b.ctx, payload) {
			outcomes[ids[i]] = outcome
		}
	}
	b.outcomes = outcomes
}

// runTask asks a runner for one task, together with others where the run has begun
// with them. A fault in a runner of our own must not end a process that watches over notes for years:
// it is that dispatch's failure.
func (p *Dispatcher) runTask(ctx context.Context, id string, runner agent.Runner, task agent.Task) (reply agent.Reply, err error) {
	p.mu.Lock()
	b, slot := p.running[id].batch, p.running[id].slot
	p.mu.Unlock()
	task.Rest = func(ctx context.Context, pause time.Duration) error { return p.rest(ctx, slot, pause) }
	defer func() {
		if fault := recover(); fault != nil {
			p.opts.Log.Error("a runner has a fault", "dispatch", id, "fault", fault, "stack", string(debug.Stack()))
			reply, err = agent.Reply{}, agent.Fault(fault)
		}
	}()
	carrier, ok := runner.(agent.BatchRunner)
	if b == nil || !ok {
		return runner.Run(ctx, task)
	}
	return b.runMember(ctx, id, carrier, task)
}
