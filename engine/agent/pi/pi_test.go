package pi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/note"
)

// TestMain makes the test binary pi, as the bridge has it behave.
func TestMain(m *testing.M) {
	if os.Getenv("PLAY_PI") != "" {
		if err := playPi(os.Args[len(os.Args)-1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// playPi does to a payload what the variable says: "answer" it, "unstarted" and
// "silent" as where the bridge gets no answer, "broken", "die".
func playPi(command string) error {
	file, ok := strings.CutPrefix(command, "/vault-dispatch ")
	if !ok {
		return fmt.Errorf("%q is not the command", command)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	reply := ""
	switch os.Getenv("PLAY_PI") {
	case "answer", "names":
		var p struct {
			Tasks, Chain []child
			Script       string `json:"workflowScript"`
		}
		if err := json.Unmarshal(data, &p); err != nil {
			return err
		}
		reply = played(append(p.Tasks, p.Chain...), p.Script)
	case "unstarted":
		reply = `{"started":false}`
	case "broken":
		reply = `{"started":true,"resu`
	case "refused":
		reply = `{"started":true,"isError":true,"errorText":"Legacy inputs were removed","result":{"content":[],"details":{"results":[]}}}`
	case "die":
		return errors.New("no such model")
	case "silent":
		return nil
	}
	return os.WriteFile(file+".out", []byte(reply), 0o600)
}

// played answers each task with its last line, and fails what says so, in the form
// of the version.
func played(list []child, script string) string {
	var results []string
	if script != "" {
		text := strings.TrimPrefix(strings.Split(script, ";\n")[0], "const steps = ")
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			return err.Error()
		}
	}
	for i, c := range list {
		bad, said := strings.Contains(c.Task, "fail here"), fmt.Sprintf("answer %d", i+1)
		if os.Getenv("PLAY_PI") == "names" {
			said, _, _ = strings.Cut(c.Agent+" of "+c.Task, "\n")
		}
		if script != "" {
			results = append(results, fmt.Sprintf(`{"ok":%t,"output":%q,"error":"it failed","results":[{"model":"m","usage":{"input":3,"output":2}}]}`, !bad, said))
			continue
		}
		code := 0
		if bad {
			code = 1
		}
		results = append(results, fmt.Sprintf(`{"exitCode":%d,"finalOutput":%q,"error":"it failed","model":"m","usage":{"input":3,"output":2}}`, code, said))
	}
	all := strings.Join(results, ",")
	return fmt.Sprintf(`{"started":true,"result":{"details":{"results":[%s],"workflow":{"value":[%s]}}}}`, all, all)
}

// installed is a runner whose pi is this test binary, with a version of the
// package beside it.
func installed(t *testing.T, version, play string, plain agent.Runner) *Runner {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := "pi"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	data, err := os.ReadFile(self)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), data, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	pack := filepath.Join(dir, "home", ".pi", "agent", "npm", "node_modules", "pi-subagents")
	if err := os.MkdirAll(pack, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(pack, "package.json"),
		fmt.Appendf(nil, `{"name":"pi-subagents","version":%q,"pi":{"extensions":["./index.ts"]}}`, version), 0o600); err != nil {
		t.Fatal(err)
	}
	return New(agent.Settings{Env: map[string]string{"PATH": dir, "HOME": filepath.Join(dir, "home"), "PLAY_PI": play,
		"GORACE":         "atexit_sleep_ms=0", // or each program waits a second when it ends
		"XDG_CACHE_HOME": filepath.Join(dir, "cache")}}, plain)
}

func task(t *testing.T, instruction string, history ...agent.Exchange) agent.Task {
	g := note.Group{Role: "Miner", Markers: []note.Marker{{Line: 1, Role: "Miner", Instruction: instruction}}}
	return agent.NewTask("id", t.TempDir(), "Note.md", g, nil, agent.Reference{History: history})
}

// plain answers in place of the subagents, and remembers what it was asked.
type plain struct{ asked []string }

func (p *plain) Run(_ context.Context, task agent.Task) (agent.Reply, error) {
	p.asked = append(p.asked, task.Text)
	return agent.Reply{Text: fmt.Sprintf("plain %d", len(p.asked))}, nil
}

func TestRunBatch(t *testing.T) {
	for _, version := range versions {
		for _, chain := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/chain=%t", version, chain), func(t *testing.T) {
				r := installed(t, version, "answer", nil)
				outcomes := r.RunBatch(t.Context(), agent.Batch{Chain: chain, Concurrency: 3,
					Tasks: []agent.Task{task(t, "one"), task(t, "fail here"), task(t, "three")}})
				if len(outcomes) != 3 || outcomes[0].Err != nil || outcomes[0].Reply.Text != "answer 1" || outcomes[2].Reply.Text != "answer 3" {
					t.Fatalf("outcomes %+v", outcomes)
				}
				if u := outcomes[0].Reply.Usage; u != (agent.Usage{Model: "m", Input: 3, Output: 2}) {
					t.Errorf("usage %+v", u)
				}
				failure, ok := errors.AsType[*agent.Failure](outcomes[1].Err)
				if !ok || failure.Kind != agent.Transient || failure.Detail != "it failed" {
					t.Errorf("outcome of the failed one: %+v", outcomes[1])
				}
			})
		}
	}
}

