package acp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
)

// agentThat returns an agent that plays a role, its task, and what it logged.
func agentThat(t *testing.T, role string) (Agent, agent.Task, func() string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	root, log := filepath.Join(dir, "vault"), filepath.Join(dir, "log")
	for _, folder := range []string{root, filepath.Join(root, ".obsidian"), filepath.Join(root, "folder")} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{
		filepath.Join(root, "note.md"): "one\ntwo\nthree\n", filepath.Join(dir, "secret.md"): "secret", filepath.Join(root, ".obsidian", "key"): "secret",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "secret.md"), filepath.Join(root, "link.md")); err != nil {
		t.Log("no links here:", err) // Windows may not allow them: then there is nothing to follow
	}
	a := Agent{Command: []string{program, "--acp"}, Settings: agent.Settings{
		Timeout: 5 * time.Minute, Env: map[string]string{fake: strings.ReplaceAll(role, "ROOT", root), "ACP_TEST_LOG": log, "GORACE": "atexit_sleep_ms=0"}}}
	return a, agent.Task{Role: "Editor", Text: "the task", System: "Be brief.", Root: root, Requests: make([]agent.Request, 1)}, func() string {
		data, _ := os.ReadFile(log)
		return string(data)
	}
}

func TestAnswer(t *testing.T) {
	for _, role := range []string{"answers", "rubbish", "logs JSON"} {
		a, task, log := agentThat(t, role)
		reply, err := a.Run(t.Context(), task)
		if err != nil || reply.Text != "On Friday.\n" || reply.Usage.Input != 9 || reply.Usage.Output != 2 {
			t.Errorf("%s: %+v, %v", role, reply, err)
		}
		for _, want := range []string{`"protocolVersion":1`, `"session":{"notices":{}}`, `"mcpServers":[]`, `"text":"Be brief.\n\nthe task\n\nBegin the reply`} {
			if !strings.Contains(log(), want) {
				t.Errorf("%s: nothing of %s in %s", role, want, log())
			}
		}
		for _, never := range []string{`"writeTextFile":true`, `"readTextFile":true`, `"terminal":true`, task.Root} {
			if strings.Contains(log(), never) {
				t.Errorf("%s: without tools the agent was told %s: %s", role, never, log())
			}
		}
	}
}

// A link does not show what is hidden, nor what is outside; one to a note does.
func TestLinksInVault(t *testing.T) {
	a, task, _ := agentThat(t, "answers")
	a.Tools = agent.ToolsRead
	c := newClient(a, task.Root)
	for name, target := range map[string]string{"hidden.md": filepath.Join(".obsidian", "key"), "outside.md": filepath.Join("..", "secret.md"), "again.md": "note.md"} {
		if err := os.Symlink(target, filepath.Join(task.Root, name)); err != nil {
			t.Skipf("no links here: %v", err)
		}
		f, err := c.openInVault(filepath.Join(task.Root, name))
		if shown := err == nil; shown != (name == "again.md") {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			f.Close()
		}
	}
}

// An agent that ends its turn when a tool is refused is told once that there are none;
// what it said before it wanted the tool is an answer only if it says nothing else.
func TestRefusedToolIsAskedOnceMore(t *testing.T) {
	for role, want := range map[string]string{"gives up": "On Friday, it says.", "gives up:twice": "Let me write that down."} {
		a, task, log := agentThat(t, role)
		reply, err := a.Run(t.Context(), task)
		if err != nil || reply.Text != want || reply.Usage.Input != 18 || reply.Usage.Output != 4 {
			t.Errorf("%s: %+v, %v", role, reply, err)
		}
		if n := strings.Count(log(), toolsOff); n != 1 {
			t.Errorf("%s: told %d times: %s", role, n, log())
		}
	}
}

// What the agent says is heard piece by piece; what it said before it used a tool is no part of that.
func TestHeard(t *testing.T) {
	for role, want := range map[string][]string{
		"answers":       {"Let me look.", "On ", "On Friday.\n"},
		"gives up":      {"Let me write that down.", "On Friday, it says."},
		"stops:refusal": {"half an ans"},
		"empty":         nil,
		"seals:Yes.":    {"", "Y", "Ye", "Yes", "Yes.", "Yes.\n"},
	} {
		a, task, _ := agentThat(t, role)
		var heard []string
		task.Listener = func(text string) {
			if len(heard) == 0 || heard[len(heard)-1] != text {
				heard = append(heard, text)
			}
		}
		reply, err := a.Run(t.Context(), task)
		if !slices.Equal(heard, want) || err == nil && strings.TrimSpace(reply.Text) != strings.TrimSpace(heard[len(heard)-1]) {
			t.Errorf("%s: %+v, %v, heard %q", role, reply, err, heard)
		}
	}
}

