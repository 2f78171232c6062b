package dispatch_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/testdata/testseed"
)

// carrier is a runner that carries several tasks, each for a second.
type carrier struct {
	w       *world
	batches []agent.Batch
	fail    string // the instruction that fails
	broken  string // the one whose reply cannot be read
}

func (c *carrier) BatchKey() string               { return "carrier" }
func (c *carrier) Own(task agent.Task) agent.Task { return task }

func (c *carrier) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	o := c.RunBatch(ctx, agent.Batch{Tasks: []agent.Task{task}, Concurrency: 1})[0]
	return o.Reply, o.Err
}

func (c *carrier) RunBatch(ctx context.Context, b agent.Batch) []agent.Outcome {
	c.w.mu.Lock()
	c.batches = append(c.batches, b)
	c.w.running++
	c.w.most = max(c.w.most, c.w.running)
	c.w.mu.Unlock()
	defer func() { c.w.mu.Lock(); c.w.running--; c.w.mu.Unlock() }()
	outcomes := make([]agent.Outcome, len(b.Tasks))
	for i, task := range b.Tasks {
		question := task.Requests[0].Instruction
		if b.Chain && i > 0 && outcomes[i-1].Err != nil {
			outcomes[i].Err = agent.ErrNoTurn
			continue
		}
		select {
		case <-time.After(time.Second):
			outcomes[i].Reply.Text = "answer to " + question
		case <-ctx.Done():
			outcomes[i].Err = ctx.Err()
		}
		if question == c.broken {
			outcomes[i].Reply.Text = `{"responses":[]}`
		}
		if question == c.fail {
			outcomes[i] = agent.Outcome{Err: transient("no")}
		}
	}
	return outcomes
}

// payloads are the instructions of every batch.
func (c *carrier) payloads() []string {
	var list []string
	for _, b := range c.batches {
		var names []string
		for _, t := range b.Tasks {
			names = append(names, t.Requests[0].Instruction)
		}
		list = append(list, strings.Join(names, " "))
	}
	return list
}

// newCarried starts a dispatcher of a carrier.
func newCarried(t *testing.T, mode string) (*world, *carrier) {
	c := &carrier{}
	w := newWorld(t, dispatch.Options{Mode: mode, Roles: fakeRoles{find: func(string) (string, agent.Runner, error) { return "carrier", c, nil }}}, nil)
	c.w = w
	return w, c
}

// submitAll submits one dispatch for each instruction.
func (w *world) submitAll(instructions ...string) []journal.Dispatch {
	w.t.Helper()
	var list []journal.Dispatch
	for _, s := range instructions {
		list = append(list, w.submit(s))
	}
	return list
}

