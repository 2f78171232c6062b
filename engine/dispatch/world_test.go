package dispatch_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/journal/recorder"
	"vaultdispatcher/engine/note"
)

// world is a dispatcher with a real journal, a scripted agent and notes that
// are a list of what was written.
type world struct {
	t       *testing.T
	journal *journal.Journal
	d       *dispatch.Dispatcher
	stop    func() // ends the dispatcher and waits for it

	mu      sync.Mutex // guards the fields below
	asked   []string   // "instruction" of every run, in order
	running int
	most    int // agents at once
	written []string
	texts   []string // task texts
}

// agentFunc answers one run; n counts the runs of this dispatch from 1.
type agentFunc func(ctx context.Context, task agent.Task, n int) (string, error)

type runner struct {
	w   *world
	run agentFunc
	n   map[string]int
}

func (r *runner) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	r.w.mu.Lock()
	r.n[task.ID]++
	n := r.n[task.ID]
	r.w.asked = append(r.w.asked, task.Requests[0].Instruction)
	r.w.texts = append(r.w.texts, task.Text)
	r.w.running++
	r.w.most = max(r.w.most, r.w.running)
	r.w.mu.Unlock()
	defer func() { r.w.mu.Lock(); r.w.running--; r.w.mu.Unlock() }()
	text, err := r.run(ctx, task, n)
	return agent.Reply{Text: text}, err
}

// fakeRoles is what answers; without a function it is the agent of the world, and no role waits for another or shares its limit.
type fakeRoles struct {
	find  func(role string) (string, agent.Runner, error)
	lane  func(role string) string
	share func(a, b string) bool
}

func (r fakeRoles) Find(role string) (string, agent.Runner, error) { return r.find(role) }
func (r fakeRoles) ShareLimit(a, b string) bool {
	return strings.EqualFold(a, b) || r.share != nil && r.share(a, b)
}
func (r fakeRoles) Lane(role string) string {
	if r.lane == nil {
		return ""
	}
	return r.lane(role)
}

// fakeEngine asks with the text of the record; without a function nothing is delayed.
type fakeEngine struct {
	delay func(d journal.Dispatch) time.Duration
}

func (e fakeEngine) MustApprove(d journal.Dispatch) bool { return d.Role == "Approved" }

func (e fakeEngine) DelayFor(d journal.Dispatch) time.Duration {
	if e.delay == nil {
		return 0
	}
	return e.delay(d)
}

func (fakeEngine) HoldsBack(context.Context, journal.Dispatch) bool { return false }

func (fakeEngine) AskAgent(_ context.Context, d journal.Dispatch, run dispatch.AskOnce) ([]string, error) {
	task := agent.Task{ID: d.ID, Text: d.Task}
	for _, m := range d.Markers {
		task.Requests = append(task.Requests, agent.Request{Instruction: m.Instruction, Line: m.Line})
	}
	answers, _, err := agent.Ask(task, len(d.Markers), run)
	return answers, err
}

// fakeWriter keeps what was written.
type fakeWriter struct{ w *world }

func (fakeWriter) Changed(journal.Dispatch) {}

