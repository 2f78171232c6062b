package dispatch_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
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

// newWorld starts a dispatcher whose agent is run and whose writes fail as
// write says.
func newWorld(t *testing.T, opts dispatch.Options, run agentFunc, write func(n int) error) *world {
	t.Helper()
	w := &world{t: t}
	var err error
	if w.journal, err = journal.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")); err != nil {
		t.Fatal(err)
	}
	r := &runner{w: w, run: run, n: make(map[string]int)}
	writes := 0
	opts.Journal, opts.Log = w.journal, slog.New(slog.DiscardHandler)
	if opts.Runner == nil {
		opts.Runner = func(string) (string, agent.Runner, error) { return "fake", r, nil }
	}
	opts.Task = func(_ context.Context, d journal.Dispatch) (agent.Task, error) {
		task := agent.Task{ID: d.ID, Text: d.Task}
		for _, m := range d.Markers {
			task.Requests = append(task.Requests, agent.Request{Instruction: m.Instruction, Line: m.Line})
		}
		return task, nil
	}
	opts.Write = func(ctx context.Context, d journal.Dispatch) error {
		writes++
		if write != nil {
			if err := write(writes); err != nil {
				return err
			}
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		all := []int{}
		for i, m := range d.Markers {
			w.written = append(w.written, m.Answer)
			all = append(all, i)
		}
		return w.journal.Written(ctx, d.ID, all, [32]byte{})
	}
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
	d := journal.Dispatch{
		Vault: "/v", File: "note.md", Key: "agent-miner", Role: "Miner", Agent: "vault-mind-miner",
		Trigger: "watch", Task: "task " + instructions[0], Status: journal.Queued, Created: time.Now(),
	}
	equal := map[string]int{}
	for i, text := range instructions {
		line := "> @agent-Miner " + text
		d.Markers = append(d.Markers, journal.Marker{Line: i + 1, Text: []byte(line), Instruction: text})
		equal[line] = 1
	}
	d, ok, err := w.journal.Accept(w.t.Context(), d, equal)
	if err != nil || !ok {
		w.t.Fatalf("accept %q: %v, %v", instructions, ok, err)
	}
	w.d.Submit(d)
	time.Sleep(time.Millisecond) // fake: keeps the order of creation
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

func TestRun(t *testing.T) {
	bubble(t, "an answer is kept and written", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, echo, nil)
		defer w.close()
		d := w.submit("one")
		wait(time.Second)
		w.want(d.ID, journal.Done, 0, "")
		if got := w.get(d.ID).Markers[0].Answer; got != "answer to one" {
			t.Errorf("answer %q", got)
		}
	})
	bubble(t, "three at once, never four", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Concurrency: 3}, slow(time.Second), nil)
		defer w.close()
		for i := range 10 {
			w.submit(fmt.Sprint(i))
		}
		wait(time.Minute)
		if w.most != 3 || len(w.written) != 10 {
			t.Errorf("%d at once, %d written", w.most, len(w.written))
		}
	})
	bubble(t, "all answers of a group or none", func(t *testing.T) {
		half := func(context.Context, agent.Task, int) (string, error) {
			return `{"responses":[{"request":1,"answer":"only one"}]}`, nil
		}
		w := newWorld(t, dispatch.Options{}, half, nil)
		defer w.close()
		d := w.submit("a", "b")
		wait(time.Minute)
		w.want(d.ID, journal.Failed, 1, "request 2")
		if len(w.asked) != 2 || len(w.written) != 0 {
			t.Errorf("asked %d times, written %q: a reply that stays invalid takes two calls and writes nothing", len(w.asked), w.written)
		}
	})
	bubble(t, "one repair is enough", func(t *testing.T) {
		repaired := func(_ context.Context, _ agent.Task, n int) (string, error) {
			if n == 1 {
				return "sorry, no JSON", nil
			}
			return `{"responses":[{"request":1,"answer":"x"},{"request":2,"answer":"y"}]}`, nil
		}
		w := newWorld(t, dispatch.Options{}, repaired, nil)
		defer w.close()
		d := w.submit("a", "b")
		wait(time.Minute)
		w.want(d.ID, journal.Done, 0, "")
		if !slices.Equal(w.written, []string{"x", "y"}) {
			t.Errorf("written %q", w.written)
		}
	})
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

func TestFailure(t *testing.T) {
	bubble(t, "a passing cause is tried three times, 2 s and 8 s apart", func(t *testing.T) {
		var times []time.Duration
		begun := time.Now()
		w := newWorld(t, dispatch.Options{}, func(context.Context, agent.Task, int) (string, error) {
			times = append(times, time.Since(begun).Round(time.Second))
			return "", transient("it ended with status 3")
		}, nil)
		defer w.close()
		d := w.submit("one")
		wait(time.Second)
		w.want(d.ID, journal.Queued, 1, "status 3")
		if due := w.get(d.ID).NextAttempt; due.IsZero() {
			t.Error("no time of the next attempt")
		}
		wait(time.Hour)
		w.want(d.ID, journal.Failed, 3, "status 3")
		if want := []time.Duration{0, 2 * time.Second, 10 * time.Second}; !slices.Equal(times, want) {
			t.Errorf("tried at %v, want %v", times, want)
		}
	})
	bubble(t, "a lasting cause is told at once", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, func(context.Context, agent.Task, int) (string, error) {
			return "", &agent.Failure{Kind: agent.Permanent, Reason: "it gave an empty answer"}
		}, nil)
		defer w.close()
		d := w.submit("one")
		wait(time.Hour)
		w.want(d.ID, journal.Failed, 1, "empty answer")
		if len(w.asked) != 1 {
			t.Errorf("asked %d times", len(w.asked))
		}
	})
	bubble(t, "retry runs it again", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, func(ctx context.Context, task agent.Task, n int) (string, error) {
			if n <= 3 {
				return "", transient("no")
			}
			return echo(ctx, task, n)
		}, nil)
		defer w.close()
		d := w.submit("one")
		wait(time.Hour)
		w.want(d.ID, journal.Failed, 3, "no")
		if err := w.d.Retry(t.Context(), d.ID); err != nil {
			t.Fatal(err)
		}
		wait(time.Second)
		w.want(d.ID, journal.Done, 0, "")
	})
	bubble(t, "a role without a runner says so", func(t *testing.T) {
		none := func(string) (string, agent.Runner, error) {
			return "", nil, errors.New("no agent answers the role Miner")
		}
		w := newWorld(t, dispatch.Options{Runner: none}, echo, nil)
		defer w.close()
		d := w.submit("one")
		wait(time.Second)
		w.want(d.ID, journal.Failed, 1, "no agent answers")
	})
}