func TestBatch(t *testing.T) {
	bubble(t, "what begins together is one payload", func(t *testing.T) {
		w, c := newCarried(t, dispatch.Tasks)
		defer w.close()
		ds := w.submitAll("one", "two", "three", "four")
		wait(time.Minute)
		for _, d := range ds {
			w.want(d.ID, journal.Done, 0, "")
		}
		if got := c.payloads(); !slices.Equal(got, []string{"one two three", "four"}) {
			t.Errorf("payloads %q", got)
		}
		if b := c.batches[0]; b.Chain || b.Concurrency != 3 {
			t.Errorf("chain %t, concurrency %d", b.Chain, b.Concurrency)
		}
	})
	bubble(t, "the groups of a note are a chain, answers in their order", func(t *testing.T) {
		w, c := newCarried(t, dispatch.Chain)
		defer w.close()
		ds := w.submitAll("one", "two", "three")
		wait(time.Minute)
		for i, d := range ds {
			w.want(d.ID, journal.Done, 0, "")
			if got, want := w.get(d.ID).Markers[0].Answer, "answer to "+[]string{"one", "two", "three"}[i]; got != want {
				t.Errorf("answer %q, want %q", got, want)
			}
		}
		if got := c.payloads(); !slices.Equal(got, []string{"one two three"}) || !c.batches[0].Chain {
			t.Errorf("payloads %q, chain %t", got, c.batches[0].Chain)
		}
	})
	bubble(t, "a thread is a chain of its own", func(t *testing.T) {
		w, c := newCarried(t, dispatch.Chain)
		defer w.close()
		ds := w.submitAll("one", "two", "house: three", "house: four", "garden: five", "six")
		wait(time.Minute)
		for _, d := range ds {
			w.want(d.ID, journal.Done, 0, "")
		}
		if got := c.payloads(); !slices.Equal(got, []string{"one two", "house: three house: four", "garden: five", "six"}) {
			t.Errorf("payloads %q", got)
		}
	})
	bubble(t, "one failure is one failure", func(t *testing.T) {
		w, c := newCarried(t, dispatch.Tasks)
		defer w.close()
		c.fail = "two"
		ds := w.submitAll("one", "two", "three")
		wait(time.Hour)
		w.want(ds[0].ID, journal.Done, 0, "")
		w.want(ds[1].ID, journal.Failed, 3, "no")
		w.want(ds[2].ID, journal.Done, 0, "")
		if got := c.payloads(); !slices.Equal(got, []string{"one two three", "two", "two"}) {
			t.Errorf("payloads %q", got)
		}
	})
	bubble(t, "what follows a failure in a chain has lost no attempt", func(t *testing.T) {
		w, c := newCarried(t, dispatch.Chain)
		defer w.close()
		c.fail = "one"
		ds := w.submitAll("one", "two", "three")
		wait(time.Hour)
		w.want(ds[0].ID, journal.Failed, 3, "no")
		w.want(ds[1].ID, journal.Done, 0, "")
		w.want(ds[2].ID, journal.Done, 0, "")
		if got := c.payloads(); !slices.Equal(got, []string{"one two three", "one two three", "one two three", "two three"}) {
			t.Errorf("payloads %q", got)
		}
	})
	bubble(t, "who is cancelled takes the agents along; the others are asked again", func(t *testing.T) {
		w, c := newCarried(t, dispatch.Tasks)
		defer w.close()
		ds := w.submitAll("one", "two", "three")
		wait(500 * time.Millisecond)
		if err := w.d.Cancel(t.Context(), ds[0].ID, "its line has changed"); err != nil {
			t.Fatal(err)
		}
		wait(time.Minute)
		w.want(ds[0].ID, journal.Cancelled, 0, "its line has changed")
		w.want(ds[1].ID, journal.Done, 0, "")
		w.want(ds[2].ID, journal.Done, 0, "")
		if got := c.payloads(); !slices.Equal(got, []string{"one two three", "two three"}) {
			t.Errorf("payloads %q", got)
		}
	})
	bubble(t, "the repair of a reply is asked for alone", func(t *testing.T) {
		w, c := newCarried(t, dispatch.Tasks)
		defer w.close()
		c.broken = "two"
		ds := w.submitAll("one", "two")
		wait(time.Minute)
		w.want(ds[0].ID, journal.Done, 0, "")
		w.want(ds[1].ID, journal.Failed, 1, "no answer to request 1")
		if got := c.payloads(); !slices.Equal(got, []string{"one two", "two"}) {
			t.Errorf("payloads %q", got)
		}
	})
	bubble(t, "a stop ends all and loses none", func(t *testing.T) {
		w, c := newCarried(t, dispatch.Tasks)
		ds := w.submitAll("one", "two", "three")
		wait(500 * time.Millisecond)
		w.stop()
		if w.running != 0 || len(c.batches) != 1 {
			t.Errorf("%d run, payloads %q", w.running, c.payloads())
		}
		for _, d := range ds {
			w.want(d.ID, journal.Queued, 0, "")
		}
		w.close()
	})
}

// TestBatchAlwaysEnds submits, cancels and retries at random: in the end each is
// done or cancelled, and nothing waits for anybody.
func TestBatchAlwaysEnds(t *testing.T) {
	seed := testseed.Take(t)
	for _, mode := range []string{dispatch.Tasks, dispatch.Chain} {
		bubble(t, mode, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			w, c := newCarried(t, mode)
			defer w.close()
			var ds []journal.Dispatch
			for i := range 60 {
				ds = append(ds, w.submitAll(fmt.Sprint(i))...)
				if random.IntN(3) > 0 {
					wait(time.Duration(random.IntN(1500)) * time.Millisecond)
				}
				if random.IntN(3) == 0 {
					// One that has ended already refuses, which is as good.
					_ = w.d.Cancel(t.Context(), ds[random.IntN(len(ds))].ID, "changed")
				}
			}
			wait(time.Hour)
			for _, d := range ds {
				if s := w.get(d.ID).Status; s != journal.Done && s != journal.Cancelled {
					t.Errorf("dispatch %s is %s: %s", d.ID, s, w.get(d.ID).Error)
				}
			}
			if len(c.batches) == 0 || w.running != 0 {
				t.Errorf("%d batches, %d run", len(c.batches), w.running)
			}
		})
	}
}
