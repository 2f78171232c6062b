package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"vaultdispatcher/engine/testdata/testmain"
	"vaultdispatcher/engine/wording/times"
)

// fake is the variable that turns this test binary into an agent program.
const fake = "AGENT_TEST_FAKE"

func TestMain(m *testing.M) {
	if role := os.Getenv(fake); role != "" {
		os.Exit(play(role))
	}
	os.Exit(testmain.Run(m))
}

// fakeAgent is a command whose program is this test binary.
func fakeAgent(t *testing.T, role string, args ...string) Command {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// A race-enabled program would wait a second before it exits, one with
	// coverage would complain on standard error.
	env := map[string]string{fake: role, "GORACE": "atexit_sleep_ms=0", "GOCOVERDIR": t.TempDir()}
	return Command{Argv: append([]string{program}, args...), Env: env, Timeout: 5 * time.Minute}
}

func taskIn(t *testing.T, text string) Task {
	return Task{Agent: "vault-mind-miner", Role: "Miner", Root: t.TempDir(), Note: "a/b c.md", Text: text}
}

func run(t *testing.T, c Command, task Task) (Reply, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	return c.Run(ctx, task)
}

func TestCommandAnswers(t *testing.T) {
	for _, c := range []struct{ role, answer, text, want string }{
		{"echo", "", "hello\nthere 🙂", "hello\nthere 🙂"},
		{"echo", "stdout", "a\n", "a\n"},
		{"echo", ".result", `{"x":[1,{}],"result":"a\nb"}`, "a\nb"},
		{"echo", ".items[1].text", `{"items":[{"text":"a"},{"text":"b"}]}`, "b"},
		{"echo", ".text", "{\"text\":\"draft\"}\n{\"type\":\"end\"}\n{\"text\":\"final\"}\n{\"usage\":3}\n", "final"},
		{"echo", ".", `"just text"`, "just text"},
		{"echo", ".out", `{"out":{"responses":[]}}`, `{"responses":[]}`},
		{"echo", ".a", `{"a":"\u001b[1mbold\u001b[0m"}`, "bold"},
		{"echo", "", "\x1b[31mred\x1b[0m \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\r\n", "red link\n"},
		{"deaf", "", strings.Repeat("prompt ", 5<<20/7), "did not listen"},
		{"closes stdin", "", strings.Repeat("prompt ", 5<<20/7), "heard enough"},
		{"count", "", strings.Repeat("prompt ", 5<<20/7), fmt.Sprint(5 << 20 / 7 * 7)},
		{"chatters", "", "", "answer"},
	} {
		command := fakeAgent(t, c.role)
		command.Answer = c.answer
		got, err := run(t, command, taskIn(t, c.text))
		if err != nil || got.Text != c.want {
			t.Errorf("%s %s of %.60q: %q, %v; want %q", c.role, c.answer, c.text, got.Text, err, c.want)
		}
	}
}

// TestCommandSeals: what a known program prints around its answer is no part of it.
func TestCommandSeals(t *testing.T) {
	for text, want := range map[string]string{"(\nAPI Error: 404 is what it says.\n)": "API Error: 404 is what it says.", "banner\n\n(\nError: 5 of 9\n)\n\n\nTokens: 5": "Error: 5 of 9"} {
		command := fakeAgent(t, "seals", text)
		command.Argv[0] = namedAgent(t, "goose")
		if reply, err := run(t, command, taskIn(t, "x")); err != nil || reply.Text != want {
			t.Errorf("%q: %q, %v", text, reply.Text, err)
		}
	}
	if reply, err := run(t, fakeAgent(t, "seals", "A. "), taskIn(t, "x")); err != nil || reply.Text != "A. nothing was asked for" {
		t.Errorf("of a program that is not known: %q, %v", reply.Text, err)
	}
}