// TestFallback: where the subagents cannot be reached each task goes to pi itself;
// in a chain each sees the answer before it.
func TestFallback(t *testing.T) {
	for _, play := range []string{"unstarted", "silent"} {
		p := &plain{}
		r := installed(t, "0.67.0", play, p)
		outcomes := r.RunBatch(t.Context(), agent.Batch{Chain: true, Tasks: []agent.Task{task(t, "one"), task(t, "two")}})
		if outcomes[0].Reply.Text != "plain 1" || outcomes[1].Reply.Text != "plain 2" || len(p.asked) != 2 {
			t.Fatalf("%s: outcomes %+v", play, outcomes)
		}
		if !strings.Contains(p.asked[1], "plain 1") || strings.Contains(p.asked[0], "plain 1") {
			t.Errorf("%s: the second was asked\n%s", play, p.asked[1])
		}
	}
	r := installed(t, "0.67.0", "silent", nil)
	if _, err := r.Run(t.Context(), task(t, "one")); !errors.Is(err, errUnreachable) {
		t.Errorf("without a fallback: %v", err)
	}
}

func TestFailures(t *testing.T) {
	for play, want := range map[string]string{
		"broken":  "the results of pi-subagents cannot be read",
		"refused": "pi-subagents reports a failure: Legacy inputs were removed",
		"die":     "pi ended with status 1: no such model",
	} {
		p := &plain{}
		_, err := installed(t, "0.34.0", play, p).Run(t.Context(), task(t, "one"))
		if err == nil || !strings.HasPrefix(err.Error(), want) || len(p.asked) != 0 {
			t.Errorf("%s: %v; want %s, and nobody else asked", play, err, want)
		}
	}
	none := installed(t, "0.34.0", "answer", nil)
	if err := os.RemoveAll(filepath.Join(none.settings.Env["HOME"], ".pi")); err != nil {
		t.Fatal(err)
	}
	if _, err := none.Run(t.Context(), task(t, "one")); err == nil || !strings.Contains(err.Error(), "pi install npm:pi-subagents") {
		t.Errorf("without the package: %v", err)
	}
	var missing *agent.NotFound
	if _, err := New(agent.Settings{Env: map[string]string{"PATH": t.TempDir()}}, nil).Run(t.Context(), task(t, "one")); !errors.As(err, &missing) {
		t.Errorf("without pi: %v", err)
	}
	bad := installed(t, "0.34.0", "answer", nil)
	bad.settings.Model = "--tools=write"
	if _, err := bad.Run(t.Context(), task(t, "one")); err == nil || !strings.Contains(err.Error(), "option") {
		t.Errorf("a model that reads as an option: %v", err)
	}
}