func TestWriteFailure(t *testing.T) {
	bubble(t, "the agent is not asked again when only the writing failed", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, echo, func(n int) error {
			if n < 4 {
				return errors.New("the note is being written by another program")
			}
			return nil
		})
		defer w.close()
		d := w.submit("one")
		wait(time.Second)
		w.want(d.ID, journal.Queued, 0, "another program")
		wait(time.Hour)
		w.want(d.ID, journal.Done, 0, "")
		if len(w.asked) != 1 || len(w.written) != 1 {
			t.Errorf("asked %d times, written %q", len(w.asked), w.written)
		}
	})
	bubble(t, "an answer that cannot be written is kept", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, echo, func(int) error { return errors.New("the disk is full") })
		defer w.close()
		d := w.submit("one")
		wait(time.Hour)
		w.want(d.ID, journal.Failed, 0, "the disk is full")
		if got := w.get(d.ID); !got.Answered || got.Markers[0].Answer != "answer to one" {
			t.Errorf("answer %q", got.Markers[0].Answer)
		}
	})
}

func TestCancel(t *testing.T) {
	bubble(t, "at work", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, slow(time.Hour), nil)
		defer w.close()
		d := w.submit("one")
		wait(time.Second)
		w.want(d.ID, journal.Processing, 0, "")
		if err := w.d.Cancel(t.Context(), d.ID, "the line has changed"); err != nil {
			t.Fatal(err)
		}
		wait(time.Second)
		w.want(d.ID, journal.Cancelled, 0, "the line has changed")
		if w.running != 0 || len(w.written) != 0 {
			t.Errorf("%d agents still run, written %q", w.running, w.written)
		}
	})
	bubble(t, "waiting", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Concurrency: 1}, slow(time.Minute), nil)
		defer w.close()
		w.submit("one")
		d := w.submit("two")
		if err := w.d.Cancel(t.Context(), d.ID, "by the user"); err != nil {
			t.Fatal(err)
		}
		wait(time.Hour)
		w.want(d.ID, journal.Cancelled, 0, "by the user")
		if !slices.Equal(w.asked, []string{"one"}) {
			t.Errorf("asked %q", w.asked)
		}
	})
	bubble(t, "done is too late", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, echo, nil)
		defer w.close()
		d := w.submit("one")
		wait(time.Second)
		if err := w.d.Cancel(t.Context(), d.ID, "late"); !errors.Is(err, journal.ErrState) {
			t.Errorf("Cancel returned %v", err)
		}
		w.want(d.ID, journal.Done, 0, "")
	})
}

func TestChain(t *testing.T) {
	bubble(t, "the groups of a note one after the other, in order", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Mode: dispatch.Chain}, slow(time.Second), nil)
		defer w.close()
		for _, s := range []string{"one", "two", "three"} {
			w.submit(s)
		}
		wait(time.Minute)
		if w.most != 1 || !slices.Equal(w.written, []string{"answer to one", "answer to two", "answer to three"}) {
			t.Errorf("%d at once, written %q", w.most, w.written)
		}
	})
	bubble(t, "a later one waits while an earlier one is tried again", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Mode: dispatch.Chain}, func(ctx context.Context, task agent.Task, n int) (string, error) {
			if task.Requests[0].Instruction == "one" && n == 1 {
				return "", transient("no")
			}
			return echo(ctx, task, n)
		}, nil)
		defer w.close()
		w.submit("one")
		w.submit("two")
		wait(time.Minute)
		if !slices.Equal(w.asked, []string{"one", "one", "two"}) {
			t.Errorf("asked %q", w.asked)
		}
	})
}

func TestStop(t *testing.T) {
	bubble(t, "a run that ends within the grace is kept", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Grace: 5 * time.Second}, slow(3*time.Second), nil)
		d := w.submit("one")
		wait(time.Second)
		begun := time.Now()
		w.stop()
		if took := time.Since(begun).Round(time.Second); took != 2*time.Second {
			t.Errorf("stopping took %v", took)
		}
		w.want(d.ID, journal.Done, 0, "")
		w.close()
	})
	bubble(t, "a longer one is ended, is no attempt and waits for the next start", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Grace: 5 * time.Second}, slow(time.Hour), nil)
		d := w.submit("one")
		waiting := []journal.Dispatch{w.submit("two"), w.submit("three"), w.submit("four")}
		wait(time.Second)
		begun := time.Now()
		w.stop()
		if took := time.Since(begun).Round(time.Second); took != 5*time.Second {
			t.Errorf("stopping took %v", took)
		}
		w.want(d.ID, journal.Queued, 0, "")
		w.want(waiting[2].ID, journal.Queued, 0, "")
		unfinished, err := w.journal.Recover(t.Context())
		if err != nil || len(unfinished) != 4 {
			t.Errorf("%d unfinished, %v", len(unfinished), err)
		}
		w.close()
	})
}