func TestCommandFailures(t *testing.T) {
	name := filepath.Base(os.Args[0])
	for _, c := range []struct {
		role, answer, text string
		kind               Kind
		reason, detail     string
	}{
		{"exit 3", "", "", Transient, name + " ended with status 3", "the last line"},
		{"exit 3 on stdout", "", "", Transient, name + " ended with status 3", "please log in"},
		{"shouts", "", "", Transient, name + " ended with status 1", strings.Repeat("é", 199) + "…"},
		{"echo", "", "", Permanent, name + " gave an empty answer", ""},
		{"echo", "", " \n\x1b[0m\u200b", Permanent, name + " gave an empty answer", ""},
		{"echo", ".result", `{"a":1}`, Permanent, "the output of " + name + " has no .result", ""},
		{"echo", ".result", `{"result":null}`, Permanent, "the output of " + name + " has no .result", ""},
		{"echo", ".result", `{"result":""}`, Permanent, name + " gave an empty answer", ""},
		{"echo", ".result", "", Permanent, "the output of " + name + " has no .result", ""},
		{"echo", ".r[0]", "Not logged in", Permanent,
			"the output of " + name + " is not valid JSON: invalid character 'N' looking for beginning of value", ""},
	} {
		command := fakeAgent(t, c.role)
		command.Answer = c.answer
		_, err := run(t, command, taskIn(t, c.text))
		wantFailure(t, c.role, err, Failure{Kind: c.kind, Reason: c.reason, Detail: c.detail})
	}
}

