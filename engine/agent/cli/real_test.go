//go:build realagents

package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/cli"
	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/agent/testdata/fakemodel"
	"vaultdispatcher/engine/note"
)

// world is one program in an empty home, beside a model that does as it is told.
type world struct {
	preset string
	model  *fakemodel.Server
	env    map[string]string
	root   string // of the vault
}

// presets runs a test with every program.
func presets(t *testing.T, test func(t *testing.T, w world)) {
	with(t, presetNames(), test)
}

func presetNames() []string {
	names := []string{"claude", "codex", "pi"}
	if os.Getenv("ALL_AGENTS") != "" {
		names = append(names, "gemini", "opencode", "copilot", "qwen")
	}
	return names
}

// with is presets for some of them.
func with(t *testing.T, names []string, test func(t *testing.T, w world)) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			w := world{preset: name, model: fakemodel.New(t), root: t.TempDir()}
			w.env = w.model.Home(t, os.Getenv("REAL_AGENTS"), name)
			test(t, w)
		})
	}
}

func (w world) runner(t *testing.T, s agent.Settings) agent.Runner {
	t.Helper()
	s.Model, s.Env = fakemodel.Model(w.preset), w.env
	if s.Timeout == 0 {
		s.Timeout = 3 * time.Minute
	}
	r, ok := cli.New(w.preset, s)
	if !ok {
		t.Fatalf("there is no preset %s", w.preset)
	}
	return r
}

// task is one group with a marker for every instruction.
func (w world) task(history []agent.Exchange, instructions ...string) agent.Task {
	g := note.Group{Role: "Miner"}
	for i, s := range instructions {
		g.Markers = append(g.Markers, note.Marker{Line: i + 1, Role: "Miner", Instruction: s})
	}
	return agent.NewTask("id", w.root, "Note.md", g, nil, agent.Reference{History: history})
}

