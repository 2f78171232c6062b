//go:build realagents

package pi_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/pi"
	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/agent/testdata/fakemodel"
	"vaultdispatcher/engine/note"
)

// world is one generation of pi-subagents in an empty home, beside a model that
// does what it is told.
type world struct {
	model *fakemodel.Server
	env   map[string]string
	root  string // of the vault
	temp  string // of the runs
}

// generations runs a test with both.
func generations(t *testing.T, test func(t *testing.T, w world)) {
	for _, generation := range []string{"0.34", "0.67"} {
		t.Run(generation, func(t *testing.T) { test(t, newWorld(t, generation)) })
	}
}

func newWorld(t *testing.T, generation string) world {
	w := world{model: fakemodel.New(t), root: t.TempDir(), temp: t.TempDir()}
	installed := os.Getenv("REAL_AGENTS")
	w.env = w.model.Home(t, installed, "pi")
	w.env["PATH"] = filepath.Join(installed, "pi-"+generation, "node_modules", ".bin") + ":" + w.env["PATH"]
	w.env["XDG_CACHE_HOME"] = filepath.Join(installed, "cache")
	t.Setenv("TMPDIR", w.temp)
	return w
}

// never is what answers when the subagents cannot be reached, which is a failure
// of these tests.
type never struct{}

func (never) Run(context.Context, agent.Task) (agent.Reply, error) {
	return agent.Reply{}, errors.New("the subagents were not reached")
}

func (w world) runner(s agent.Settings) *pi.Runner {
	s.Model, s.Env = "fake/m", w.env
	return pi.New(s, never{})
}

// task is one group with a marker for every instruction.
func (w world) task(history []agent.Exchange, instructions ...string) agent.Task {
	g := note.Group{Role: "Miner"}
	for i, s := range instructions {
		g.Markers = append(g.Markers, note.Marker{Line: i + 1, Role: "Miner", Instruction: s})
	}
	return agent.NewTask("id", w.root, "Note.md", g, nil, agent.Reference{History: history})
}