// TestCommandComplaints: a line that a known program prints in place of an answer is none, under whatever path it is started.
func TestCommandComplaints(t *testing.T) {
	until := time.Now().Add(time.Hour)
	for _, c := range []struct {
		program, answer, text string
		kind                  Kind
		reason                string
	}{
		{"claude", "", "API Error: Rate limit reached", Transient, "claude is at its rate limit"},
		{"claude", "", fmt.Sprintf("Claude AI usage limit reached|%d\n", until.Unix()), Transient, "claude is at its limit until " + until.Format("15:04 on 2 January")},
		{"claude", "", "Credit balance is too low\n", Permanent, "claude says that there is no credit left"},
		{"claude", "", "Invalid API key · Please run /login", Permanent, "claude is not logged in; run it once by itself and log in"},
		{"claude", "", "Prompt is too long", Permanent, "claude does not read so long a task at once"},
		{"claude", "", "Execution error", Transient, "claude printed what may be no answer"},
		{"claude", ".result", `{"type":"result","result":"Credit balance is too low"}`, Permanent, "claude says that there is no credit left"},
		{"claude", ".result", "Not logged in · Please run /login", Permanent, "claude is not logged in; run it once by itself and log in"},
		{"gemini", "", "[API Error: exception TypeError: fetch failed sending request]", Transient, "gemini cannot reach its server; check the network"},
		// https://github.com/github/copilot-cli/issues/2336, https://github.com/aaif-goose/goose/issues/11900, https://github.com/Aider-AI/aider/issues/3918,
		// https://github.com/cursor/cursor/issues/3703, https://github.com/kirodotdev/Kiro/issues/7929
		{"copilot", "", "✗ Sorry, you've hit a rate limit that restricts the number of requests you can make.\n(Request ID: AF08:1CC094)\n", Transient, "copilot is at its rate limit"},
		{"goose", "", "Ran into this error: Request failed: Bad request (400): Error from provider:\nno session\n\nPlease retry if you think this is a transient or recoverable error.\n", Transient, "goose printed what may be no answer"},
		{"aider", "", "Retrying in 32.0 seconds...\n\nlitellm.RateLimitError: litellm.RateLimitError: VertexAIException - b'{}'\n", Transient, "aider is at its rate limit"},
		{"cursor-agent", "", "Error: You've hit your usage limit\n  Get Cursor Pro for more Agent usage.\n  spendLimitHit: false\n", Transient, "cursor-agent is at its rate limit"},
		{"kiro-cli", "", "⚠️  WARNING: no MCP\n\x1b[?25lAuthentication failed. Your API key may be invalid or expired.\n\x1b[?25h\n", Permanent, "kiro-cli is not logged in; run it once by itself and log in"},
		// https://github.com/sgl-project/sglang/issues/35736, https://github.com/vllm-project/vllm/issues/49955
		{"my-agent", "", "I look it up.\n\n<tool_call>\n{\"name\": \"search\", \"arguments\": {}}\n</tool_call>\n", Permanent, "my-agent wrote the call of a tool in place of an answer"},
		{"my-agent", "", "On Friday.<turn|>\n", 0, ""},
		{"claude", "", "<think>\nLet me see", Permanent, "claude only thought, and gave no answer"},
		{"my-agent", "", "<think>\nhm\n</think>\n", Permanent, "my-agent only thought, and gave no answer"},
		{"my-agent", "", "Credit balance is too low", 0, ""},
		{"claude", ".result", "nvm: using v22\n[{\"type\":\"system\"},{\"type\":\"result\",\"result\":\"On Friday.\"}]\nbye", 0, ""},
	} {
		command := fakeAgent(t, "args", c.text)
		command.Argv[0], command.Answer = namedAgent(t, c.program), c.answer
		reply, err := run(t, command, taskIn(t, ""))
		if c.reason == "" {
			if err != nil || reply.Text == "" {
				t.Errorf("%s prints %q: %q, %v", c.program, c.text, reply.Text, err)
			}
			continue
		}
		var got *Failure
		if !errors.As(err, &got) || got.Kind != c.kind || strings.TrimSuffix(got.Reason, ".exe") != c.reason && got.Reason != strings.Replace(c.reason, c.program, filepath.Base(command.Argv[0]), 1) {
			t.Errorf("%s prints %q: %q, %v; want %s", c.program, c.text, reply.Text, err, c.reason)
		}
	}
	for _, c := range []struct{ program, role, text, want string }{
		// https://github.com/anomalyco/opencode/issues/26509, https://github.com/github/copilot-cli/issues/2336, https://github.com/google-gemini/gemini-cli/issues/20425
		{"opencode", "complains", "ProviderModelNotFoundError: ProviderModelNotFoundError\n data: {},\n\nError: Model not found: x/.\n", "does not have the model"},
		{"copilot", "complains, exit 1", "Sorry, you've hit a rate limit that restricts the number of requests. Please try again in 2 hours. \n(Request ID: AF08)\n", "is at its limit until"},
		{"copilot", "complains, exit 1", "Error: No authentication information found.\n\nYou can use any of these:\n  • Run 'gh auth login'\n", "is not logged in"},
		{"gemini", "complains, exit 1", "Loaded cached credentials.\nError authenticating: IneligibleTierError: Your account is not eligible.\n    at f (setup.js:1:1)\n", "IneligibleTierError"},
	} {
		command := fakeAgent(t, c.role)
		command.Argv[0] = namedAgent(t, c.program)
		if reply, err := run(t, command, taskIn(t, c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s %q: %q, %v; want %s", c.program, c.role, c.text, reply.Text, err, c.want)
		}
	}
	command := fakeAgent(t, "exit 3 on stdout")
	command.Argv[0] = namedAgent(t, "claude")
	_, err := run(t, command, taskIn(t, ""))
	if got, ok := errors.AsType[*Failure](err); !ok || got.Kind != Transient || !strings.HasSuffix(got.Reason, "ended with status 3") {
		t.Errorf("%v", err)
	}
}

// namedAgent is this test binary under another name.
func namedAgent(t *testing.T, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if runtime.GOOS != "windows" && os.Link(self, path) == nil { // Wine removes no name of a program that runs
		return path
	}
	data, err := os.ReadFile(self)
	if err == nil {
		err = os.WriteFile(path, data, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func wantFailure(t *testing.T, what string, err error, want Failure) {
	t.Helper()
	var got *Failure
	if !errors.As(err, &got) {
		t.Errorf("%s: %v is no failure", what, err)
		return
	}
	if got.Kind != want.Kind || got.Reason != want.Reason || got.Detail != want.Detail {
		t.Errorf("%s: %d %q %q, want %d %q %q", what, got.Kind, got.Reason, got.Detail, want.Kind, want.Reason, want.Detail)
	}
}

func TestCommandThatCannotStart(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("not a program"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		argv []string
		kind Kind
		part string
	}{
		{nil, Permanent, "names no program"},
		{[]string{""}, Permanent, "names no program"},
		{[]string{"./agent"}, Permanent, `"./agent" is neither a bare name nor an absolute path`},
		{[]string{"bin/agent"}, Permanent, "neither a bare name"},
		{[]string{"no-such-agent-program"}, Transient, "no-such-agent-program could not be started: executable file not found"},
		{[]string{filepath.Join(dir, "gone")}, Transient, "gone could not be started: "},
		{[]string{file}, Transient, "file could not be started: "},
	} {
		_, err := run(t, Command{Argv: c.argv}, taskIn(t, ""))
		var got *Failure
		if !errors.As(err, &got) || got.Kind != c.kind || !strings.Contains(got.Reason, c.part) {
			t.Errorf("%q: %v, want kind %d and %q", c.argv, err, c.kind, c.part)
		}
	}
	task := taskIn(t, "")
	task.Root = filepath.Join(task.Root, "gone")
	_, err := run(t, fakeAgent(t, "echo"), task)
	want := os.ErrNotExist
	if runtime.GOOS == "windows" {
		want = syscall.Errno(267) // ERROR_DIRECTORY
	}
	var got *Failure
	if !errors.As(err, &got) || got.Kind != Transient || !errors.Is(err, want) {
		t.Errorf("a vault that is gone: %v", err)
	}
}

func TestCommandTimesOut(t *testing.T) {
	command := fakeAgent(t, "hang")
	name := filepath.Base(os.Args[0])
	for command.Timeout = 250 * time.Millisecond; ; command.Timeout *= 2 {
		start := time.Now()
		_, err := run(t, command, taskIn(t, ""))
		var got *Failure
		if !errors.As(err, &got) || got.Kind != Transient {
			t.Fatal(err)
		}
		if got.Reason == name+" had not even begun after "+times.Duration(command.Timeout)+" and was ended" && command.Timeout < time.Minute {
			continue // on a busy machine a program takes longer to begin
		}
		if want := name + " was still running after " + times.Duration(command.Timeout) + " and was ended"; got.Reason != want {
			t.Errorf("%v, want %q", err, want)
		}
		if took := time.Since(start) - command.Timeout; took > time.Minute {
			t.Errorf("took %v longer", took)
		}
		return
	}
}

func TestCommandIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fakeAgent(t, "echo").Run(ctx, taskIn(t, "x")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}
	task := taskIn(t, "")
	ctx, cancel = context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := fakeAgent(t, "hang", filepath.Join(task.Root, "pid")).Run(ctx, task)
		done <- err
	}()
	pidIn(t, filepath.Join(task.Root, "pid"))
	cancel()
	if err := <-done; err != context.Canceled {
		t.Errorf("cancelled while running: %v", err)
	}
}

// pidIn waits for a file that holds a process id.
func pidIn(t *testing.T, file string) int {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); <-time.After(5 * time.Millisecond) {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if pid, err := strconv.Atoi(strings.TrimSpace(string(data))); err == nil && strings.HasSuffix(string(data), "\n") {
			return pid
		}
	}
	t.Fatalf("%s holds no process id", filepath.Base(file))
	return 0
}

func TestCommandPrintsTooMuch(t *testing.T) {
	for _, role := range []string{"50 MB", "endless"} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, err := run(t, fakeAgent(t, role), taskIn(t, ""))
		runtime.ReadMemStats(&after)
		wantFailure(t, role, err, Failure{Kind: Permanent, Reason: filepath.Base(os.Args[0]) + " printed more than 8 MiB"})
		// Every byte ever allocated, the growth of the buffer included.
		if used := after.TotalAlloc - before.TotalAlloc; used > 48<<20 {
			t.Errorf("%s allocated %d MiB", role, used>>20)
		}
		if kept := int64(after.Sys) - int64(before.Sys); kept > 40<<20 {
			t.Errorf("%s: the process grew by %d MiB", role, kept>>20)
		}
	}
	command := fakeAgent(t, "echo")
	command.Limit = 5
	if got, err := run(t, command, taskIn(t, "12345")); err != nil || got.Text != "12345" {
		t.Errorf("exactly the limit: %q, %v", got.Text, err)
	}
	_, err := run(t, command, taskIn(t, "123456"))
	wantFailure(t, "one more", err, Failure{Kind: Permanent, Reason: filepath.Base(os.Args[0]) + " printed more than 5 bytes"})
}