// nothingWritten fails the test when the vault holds a file.
func (w world) nothingWritten(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(w.root, func(path string, _ fs.DirEntry, err error) error {
		if path != w.root {
			t.Errorf("%s was written", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// asked is the call that holds the text in what the user said last.
func (w world) asked(t *testing.T, text string) fakemodel.Call {
	t.Helper()
	for _, c := range w.model.Calls() {
		if c.Saw(text) {
			return c
		}
	}
	t.Fatalf("the model was never shown %q", text)
	return fakemodel.Call{}
}

func failure(t *testing.T, err error) *agent.Failure {
	t.Helper()
	f, ok := errors.AsType[*agent.Failure](err)
	if !ok {
		t.Fatalf("error %v is no failure of an agent", err)
	}
	t.Logf("the failure: %v", f)
	return f
}

func TestRealSingle(t *testing.T) {
	presets(t, func(t *testing.T, w world) {
		reply, err := w.runner(t, agent.Settings{}).Run(t.Context(), w.task(nil, "What colour? {{SAY blue}}"))
		if err != nil || reply.Text != "blue" {
			t.Errorf("reply %q, %v", reply.Text, err)
		}
		if told := w.preset != "copilot"; told && (reply.Usage.Input == 0 || reply.Usage.Output == 0) {
			t.Errorf("usage %+v", reply.Usage)
		}
		for _, tool := range w.asked(t, "What colour?").Tools {
			if writes.has(tool) {
				t.Errorf("an agent without tools was offered %s", tool)
			}
		}
		w.nothingWritten(t)
	})
}

// TestRealHeard: an answer is heard before it is there, from the programs that tell.
func TestRealHeard(t *testing.T) {
	heard := names{"claude", "copilot", "pi", "qwen"}
	presets(t, func(t *testing.T, w world) {
		task, last := w.task(nil, "What colour? {{SAY blue}}"), ""
		task.Listener = func(text string) { last = text }
		reply, err := w.runner(t, agent.Settings{}).Run(t.Context(), task)
		if err != nil || reply.Text != "blue" || heard.has(w.preset) && last != "blue" {
			t.Errorf("reply %q, heard %q, %v", reply.Text, last, err)
		}
	})
}

// names of tools, in any spelling.
type names []string

func (n names) has(tool string) bool {
	return slices.ContainsFunc(n, func(name string) bool { return strings.EqualFold(name, tool) })
}

// writes are the tools by which any of the programs changes a file.
var writes = names{"write", "edit", "multiedit", "bash", "shell", "exec_command", "write_stdin", "apply_patch", "write_file", "replace", "run_shell_command", "notebookedit"}

func TestRealGroup(t *testing.T) {
	presets(t, func(t *testing.T, w world) {
		reply, err := w.runner(t, agent.Settings{}).Run(t.Context(), w.task(nil, "{{SAY red}}", "{{SAY green}}", "{{SAY blue}}"))
		if err != nil {
			t.Fatal(err)
		}
		answers, err := replies.Parse(reply.Text, 3)
		if want := []string{"red", "green", "blue"}; err != nil || !slices.Equal(answers, want) {
			t.Errorf("answers %q, %v; want %q", answers, err, want)
		}
		c := w.asked(t, "Request 3 (Line 3)")
		switch w.preset {
		case "claude":
			if !slices.Contains(c.Tools, "StructuredOutput") {
				t.Errorf("no tool for structured output: %q", c.Tools)
			}
		case "codex":
			if c.Schema == nil {
				t.Error("the model was given no schema")
			}
		}
	})
}

// TestRealHistory: the model sees what was asked and answered before; the programs
// that take it as a session do not see it twice.
func TestRealHistory(t *testing.T) {
	presets(t, func(t *testing.T, w world) {
		history := []agent.Exchange{{Note: "Old.md", Question: "What colour is the boat?", Answer: "It is VIOLET3."}}
		r := w.runner(t, agent.Settings{})
		if _, err := r.Run(t.Context(), w.task(history, "And the sail? {{SAY white}}")); err != nil {
			t.Fatal(err)
		}
		c := w.asked(t, "And the sail?")
		times := 0
		for _, turn := range c.Turns {
			times += strings.Count(turn.Text, "VIOLET3")
		}
		if times != 1 {
			t.Errorf("the model saw the history %d times: %v", times, c.Turns)
		}
		if last := c.Turns[len(c.Turns)-1].Text; w.preset == "pi" && strings.Contains(last, "VIOLET3") {
			t.Errorf("a forked session, and the history stands in the prompt:\n%s", last)
		}
	})
}

// TestRealSession: a session of the person's own is forked, and stays as it was.
func TestRealSession(t *testing.T) {
	first := map[string][]string{
		"claude": {"-p", "--output-format", "json"},
		"codex":  {"exec", "--json", "--skip-git-repo-check", "-s", "read-only", "-"},
	}
	field := map[string]string{"claude": "session_id", "codex": "thread_id"}
	with(t, []string{"claude", "codex"}, func(t *testing.T, w world) {
		id := w.session(t, first[w.preset], field[w.preset])
		for range 2 {
			before := len(w.model.Calls())
			r := w.runner(t, agent.Settings{Session: id, Tools: agent.ToolsRead})
			reply, err := r.Run(t.Context(), w.task(nil, "Which word? {{SAY that one}}"))
			if err != nil || reply.Text != "that one" {
				t.Fatalf("reply %q, %v", reply.Text, err)
			}
			times := 0
			for _, turn := range w.model.Calls()[before].Turns {
				times += strings.Count(turn.Text, "remember OCHRE5")
				if strings.Contains(turn.Text, "Which word?") {
					times += 10
				}
			}
			if times != 11 {
				t.Errorf("the model saw %v", w.model.Calls()[before].Turns)
			}
		}
	})
}

// session has a first conversation with the program, outside of the runner.
func (w world) session(t *testing.T, args []string, field string) string {
	t.Helper()
	var env []string
	for name, value := range w.env {
		env = append(env, name+"="+value)
	}
	path := ""
	for _, dir := range filepath.SplitList(w.env["PATH"]) {
		if found, err := exec.LookPath(filepath.Join(dir, w.preset)); err == nil {
			path = found
			break
		}
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = w.root, env, strings.NewReader("remember OCHRE5 {{SAY noted}}")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		var event map[string]any
		if json.Unmarshal([]byte(line), &event) == nil && event[field] != nil {
			return event[field].(string)
		}
	}
	t.Fatalf("no session in %s", out)
	return ""
}

func TestRealCancel(t *testing.T) {
	presets(t, func(t *testing.T, w world) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for w.model.Busy() == 0 && t.Context().Err() == nil {
				<-time.After(10 * time.Millisecond)
			}
			cancel()
		}()
		_, err := w.runner(t, agent.Settings{}).Run(ctx, w.task(nil, "{{SLEEP 10m}}"))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		w.quiet(t)
	})
}

// quiet waits for the model to see that its callers are gone.
func (w world) quiet(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(time.Minute); w.model.Busy() > 0; {
		if time.Now().After(end) {
			t.Fatalf("%d calls still wait for the model", w.model.Busy())
		}
		<-time.After(10 * time.Millisecond)
	}
}

func TestRealTimeout(t *testing.T) {
	presets(t, func(t *testing.T, w world) {
		_, err := w.runner(t, agent.Settings{Timeout: 5 * time.Second}).Run(t.Context(), w.task(nil, "{{SLEEP 10m}}"))
		if f := failure(t, err); f.Kind != agent.Transient || !strings.Contains(f.Reason, "still running after 5s") {
			t.Errorf("failure %+v", f)
		}
		w.quiet(t)
	})
}

func TestRealRefusals(t *testing.T) {
	presets(t, func(t *testing.T, w world) {
		r := w.runner(t, agent.Settings{})
		_, err := r.Run(t.Context(), w.task(nil, "{{HTTP 400 the model is unknown}}"))
		if f := failure(t, err); !strings.HasPrefix(f.Reason, w.preset) {
			t.Errorf("400: %+v", f)
		}
		_, err = r.Run(t.Context(), w.task(nil, "{{HTTP 401 bad key}}"))
		if f := failure(t, err); f.Kind != agent.Permanent {
			t.Errorf("401: %+v", f)
		}
		var out *agent.NotLoggedIn
		if !errors.As(err, &out) {
			t.Errorf("401 is not taken for a missing log-in: %v", err)
		}
	})
}

// TestRealNobodyListens: a server that is not there is a failure in one sentence,
// at the latest when the time is over.
func TestRealNobodyListens(t *testing.T) {
	presets(t, func(t *testing.T, w world) {
		gone := &fakemodel.Server{URL: "http://127.0.0.1:12111"} // below the ports a system gives by itself
		w.env = gone.Home(t, os.Getenv("REAL_AGENTS"), w.preset)
		_, err := w.runner(t, agent.Settings{Timeout: 25 * time.Second}).Run(t.Context(), w.task(nil, "{{SAY blue}}"))
		if f := failure(t, err); f.Kind != agent.Transient {
			t.Errorf("failure %+v", f)
		}
	})
}

// TestRealReadOnly: an agent that may read is not able to write, whatever it tries.
func TestRealReadOnly(t *testing.T) {
	attempt := map[string]string{
		"claude":   `Write {"file_path":"hacked.md","content":"x"}`,
		"codex":    `exec_command {"cmd":"touch hacked.md"}`,
		"gemini":   `write_file {"file_path":"hacked.md","content":"x"}`,
		"opencode": `write {"filePath":"hacked.md","content":"x"}`,
		"pi":       `write {"path":"hacked.md","content":"x"}`,
		"copilot":  `create {"path":"hacked.md","file_text":"x"}`,
		"qwen":     `write_file {"file_path":"hacked.md","content":"x"}`,
	}
	presets(t, func(t *testing.T, w world) {
		reply, err := w.runner(t, agent.Settings{Tools: agent.ToolsRead}).Run(t.Context(),
			w.task(nil, "{{CALLTOOL "+attempt[w.preset]+"}}"))
		t.Logf("%q, %v", reply.Text, err)
		if calls := w.model.Calls(); len(calls) < 2 {
			t.Errorf("the attempt was not answered: %d calls", len(calls))
		}
		w.nothingWritten(t)
	})
}