// Updates may come behind the end of the turn.
func TestEndsEarly(t *testing.T) {
	a, task, _ := agentThat(t, "ends early")
	if reply, err := a.Run(t.Context(), task); err != nil || reply.Text != "On Friday." {
		t.Errorf("%+v, %v", reply, err)
	}
}

// An agent that says much at once is heard to the end.
func TestBurst(t *testing.T) {
	a, task, _ := agentThat(t, "burst")
	if reply, err := a.Run(t.Context(), task); err != nil || reply.Text != strings.Repeat("x", 5000) {
		t.Errorf("%d characters, %v", len(reply.Text), err)
	}
}

// What an agent asks leave for, and what it gets.
func TestReadOnly(t *testing.T) {
	const refusedAll = `leave-read {"outcome":{"optionId":"no","outcome":"selected"}}
leave-outside {"outcome":{"optionId":"no","outcome":"selected"}}
leave-edit {"outcome":{"optionId":"no","outcome":"selected"}}
leave-run {"outcome":{"optionId":"no","outcome":"selected"}}
read-/vault/note.md refused
read-/secret.md refused
read-/secret.md refused
read-/vault/.obsidian/key refused
read-/vault/link.md refused
read-/vault/none.md refused
read-/vault/folder refused
read-note.md refused
read-/vault refused
part refused
write refused
terminal refused`
	readable := strings.NewReplacer(
		`leave-read {"outcome":{"optionId":"no"`, `leave-read {"outcome":{"optionId":"once"`,
		"read-/vault/note.md refused", `read-/vault/note.md {"content":"one\ntwo\nthree\n"}`,
		"part refused", `part {"content":"two\n"}`).Replace(refusedAll)
	for tools, want := range map[string]string{"": refusedAll, agent.ToolsNone: refusedAll, agent.ToolsRead: readable} {
		a, task, log := agentThat(t, "asks:ROOT")
		a.Tools = tools
		reply, err := a.Run(t.Context(), task)
		if got := strings.ReplaceAll(reply.Text, `\`+string(filepath.Separator), "/"); err != nil || filepath.ToSlash(got) != want && got != want {
			t.Errorf("tools %q: %v\n got %s\nwant %s", tools, err, got, want)
		}
		if data, _ := os.ReadFile(filepath.Join(task.Root, "note.md")); string(data) != "one\ntwo\nthree\n" {
			t.Errorf("the note is %q now", data)
		}
		if told := strings.Contains(log(), `"readTextFile":true`); told != (tools == agent.ToolsRead) {
			t.Errorf("tools %q: %s", tools, log())
		}
	}
}

// TestDesk: who may read and takes a server over HTTP is told of the desk, and gets leave for its tools alone.
func TestDesk(t *testing.T) {
	const all, none = "once no no no no no", "no no no no no no"
	desk := agent.Desk{Address: "http://127.0.0.1:1/mcp", Ticket: "ticket-x"}
	for _, c := range []struct {
		role, tools string
		desk        agent.Desk
		want        string
	}{
		{"asks desk", agent.ToolsRead, desk, all},
		{"asks desk", agent.ToolsRead, agent.Desk{}, none},
		{"asks desk", agent.ToolsNone, desk, none},
		{"asks desk", "", desk, none},
		{"answers", agent.ToolsRead, desk, "On Friday."},
	} {
		a, task, log := agentThat(t, c.role)
		a.Tools, task.Desk = c.tools, c.desk
		reply, err := a.Run(t.Context(), task)
		if err != nil || strings.TrimSpace(reply.Text) != c.want {
			t.Errorf("%+v: %q, %v", c, reply.Text, err)
		}
		told := regexp.MustCompile(`"mcpServers":\[\{"headers":\[\{"name":"Authorization","value":"Bearer ticket-x"\}\],"name":"notes_[a-z0-9]{8}","type":"http","url":"http://127.0.0.1:1/mcp"\}\]`)
		if got := told.MatchString(log()); got != (c.want == all) || strings.Contains(log(), "ticket-x") != got {
			t.Errorf("%+v: %s", c, log())
		}
	}
	for name, isTold := range map[string]bool{"gemini-cli": false, "claude-agent-acp": true} {
		s := session{agent: Agent{Command: []string{"x"}, Settings: agent.Settings{Tools: agent.ToolsRead}}, task: agent.Task{Desk: desk}, client: newClient(Agent{}, "")}
		greeting := sdk.InitializeResponse{AgentInfo: &sdk.Implementation{Name: name}}
		greeting.AgentCapabilities.McpCapabilities.Http = true
		if told := s.offerDesk(greeting); len(told) == 1 != isTold {
			t.Errorf("%s is told %+v", name, told)
		}
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for role, c := range map[string]struct {
		kind agent.Kind
		want string
	}{
		"stops:refusal": {agent.Permanent, "PROGRAM declined to answer"},
		// https://github.com/getpaseo/paseo/issues/5075, https://github.com/Kilo-Org/kilocode/pull/10096
		`meta:refusal:{"codebuddy.ai/errorMessage":"429 You have exceeded your quota"}`: {agent.Transient, "PROGRAM is at its rate limit: 429 You have exceeded your quota"},
		`meta:end_turn:{"error":{"message":"the model is away"}}`:                       {agent.Transient, "PROGRAM failed: the model is away"},
		`meta:refusal:{"errors":0,"error":null}`:                                        {agent.Permanent, "PROGRAM declined to answer"},
		// https://github.com/anomalyco/opencode/issues/45893, https://github.com/zed-industries/zed/issues/50110
		"says:Error from provider (Console): Rate limit exceeded. Please try again later.": {agent.Transient, "PROGRAM is at its rate limit: Error from provider (Console): Rate limit exceeded. Please try again later"},
		`says:API Error: 500 {"type":"error","error":{"type":"api_error","message":"no"}}`: {agent.Transient, `PROGRAM failed: API Error: 500 {"type":"error","error":{"type":"api_error","message":"no"}}`},
		"stops:max_tokens":        {agent.Permanent, "PROGRAM " + endings.Tokens.Says},
		"stops:max_turn_requests": {agent.Permanent, "PROGRAM came to its limit of steps before its answer was complete"},
		"stops:cancelled":         {agent.Permanent, "PROGRAM cancelled the task by itself"},
		"stops:new\x1breason":     {agent.Transient, "PROGRAM broke its answer off: new reason"},
		"empty":                   {agent.Permanent, "PROGRAM gave an empty answer"},
		"flood":                   {agent.Permanent, "PROGRAM answered with more than 8 MiB"},
		"version":                 {agent.Permanent, "PROGRAM speaks version 2 of the Agent Client Protocol, and version 1 is needed"},
		"auth":                    {agent.Permanent, "PROGRAM is not logged in; run it once by itself and log in: Authentication required"},
		"dies":                    {agent.Transient, "PROGRAM ended with status 3 before it answered: out of memory"},
		"hangs up":                {agent.Transient, "PROGRAM ended the conversation before it answered"},
		"dies in its answer":      {agent.Transient, "PROGRAM ended with status 3 before it answered"},
		"dies at once":            {agent.Transient, "PROGRAM ended with status 7 before it answered"},
		"silent":                  {agent.Transient, "PROGRAM does not answer in the Agent Client Protocol"},
		"only rubbish":            {agent.Transient, "PROGRAM does not answer in the Agent Client Protocol: [31mNew version available"},
		`errors:{"code":-32603,"message":"Internal error","data":{"details":"the model is away"}}`: {agent.Transient, "PROGRAM failed: the model is away"},
		`errors:{"code":-32603,"message":"429 Too Many Requests"}`:                                 {agent.Transient, "PROGRAM is at its rate limit: 429 Too Many Requests"},
		// https://github.com/xintaofei/codeg/issues/152, https://github.com/zed-industries/zed/issues/50110
		`errors:{"code":-32603,"message":"Internal error: API Error: Claude's response exceeded the 32000 output token maximum.","data":{"errorKind":"max_output_tokens"}}`: {agent.Permanent, "PROGRAM " + endings.Tokens.Says + ": API Error: Claude's response exceeded the 32000 output token maximum"},
		`errors:{"code":-32603,"message":"Internal error","data":{"details":"Query closed before response received"}}`:                                                      {agent.Transient, "PROGRAM failed: Query closed before response received"},
		`errors:{"code":-32602,"message":"Invalid params","data":"prompt"}`:                                                                                                 {agent.Permanent, "PROGRAM failed: Invalid params: prompt"},
	} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			a, task, _ := agentThat(t, role)
			switch a.hello = 0; {
			case strings.Contains(role, "silent"):
				a.hello = time.Second
			case strings.Contains(role, "rubbish"):
				a.hello = 8 * time.Second // to start on a busy machine, and to say it
			}
			a.limit = 1 << 20
			_, err := a.Run(t.Context(), task)
			failure, ok := errors.AsType[*agent.Failure](err)
			if want := strings.ReplaceAll(c.want, "PROGRAM", a.programName()); !ok || failure.Kind != c.kind || err.Error() != want {
				t.Errorf("%#v\n got %v\nwant %s", failure, err, want)
			}
			if role == "dies in its answer" && (failure.Cut != "half an ans" || failure.Tries != 2) {
				t.Errorf("of what was said is kept %q, tried %d times", failure.Cut, failure.Tries)
			}
		})
	}
	a, task, _ := agentThat(t, "auth")
	_, err := a.Run(t.Context(), task)
	if _, ok := errors.AsType[*agent.NotLoggedIn](err); !ok {
		t.Errorf("%#v", err)
	}
	a.Command = []string{"no-such-agent"}
	_, err = a.Run(t.Context(), task)
	if _, ok := errors.AsType[*agent.NotFound](err); !ok {
		t.Errorf("%#v", err)
	}
	task.Text = strings.Repeat("x", agent.MaxPrompt)
	if _, err := a.Run(t.Context(), task); err == nil || !strings.Contains(err.Error(), "more than the 900000 an agent is given") {
		t.Errorf("%v", err)
	}
}

func TestModel(t *testing.T) {
	for role, want := range map[string][2]string{
		"models":        {`"modelId":"large"`, `session/set_mode {"modeId":"default"`},
		"model options": {`{"configId":"model","sessionId":"s1","value":"large"}`, `{"configId":"mode","sessionId":"s1","value":"default"}`},
	} {
		a, task, log := agentThat(t, role)
		a.Model = "large"
		_, err := a.Run(t.Context(), task)
		before, _, _ := strings.Cut(log(), `"prompt":`)
		_, after, told := strings.Cut(before, want[0])
		if err != nil || !told || !strings.Contains(after, want[1]) { // the model may have brought another mode
			t.Errorf("%s: %v: %s", role, err, log())
		}
		a.Model = "huge"
		if _, err := a.Run(t.Context(), task); err == nil || err.Error() != a.programName()+` does not have the model "huge"; it has small, large` {
			t.Errorf("%s: %v", role, err)
		}
	}
	a, task, _ := agentThat(t, "answers")
	a.Model = "large"
	if _, err := a.Run(t.Context(), task); err == nil || err.Error() != a.programName()+" cannot be told which model to use; remove model from the role" {
		t.Errorf("%v", err)
	}
}

// An agent is told that it is cancelled, and has ended when the run has, whether
// or not it listens.
func TestCancelAndTimeout(t *testing.T) {
	t.Parallel()
	for _, role := range []string{"hangs", "deaf"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			a, task, log := agentThat(t, role)
			if role == "hangs" {
				a.words = 24 * time.Hour // the machine may be slow
			}
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				for ctx.Err() == nil && !strings.Contains(log(), "pid=") {
					<-time.After(5 * time.Millisecond)
				}
				cancel()
			}()
			if _, err := a.Run(ctx, task); err != context.Canceled {
				t.Errorf("%v", err)
			}
			if role == "hangs" && !strings.Contains(log(), "cancelled") {
				t.Errorf("the agent was not told: %s", log())
			}
			pid := regexp.MustCompile(`pid=(\d+)`).FindStringSubmatch(log())
			if pid == nil || running(pid[1]) {
				t.Errorf("process %v goes on", pid)
			}
		})
	}
	a, task, _ := agentThat(t, "hangs")
	a.Timeout = 500 * time.Millisecond
	_, err := a.Run(t.Context(), task)
	if failure, ok := errors.AsType[*agent.Failure](err); !ok || failure.Kind != agent.Transient ||
		err.Error() != a.programName()+" was still running after 500ms and was ended" {
		t.Errorf("%v", err)
	}
}

func TestEndedBeforeItBegan(t *testing.T) {
	a, task, log := agentThat(t, "answers")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Run(ctx, task); err != context.Canceled || log() != "" {
		t.Errorf("%v: %s", err, log())
	}
}