func TestCommandSeesItsTask(t *testing.T) {
	task := taskIn(t, "")
	task.TaskID = "t.1"
	command := fakeAgent(t, "args", "{role}", "--note={note}", "{vault}", "{agent}/{task_id}", "{other} $HOME `x`", "")
	got, err := run(t, command, task)
	want := strings.Join([]string{"Miner", "--note=a/b c.md", task.Root, "vault-mind-miner/t.1", "{other} $HOME `x`", ""}, "\n")
	if err != nil || got.Text != want {
		t.Errorf("arguments %q, %v; want %q", got.Text, err, want)
	}
	got, err = run(t, fakeAgent(t, "cwd"), task)
	root, _ := filepath.EvalSymlinks(task.Root)
	if err != nil || got.Text != root {
		t.Errorf("working directory %q, %v; want %q", got.Text, err, root)
	}
	task.Context = "fork"
	got, err = run(t, fakeAgent(t, "env"), task)
	for _, line := range []string{"WIKI_ROLE=Miner", "WIKI_TASK_ID=t.1", "WIKI_AGENT=vault-mind-miner", "WIKI_CONTEXT=fork",
		"WIKI_NOTE=a/b c.md", "WIKI_VAULT=" + task.Root, "WIKI_DISPATCH=" + task.ID} {
		if err != nil || !strings.Contains("\n"+got.Text, "\n"+line+"\n") {
			t.Errorf("%s is not in %s, %v", line, got.Text, err)
		}
	}
	other := task
	other.ID, other.TaskID = "d2", ""
	if env := Environ(map[string]string{"WIKI_NOTE": "mine", "A": "b"}, task, other); len(env) != 6 || env["WIKI_NOTE"] != "mine" || env["A"] != "b" || env["WIKI_ROLE"] != "Miner" {
		t.Errorf("of two tasks a program is told %v", env)
	}
}