func (f fakeWriter) Submit(d journal.Dispatch) {
	w := f.w
	d, err := w.journal.Get(w.t.Context(), d.ID)
	if err != nil {
		w.t.Error(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	all := []int{}
	for i, m := range d.Markers {
		w.written = append(w.written, m.Answer)
		all = append(all, i)
	}
	if err := w.journal.RecordWritten(w.t.Context(), d.ID, all, [32]byte{}); err != nil {
		w.t.Error(err)
	}
}

type noMeter struct{}

func (noMeter) CountUsage(_ context.Context, _ journal.Dispatch, told agent.Usage, _, _ int) agent.Usage {
	return told
}

// newWorld starts a dispatcher whose agent is run.
func newWorld(t *testing.T, opts dispatch.Options, run agentFunc) *world {
	t.Helper()
	w := &world{t: t}
	var err error
	if w.journal, err = journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))); err != nil {
		t.Fatal(err)
	}
	r := &runner{w: w, run: run, n: make(map[string]int)}
	opts.Journal, opts.Log = w.journal, slog.New(slog.DiscardHandler)
	opts.Record = recorder.New(opts.Log, journal.IsRefused)
	roles, _ := opts.Roles.(fakeRoles)
	if roles.find == nil {
		roles.find = func(string) (string, agent.Runner, error) { return "fake", r, nil }
	}
	engine, _ := opts.Engine.(fakeEngine)
	opts.Roles, opts.Engine, opts.Writer, opts.Meter = roles, engine, fakeWriter{w}, noMeter{}
	if opts.Concurrency == 0 {
		opts.Concurrency = 3
	}
	w.d = dispatch.New(opts)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.d.Run(ctx) }()
	w.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Run returned %v", err)
		}
	})
	return w
}

// close ends the world; it must be called inside the bubble.
func (w *world) close() {
	w.stop()
	if err := w.journal.Close(); err != nil {
		w.t.Error(err)
	}
}

// submit accepts and queues a dispatch of note.md with one marker each.
func (w *world) submit(instructions ...string) journal.Dispatch {
	w.t.Helper()
	d := w.accepted(instructions...)
	w.d.Submit(d)
	<-time.After(time.Millisecond) // fake: keeps the order of creation
	return d
}

// accepted is submit without the queue.
func (w *world) accepted(instructions ...string) journal.Dispatch {
	w.t.Helper()
	return w.acceptedAs("Miner", instructions...)
}

func (w *world) acceptedAs(role string, instructions ...string) journal.Dispatch {
	w.t.Helper()
	d := journal.Dispatch{
		Vault: "/v", File: "note.md", Key: "agent-" + strings.ToLower(role), Role: role, Agent: "vault-mind-" + strings.ToLower(role),
		Trigger: "watch", Task: "task " + instructions[0], Status: journal.Queued, Created: time.Now(),
	}
	if thread, _, ok := strings.Cut(instructions[0], ":"); ok {
		d.TaskID, d.Key = thread, d.Key+":"+thread
	}
	equal := map[string]int{}
	for i, text := range instructions {
		line := "> @agent-" + role + " " + text
		d.Markers = append(d.Markers, journal.Marker{Trace: note.Trace{Line: i + 1, Text: line}, Instruction: text})
		equal[line] = 1
	}
	d, ok, err := w.journal.Accept(w.t.Context(), d, equal)
	if err != nil || !ok {
		w.t.Fatalf("accept %q: %v, %v", instructions, ok, err)
	}
	return d
}

func (w *world) get(id string) journal.Dispatch {
	w.t.Helper()
	d, err := w.journal.Get(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

// runs is how often the agent was asked.
func (w *world) runs() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.asked)
}

// want checks status, attempts and a part of the error.
func (w *world) want(id string, status journal.Status, attempts int, reason string) {
	w.t.Helper()
	d := w.get(id)
	if d.Status != status || d.Attempts != attempts || !strings.Contains(d.Error, reason) {
		w.t.Errorf("dispatch is %s after %d attempts with %q; want %s, %d, %q", d.Status, d.Attempts, d.Error, status, attempts, reason)
	}
}

// wait lets fake time pass until everything that is due by then has happened.
func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func echo(_ context.Context, task agent.Task, _ int) (string, error) {
	return "answer to " + task.Requests[0].Instruction, nil
}

func transient(reason string) error {
	return &agent.Failure{Kind: agent.Transient, Reason: reason}
}

// bubble runs a test in fake time.
func bubble(t *testing.T, name string, test func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

// slow answers after d.
func slow(d time.Duration) agentFunc {
	return func(ctx context.Context, task agent.Task, n int) (string, error) {
		select {
		case <-time.After(d):
			return echo(ctx, task, n)
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}