// TestPayload: what the installed version is told says the same in both forms.
func TestPayload(t *testing.T) {
	b := agent.Batch{Chain: true, Concurrency: 2, Tasks: []agent.Task{task(t, "one"), task(t, "what is {previous} in {chain_dir}?")}}
	names := []string{"a", "b"}
	old := buildPayload(buildChildren(b, names, false), b, false, "/scratch")
	for _, key := range []string{"context", "agentScope", "async", "artifacts"} {
		if old[key] == nil {
			t.Errorf("%s is not set", key)
		}
	}
	chain := old["chain"].([]child)
	if strings.Contains(chain[0].Task, "{previous}") || strings.Count(chain[1].Task, "{previous}") != 1 || strings.Contains(chain[1].Task, "{chain_dir}") {
		t.Errorf("a note's own words are a field of the template: %+v", chain)
	}
	if !strings.Contains(chain[1].Task, "{ previous} in { chain_dir}") {
		t.Errorf("the note's words are gone: %s", chain[1].Task)
	}
	script := buildPayload(buildChildren(b, names, false), b, true, "/scratch")["workflowScript"].(string)
	if strings.Contains(script, `{previous}"`) || strings.Contains(script, place) || !strings.Contains(script, "runs.run") {
		t.Errorf("script:\n%s", script)
	}
	b.Chain = false
	tasks := buildPayload(buildChildren(b, names, false), b, false, "/scratch")
	if tasks["concurrency"] != 2 || len(tasks["tasks"].([]child)) != 2 || tasks["context"] != "fork" {
		t.Errorf("payload %v", tasks)
	}
	if p := buildPayload(buildChildren(b, names, false), b, true, "/scratch"); p["globalConcurrencyLimit"] != 2 || p["mission"] != false || p["tasks"] != nil {
		t.Errorf("payload %v", p)
	}
}

// TestHistory: one session for all where all have the same; else each brings its own.
func TestHistory(t *testing.T) {
	boat := agent.Exchange{Note: "Old.md", Question: "What colour is the boat?", Answer: "VIOLET3"}
	same := agent.Batch{Tasks: []agent.Task{task(t, "one", boat), task(t, "two", boat)}}
	history, seeded := sharedHistory(same)
	if !seeded || len(history) != 1 {
		t.Errorf("shared: %v, %t", history, seeded)
	}
	for _, c := range buildChildren(same, []string{"a", "b"}, seeded) {
		if strings.Contains(c.Task, "VIOLET3") {
			t.Errorf("the history stands in the text too:\n%s", c.Task)
		}
	}
	other := agent.Batch{Tasks: []agent.Task{task(t, "one", boat), task(t, "two")}}
	if _, seeded := sharedHistory(other); seeded {
		t.Error("two histories in one session")
	}
	if list := buildChildren(other, []string{"a", "b"}, false); !strings.Contains(list[0].Task, "VIOLET3") || strings.Contains(list[1].Task, "VIOLET3") {
		t.Errorf("texts %+v", list)
	}
}

// TestDefinition: an agent has the tools that its role was granted, in the words of
// each version, and a name of its own.
func TestDefinition(t *testing.T) {
	one := task(t, "one")
	one.System = "You mine."
	for _, test := range []struct{ version, tools, want, extensions string }{
		{"0.34.0", agent.ToolsNone, "\ntools: none\n", "\nextensions:\n"},
		{"0.67.0", agent.ToolsNone, "\ntools: \n", "\nextensions:\n"},
		{"0.34.0", agent.ToolsRead, "\ntools: read, grep, find, ls\n", "\nextensions: /guard.ts\n"},
		{"0.67.0", agent.ToolsRead, "\ntools: read, grep, find, ls\n", "\nextensions: /guard.ts\n"},
	} {
		got := New(agent.Settings{Tools: test.tools}, nil).printDefinition("name", one, tool{version: test.version}, "/guard.ts")
		if !strings.Contains(got, test.want) || !strings.Contains(got, test.extensions) || !strings.HasSuffix(got, "\nYou mine.\n") {
			t.Errorf("%+v: definition\n%s", test, got)
		}
	}
	dir := t.TempDir()
	names, err := New(agent.Settings{}, nil).writeDefinitions(agent.Batch{Tasks: []agent.Task{one, one}}, tool{}, nil, dir, "/guard.ts")
	if err != nil || len(names) != 2 || names[0] == names[1] || !strings.HasPrefix(names[0], "vault-mind-miner-") {
		t.Errorf("names %q, %v", names, err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.md")); len(files) != 2 {
		t.Errorf("files %q", files)
	}
}