func TestExpand(t *testing.T) {
	task := Task{Role: "R", TaskID: "--yolo", Note: "-n {role}.md", Root: "/v"}
	if got, err := expandArguments([]string{"{note}", "-t={task_id}", "--x"}, task); err != nil ||
		fmt.Sprintf("%q", got) != `["./-n {role}.md" "-t=--yolo" "--x"]` {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := expandArguments([]string{"{task_id}"}, task); err == nil {
		t.Errorf("%q may be read as an option", got)
	}
}

func TestLookPath(t *testing.T) {
	vault, bin, link := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "link")
	program := "agent-of-test"
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	for _, dir := range []string{vault, filepath.Join(vault, "bin"), bin} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, program), []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	paths := map[string]error{
		bin: nil, t.TempDir(): exec.ErrNotFound, "": exec.ErrNotFound,
		vault: exec.ErrDot, ".": exec.ErrDot, "bin": exec.ErrDot, filepath.Join(vault, "bin"): exec.ErrDot,
		strings.Join([]string{".", "", vault, bin}, string(filepath.ListSeparator)): nil,
	}
	_ = os.Symlink(filepath.Join(vault, "bin"), link) // not every system lets anybody
	if _, err := os.Stat(link); err == nil {
		paths[link] = exec.ErrDot
	}
	for path, want := range paths {
		got, err := lookPath(program, []string{"PATH=/nowhere", "PATH=" + path}, vault)
		if !errors.Is(err, want) || want == nil && got != filepath.Join(bin, program) {
			t.Errorf("PATH=%q: %q, %v; want %v", path, got, err, want)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		command Command
		part    string
	}{
		{Command{Argv: []string{"a"}}, ""},
		{Command{Argv: []string{"a"}, Answer: "stdout"}, ""},
		{Command{Argv: []string{"a"}, Answer: ".a.b[0]"}, ""},
		{Command{Argv: []string{"a"}, Answer: "result"}, `the answer "result" is neither`},
		{Command{Argv: []string{"a"}, Env: map[string]string{"A=B": "x"}}, `"A=B" cannot be the name`},
		{Command{Argv: []string{"a"}, Env: map[string]string{"": "x"}}, `"" cannot be the name`},
		{Command{Argv: []string{"~/bin/a"}}, "neither a bare name"},
	} {
		if err := c.command.Validate(); (err == nil) != (c.part == "") || err != nil && !strings.Contains(err.Error(), c.part) {
			t.Errorf("%+v: %v, want %q", c.command, err, c.part)
		}
	}
}

func TestEnvironment(t *testing.T) {
	got := buildEnvironment([]string{"PATH=/bin", "HOME=/h", "SECRET_KEY=x", "LC_ALL=C", "lc_x=1", "http_proxy=p", "odd", "LANG=a=b", "PATHS=no"},
		map[string]string{"HOME": "/other"})
	if want := "[GIT_TERMINAL_PROMPT=0 PATH=/bin LC_ALL=C lc_x=1 http_proxy=p LANG=a=b HOME=/other]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	if buildEnvironment(nil, nil) == nil {
		t.Error("an empty environment is nil, which means all of this process's")
	}

	t.Setenv("OF_ANOTHER_SERVICE", "secret")
	t.Setenv("LC_TEST", "kept")
	command := fakeAgent(t, "env")
	command.Env["CONFIGURED"] = "a b=c"
	reply, err := run(t, command, taskIn(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]bool{"OF_ANOTHER_SERVICE=secret": false, "LC_TEST=kept": true, "CONFIGURED=a b=c": true} {
		if got := strings.Contains("\n"+reply.Text, "\n"+line+"\n"); got != want {
			t.Errorf("%s is there: %v", line, got)
		}
	}
	// Around it there may be the program's own folder and the places of package managers.
	if !strings.Contains(reply.Text, os.Getenv("PATH")) {
		t.Errorf("this process's PATH is not in %s", reply.Text)
	}
}