// nothingLeft fails the test when a run has left a file in the vault or among the
// temporary ones.
func (w world) nothingLeft(t *testing.T) {
	t.Helper()
	for _, dir := range []string{w.root, w.temp} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if path != dir {
				t.Errorf("%s was left behind", path)
			}
			if path != dir && d.IsDir() {
				return filepath.SkipDir
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func texts(t *testing.T, outcomes []agent.Outcome) []string {
	t.Helper()
	var list []string
	for i, o := range outcomes {
		if o.Err != nil {
			t.Errorf("task %d: %v", i+1, o.Err)
		}
		list = append(list, o.Reply.Text)
	}
	return list
}

// TestRealTasks: a whole payload, three at once, each fork with the history, asked
// by nobody but the children.
func TestRealTasks(t *testing.T) {
	generations(t, func(t *testing.T, w world) {
		history := []agent.Exchange{{Note: "Old.md", Question: "What colour is the boat?", Answer: "It is VIOLET3."}}
		b := agent.Batch{Concurrency: 3}
		for i := range 4 {
			b.Tasks = append(b.Tasks, w.task(history, fmt.Sprintf("{{SLEEP 1s}} {{SAY answer %d}}", i)))
		}
		r := w.runner(agent.Settings{})
		got := texts(t, r.RunBatch(t.Context(), b))
		if want := []string{"answer 0", "answer 1", "answer 2", "answer 3"}; !slices.Equal(got, want) {
			t.Errorf("answers %q, want %q", got, want)
		}
		calls := w.model.Calls()
		if len(calls) != 4 || w.model.Most() > 3 {
			t.Errorf("%d calls, %d at once; want one for each task, three at once at most", len(calls), w.model.Most())
		}
		for _, c := range calls {
			if !c.Saw("VIOLET3") || !c.Saw("What colour is the boat?") {
				t.Errorf("an agent did not see the history: %v", c.Turns)
			}
			if last := c.Turns[len(c.Turns)-1]; strings.Contains(last.Text, "VIOLET3") {
				t.Errorf("the history stands in the prompt too: %s", last.Text)
			}
			for _, tool := range c.Tools {
				if tool != "contact_supervisor" && tool != "intercom" { // of the package itself; no file is within their reach
					t.Errorf("an agent without tools was offered %s", tool)
				}
			}
		}
		w.nothingLeft(t)
	})
}

// TestRealGroup: several requests in one task are answered by one JSON reply.
func TestRealGroup(t *testing.T) {
	generations(t, func(t *testing.T, w world) {
		reply, err := w.runner(agent.Settings{}).Run(t.Context(), w.task(nil, "{{SAY red}}", "{{SAY green}}", "{{SAY blue}}"))
		if err != nil {
			t.Fatal(err)
		}
		answers, err := replies.Parse(reply.Text, 3)
		if want := []string{"red", "green", "blue"}; err != nil || !slices.Equal(answers, want) {
			t.Errorf("answers %q, %v; want %q", answers, err, want)
		}
		if reply.Usage.Input == 0 || reply.Usage.Output == 0 {
			t.Errorf("usage %+v", reply.Usage)
		}
		w.nothingLeft(t)
	})
}

// TestRealChain: each sees the answer before it, whatever a note says in the words
// of a template.
func TestRealChain(t *testing.T) {
	generations(t, func(t *testing.T, w world) {
		b := agent.Batch{Chain: true, Concurrency: 3, Tasks: []agent.Task{
			w.task(nil, "{{SAY the code is AMBER7}}"), w.task(nil, "what is {previous}? {{SAY two}}"), w.task(nil, "{{SAY three}}")}}
		got := texts(t, w.runner(agent.Settings{}).RunBatch(t.Context(), b))
		if want := []string{"the code is AMBER7", "two", "three"}; !slices.Equal(got, want) {
			t.Errorf("answers %q, want %q", got, want)
		}
		calls := w.model.Calls()
		if len(calls) != 3 || w.model.Most() != 1 {
			t.Fatalf("%d calls, %d at once", len(calls), w.model.Most())
		}
		last := calls[1].Turns[len(calls[1].Turns)-1].Text
		if strings.Count(last, "AMBER7") != 1 || !strings.Contains(last, "previous}?") {
			t.Errorf("the second was asked\n%s", last)
		}
		if last := calls[2].Turns[len(calls[2].Turns)-1].Text; !strings.Contains(last, "two") {
			t.Errorf("the third was asked\n%s", last)
		}
		w.nothingLeft(t)
	})
}

// TestRealFailures: one task's failure is its own.
func TestRealFailures(t *testing.T) {
	generations(t, func(t *testing.T, w world) {
		b := agent.Batch{Concurrency: 3, Tasks: []agent.Task{w.task(nil, "{{HTTP 400 no such thing}}"), w.task(nil, "{{SAY fine}}")}}
		outcomes := w.runner(agent.Settings{}).RunBatch(t.Context(), b)
		if outcomes[0].Err == nil || outcomes[1].Err != nil || outcomes[1].Reply.Text != "fine" {
			t.Errorf("outcomes %+v", outcomes)
		}
		t.Logf("the failure: %v", outcomes[0].Err)
		w.nothingLeft(t)
	})
}

// TestRealChainEnds: what comes after a failure in a chain has had no turn.
func TestRealChainEnds(t *testing.T) {
	generations(t, func(t *testing.T, w world) {
		b := agent.Batch{Chain: true, Tasks: []agent.Task{w.task(nil, "{{HTTP 400 no such thing}}"), w.task(nil, "{{SAY fine}}")}}
		outcomes := w.runner(agent.Settings{}).RunBatch(t.Context(), b)
		if outcomes[0].Err == nil || !errors.Is(outcomes[1].Err, agent.ErrNoTurn) {
			t.Errorf("outcomes %+v", outcomes)
		}
	})
}

// TestRealReadOnly: an agent that may read is offered nothing that writes, and
// nothing is written when it tries.
func TestRealReadOnly(t *testing.T) {
	generations(t, func(t *testing.T, w world) {
		reply, err := w.runner(agent.Settings{Tools: agent.ToolsRead}).Run(t.Context(),
			w.task(nil, `{{CALLTOOL write {"path":"hacked.md","content":"x"}}}`))
		t.Logf("%q, %v", reply.Text, err)
		calls := w.model.Calls()
		if len(calls) < 2 || !slices.Contains(calls[0].Tools, "read") {
			t.Fatalf("calls %+v", calls)
		}
		for _, tool := range []string{"bash", "edit", "write"} {
			if slices.Contains(calls[0].Tools, tool) {
				t.Errorf("%s was offered: %q", tool, calls[0].Tools)
			}
		}
		w.nothingLeft(t)
	})
}

// TestRealCancel: the end of a batch ends its agents.
func TestRealCancel(t *testing.T) {
	generations(t, func(t *testing.T, w world) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for w.model.Busy() < 2 && t.Context().Err() == nil {
				<-time.After(10 * time.Millisecond)
			}
			cancel()
		}()
		b := agent.Batch{Concurrency: 3, Tasks: []agent.Task{w.task(nil, "{{SLEEP 10m}}"), w.task(nil, "{{SLEEP 10m}}")}}
		for _, o := range w.runner(agent.Settings{}).RunBatch(ctx, b) {
			if !errors.Is(o.Err, context.Canceled) {
				t.Errorf("outcome %+v", o)
			}
		}
		if n := w.model.Busy(); n != 0 {
			for end := time.Now().Add(time.Minute); w.model.Busy() != 0 && time.Now().Before(end); {
				<-time.After(10 * time.Millisecond)
			}
			if n = w.model.Busy(); n != 0 {
				t.Errorf("%d agents still wait for the model", n)
			}
		}
		w.nothingLeft(t)
	})
}

// TestRealTimeout: so does the time a run has.
func TestRealTimeout(t *testing.T) {
	generations(t, func(t *testing.T, w world) {
		_, err := w.runner(agent.Settings{Timeout: 12 * time.Second}).Run(t.Context(), w.task(nil, "{{SLEEP 10m}}"))
		if failure, ok := errors.AsType[*agent.Failure](err); !ok || failure.Kind != agent.Transient || !strings.Contains(err.Error(), "still running") {
			t.Errorf("error %v", err)
		}
		w.nothingLeft(t)
	})
}

// TestRealHiddenStay: an agent that reads is shown notes, and not what the vault hides.
func TestRealHiddenStay(t *testing.T) {
	generations(t, func(t *testing.T, w world) {
		for name, text := range map[string]string{"Note.md": "PLAIN SIGHT", ".env": "PLANTED"} {
			if err := os.WriteFile(filepath.Join(w.root, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r := w.runner(agent.Settings{Tools: agent.ToolsRead})
		for name, want := range map[string]string{"Note.md": "PLAIN SIGHT", ".env": "only files that the vault shows"} {
			reply, err := r.Run(t.Context(), w.task(nil, `{{CALLTOOL read {"path":"`+name+`"}}}`))
			if err != nil || !strings.Contains(reply.Text, want) || strings.Contains(reply.Text, "PLANTED") {
				t.Errorf("%s: %q, %v", name, reply.Text, err)
			}
		}
	})
}
