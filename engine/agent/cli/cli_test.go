package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/testdata/wires"
)

// replay is the variable that turns this test binary into an agent program: it
// names a recording to print, or is a role of [perform].
const replay = "CLI_TEST_REPLAY"

// seenFile is the variable that names the file a played program writes what it
// was given to.
const seenFile = "CLI_TEST_SEEN"

// seen is what a played program was given.
type seen struct {
	Args            []string
	Input, Dir      string
	Schema, History string // the files that the arguments name
	Settings        string // of gemini, where it works
	Permission      string
	Confined        string // the files that say what is hidden
}

func TestMain(m *testing.M) {
	if what := os.Getenv(replay); what != "" {
		os.Exit(perform(what))
	}
	os.Exit(m.Run())
}

// perform plays the program.
func perform(what string) int {
	input, _ := io.ReadAll(os.Stdin)
	dir, _ := os.Getwd()
	s := seen{Args: os.Args[1:], Input: string(input), Dir: dir, Permission: os.Getenv("OPENCODE_PERMISSION"),
		Settings: content(".gemini/settings.json")}
	for i, arg := range os.Args[:len(os.Args)-1] {
		switch arg {
		case "--output-schema":
			s.Schema = content(os.Args[i+1])
		case "--fork":
			s.History = content(os.Args[i+1])
		case "--settings", "--policy", "--extension":
			s.Confined += content(os.Args[i+1])
		}
	}
	data, _ := json.Marshal(s)
	_ = os.WriteFile(os.Getenv(seenFile)+"~", data, 0o600)
	_ = os.Rename(os.Getenv(seenFile)+"~", os.Getenv(seenFile))
	if what == "hang" {
		<-time.After(time.Hour)
	}
	recording, err := txtar.ParseFile(what)
	if err != nil {
		return 99
	}
	_, _ = os.Stdout.Write(part(recording, "stdout"))
	if rest := part(recording, "stdout, when it was heard"); rest != nil {
		for content(os.Getenv(seenFile)+".heard") == "" {
			<-time.After(time.Millisecond)
		}
		_, _ = os.Stdout.Write(rest)
	}
	_, _ = os.Stderr.Write(part(recording, "stderr"))
	status, _ := strconv.Atoi(strings.TrimSpace(string(part(recording, "status"))))
	return status
}

func content(path string) string {
	data, _ := os.ReadFile(path)
	return string(data)
}

// part is a part of a recording, without the marks of [wires].
func part(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return []byte(wires.New(name, "", string(f.Data)).Body)
		}
	}
	return nil
}

// play returns the runner of a preset whose program plays what, and where it
// leaves what it was given.
func play(t *testing.T, name, what string, s agent.Settings) (*Runner, string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	program := filepath.Join(bin, presets[name].program)
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if err := os.Link(self, program); err != nil {
		data, err := os.ReadFile(self)
		if err == nil {
			err = os.WriteFile(program, data, 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	// A folder that every sandbox opens, for the recording and what is seen.
	shared := t.TempDir()
	file := filepath.Join(shared, "seen")
	if filepath.IsAbs(what) {
		data, err := os.ReadFile(what)
		if what = filepath.Join(shared, "recording"); err == nil {
			err = os.WriteFile(what, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	// A race-enabled program would wait a second before it exits, one with
	// coverage would complain on standard error.
	env := map[string]string{"PATH": bin, replay: what, seenFile: file, "GORACE": "atexit_sleep_ms=0", "GOCOVERDIR": t.TempDir(),
		"HOME": bin, "USERPROFILE": bin, "NODE_COMPILE_CACHE": shared}
	maps.Copy(env, s.Env)
	s.Env = env
	if s.Timeout == 0 {
		s.Timeout = time.Minute
	}
	r, ok := New(name, s)
	if !ok {
		t.Fatalf("there is no preset %s", name)
	}
	return r, file
}

// recorded is the path of what a real program has printed.
func recorded(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", "recorded", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// made writes a recording by hand.
func made(t *testing.T, status int, stdout, stderr string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.txtar")
	text := fmt.Sprintf("-- status --\n%d\n-- stdout --\n%s\n-- stderr --\n%s\n", status, stdout, stderr)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func writeFile(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }

func taskOf(t *testing.T, requests int) agent.Task {
	return agent.Task{Agent: "vault-mind-miner", Role: "Miner", Root: t.TempDir(), Note: "a.md", Text: "the task",
		Requests: make([]agent.Request, requests)}
}

func look(t *testing.T, file string) seen {
	t.Helper()
	var s seen
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRecordedAnswers replays what the real programs print when all goes well.
func TestRecordedAnswers(t *testing.T) {
	for _, c := range []struct {
		recording, text string
		usage           agent.Usage
	}{
		{"claude_single", "blue", agent.Usage{Model: "claude-opus-5-5", Input: 11, Output: 7, Cost: 0.00018399999999999997}},
		{"claude_group", `{"responses":[{"request":1,"answer":"red"},{"request":2,"answer":"blue"}]}`,
			agent.Usage{Model: "claude-opus-5-5", Input: 11, Output: 7, Cost: 0.00018399999999999997}},
		{"codex_single", "blue", agent.Usage{Input: 11, Output: 7}},
		{"codex_group", `{"responses":[{"request":1,"answer":"red"},{"request":2,"answer":"blue"}]}`, agent.Usage{Input: 11, Output: 7}},
		{"gemini_single", "blue", agent.Usage{Model: "gemini-2.5-flash", Input: 11, Output: 7}},
		{"opencode_single", "blue", agent.Usage{Input: 11, Output: 7}},
		{"copilot_single", "blue", agent.Usage{Model: "m"}},
		{"qwen_single", "blue", agent.Usage{Model: "m", Input: 11, Output: 7}},
		{"pi_single", "blue", agent.Usage{Model: "m", Input: 11, Output: 7}},
		{"pi_1.5", "blue", agent.Usage{Model: "m", Input: 11, Output: 7}}, // by its documentation
		{"pi_group", `{"responses":[{"request":1,"answer":"red"},{"request":2,"answer":"blue"}]}`, agent.Usage{Model: "m", Input: 11, Output: 7}},
	} {
		name, _, _ := strings.Cut(c.recording, "_")
		r, _ := play(t, name, recorded(t, c.recording), agent.Settings{})
		got, err := r.Run(t.Context(), taskOf(t, 1))
		if err != nil || got.Text != c.text || got.Usage != c.usage {
			t.Errorf("%s: %q %+v, %v", c.recording, got.Text, got.Usage, err)
		}
	}
}

// TestRecordedFailures replays what the real programs print when it does not.
func TestRecordedFailures(t *testing.T) {
	for _, c := range []struct {
		recording string
		kind      agent.Kind
		sentence  string
	}{
		{"claude_400", agent.Permanent, "claude was refused by its server (HTTP 400): API Error: 400 bad"},
		{"claude_401", agent.Permanent, "claude is not logged in; run claude and log in: Invalid API key · Fix external API key"},
		{"claude_429", agent.Transient, "claude is at its rate limit: API Error: Request rejected (429) · slow down"},
		{"claude_logged_out", agent.Permanent, "claude is not logged in; run claude and log in: Not logged in · Please run /login"},
		{"claude_refused", agent.Transient, "claude cannot reach its server; check the network: API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)"},
		{"codex_400", agent.Permanent, "codex was refused by its server (HTTP 400): bad"},
		{"codex_401", agent.Permanent, "codex is not logged in; run codex login: unexpected status 401 Unauthorized: bad key, url: http://127.0.0.1:11434/v1/responses"},
		{"codex_429", agent.Transient, "codex is at its rate limit: exceeded retry limit, last status: 429 Too Many Requests"},
		{"codex_logged_out", agent.Permanent, "codex is not logged in; run codex login: Missing environment variable: `K`"},
		{"gemini_400", agent.Permanent, "gemini was refused by its server (HTTP 400): bad"},
		{"opencode_400", agent.Permanent, "opencode was refused by its server (HTTP 400): bad"},
		{"copilot_400", agent.Permanent, "copilot was refused by its server (HTTP 400): 400 bad"},
		{"copilot_401", agent.Permanent, "copilot is not logged in; run copilot login: Authentication failed with provider at http://127.0.0.1:8080/v1 (HTTP 401). Chec****** your COPILOT_PROVIDER_API_KEY, COPILOT_PROVIDER_API_KEY_COMMAND, or COPILOT_PROVIDER_BEARER_TOKEN"},
		{"qwen_400", agent.Permanent, "qwen was refused by its server (HTTP 400): [API Error: 400 bad]"},
		{"qwen_401", agent.Permanent, "qwen is not logged in; run qwen and log in: [API Error: 401 bad key]"},
		{"pi_400", agent.Permanent, "pi was refused by its server (HTTP 400): 400: bad"},
		{"pi_401", agent.Permanent, "pi is not logged in; run pi and log in with /login: 401: bad key"},
	} {
		name, _, _ := strings.Cut(c.recording, "_")
		r, _ := play(t, name, recorded(t, c.recording), agent.Settings{})
		_, err := r.Run(t.Context(), taskOf(t, 1))
		wantFailure(t, c.recording, err, c.kind, c.sentence)
	}
}

func wantFailure(t *testing.T, what string, err error, kind agent.Kind, sentence string) {
	t.Helper()
	f, ok := errors.AsType[*agent.Failure](err)
	if !ok || f.Kind != kind || f.Error() != sentence {
		t.Errorf("%s: %v (%+v), want kind %d and %q", what, err, f, kind, sentence)
	}
}

// TestMadeFailures are failures that cannot be had from a fake server, in the
// words the programs are known for.
func TestMadeFailures(t *testing.T) {
	t.Parallel()
	claudeSays := func(text string) string {
		return `{"type":"result","subtype":"success","is_error":true,"result":` + strconv.Quote(text) + `}`
	}
	for _, c := range []struct {
		name           string
		status         int
		stdout, stderr string
		kind           agent.Kind
		sentence       string
	}{
		{"claude", 1, claudeSays("Not logged in · Please run /login"), "", agent.Permanent, "claude is not logged in; run claude and log in: Not logged in · Please run /login"},
		{"claude", 1, "Not logged in · Please run /login", "", agent.Permanent, "claude is not logged in; run claude and log in: Not logged in · Please run /login"},
		{"claude", 0, `{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_streaming"}`, "",
			agent.Transient, "claude broke its answer off: error_during_execution"},
		{"claude", 0, `{"type":"result","subtype":"success","is_error":false,"result":" \n"}`, "", agent.Permanent, "claude gave an empty answer"},
		{"claude", 0, "", "", agent.Transient, "claude printed nothing; see in a terminal whether it answers there, and run claude and log in if not"},
		{"claude", 0, "Blue, I think.", "", agent.Transient, "claude printed an answer that cannot be read"},
		{"claude", 1, "", "No conversation found with session ID: x", agent.Transient, "claude ended with status 1: No conversation found with session ID: x"},
		{"claude", 1, "", "error: unknown option '--restricted'\n(Did you mean --resume?)", agent.Permanent,
			"claude does not know an option that is needed; update claude: newer than 2.1.197, which needs Node 22: error: unknown option '--restricted'"},
		{"gemini", 1, "", "file:///x/gemini.js:1\nimport a from \"b\" with {};\n              ^\n\nSyntaxError: Unexpected token 'with'\n    at x\n\nNode.js v16.20.0", agent.Permanent,
			"gemini does not run with Node v16; install a newer Node"},
		{"codex", 2, "", "error: unexpected argument '--ephemeral' found\n\nUsage: codex exec [OPTIONS]", agent.Permanent,
			"codex does not know an option that is needed; update codex: error: unexpected argument '--ephemeral' found"},
		{"codex", 0, `{"type":"item.completed","item":{"type":"agent_message","text":"half"}}`, "", agent.Transient, "codex ended before its answer was complete"},
		{"codex", 0, `{"type":"turn.completed"}`, "", agent.Permanent, "codex gave an empty answer"},
		{"gemini", 41, "", `{"error":{"type":"Error","message":"Please set an Auth method in your settings.json","code":41}}`,
			agent.Permanent, "gemini is not logged in; run gemini and log in: Please set an Auth method in your settings.json"},
		{"gemini", 41, "", "", agent.Permanent, "gemini is not logged in; run gemini and log in"},
		{"gemini", 55, "", "not running in a trusted directory", agent.Permanent, "gemini refused the request: not running in a trusted directory"},
		{"opencode", 0, `{"type":"text","part":{"text":"half"}}`, "", agent.Transient, "opencode ended before its answer was complete"},
		{"opencode", 1, `{"type":"error","error":{"name":"ProviderAuthError","data":{"message":"API key is missing"}}}`, "",
			agent.Permanent, "opencode is not logged in; run opencode auth login: API key is missing"},
		{"pi", 0, `{"type":"message_end","message":{"role":"assistant","stopReason":"length","content":[{"type":"text","text":"half"}]}}`, "",
			agent.Permanent, "pi " + endings.Tokens.Says},
		{"pi", 1, "", "Error: No API key found for anthropic. Use /login", agent.Permanent, "pi is not logged in; run pi and log in with /login: Error: No API key found for anthropic. Use /login"},
		// https://github.com/QwenLM/qwen-code/issues/1375
		{"qwen", 0, "", "OpenAI API Streaming Error: 401 Incorrect API key provided.\nError when talking to API Full report available at: /tmp/report.json", agent.Permanent,
			"qwen is not logged in; run qwen and log in: OpenAI API Streaming Error: 401 Incorrect API key provided"},
		{"claude", 0, `{"type":"system","subtype":"init"}`, "HTTP 429\nHTTP 401\n\nbye", agent.Permanent, "claude is not logged in; run claude and log in: HTTP 401"},
		{"codex", 1, "", "error sending request\nERROR: Quota exceeded. Check your plan and billing details.\nbye", agent.Permanent,
			"codex says that there is no credit left: ERROR: Quota exceeded. Check your plan and billing details"},
		{"copilot", 1, "", "Error: Authentication token found but could not be validated.\n\n  Failed to fetch PAT user login: network fetch failed: request failed: error sending request for url (https://api.github.com/copilot_internal/user)\n\n" +
			"Your token may still be valid. Check your network connection and try again.\n\n  • Start 'copilot' and run the '/login' command\n  • Set the COPILOT_GITHUB_TOKEN, GH_TOKEN, or GITHUB_TOKEN environment variable\n  • Run 'gh auth login'", agent.Transient,
			"copilot cannot reach its server; check the network: Failed to fetch PAT user login: network fetch failed: request failed: error sending request for url (https://api.github.com/copilot_internal/user)"},
		{"copilot", 1, "", "Error: No authentication information found.\n\n  • Set the COPILOT_GITHUB_TOKEN environment variable", agent.Permanent,
			"copilot is not logged in; run copilot login: Error: No authentication information found"},
		{"copilot", 1, "", "Error: Authentication token found but could not be validated.\n\n  Failed to fetch PAT user login: Bad credentials\n\n  • Set the COPILOT_GITHUB_TOKEN environment variable", agent.Permanent,
			"copilot is not logged in; run copilot login: Error: Authentication token found but could not be validated"},
		{"codex", 0, `{"type":"item.completed","item":{"type":"agent_message","text":"half"}}`, "HTTP 401", agent.Transient, "codex ended before its answer was complete: HTTP 401"},
		{"pi", 1, "", `Error: Model "x" not found.`, agent.Permanent, `pi does not have the model that was asked for: Error: Model "x" not found`},
	} {
		r, _ := play(t, c.name, made(t, c.status, c.stdout, c.stderr), agent.Settings{})
		_, err := r.Run(t.Context(), taskOf(t, 1))
		wantFailure(t, c.name+" "+c.stdout+c.stderr, err, c.kind, c.sentence)
	}
}

// TestRateLimit reads when a limit ends from the words of a whole run.
func TestRateLimit(t *testing.T) {
	r, _ := play(t, "codex", made(t, 1, `{"type":"turn.failed","error":{"message":"You've hit your usage limit. Try again in 2 hours 30 minutes."}}`, ""), agent.Settings{})
	before := time.Now()
	_, err := r.Run(t.Context(), taskOf(t, 1))
	limit, ok := errors.AsType[*agent.RateLimited](err)
	if !ok || limit.Expiry.Before(before.Add(150*time.Minute)) || limit.Expiry.After(time.Now().Add(150*time.Minute)) {
		t.Errorf("%v, until %v", err, limit)
	}
}

func TestCancelAndTimeout(t *testing.T) {
	t.Parallel()
	for name := range presets {
		r, file := play(t, name, "hang", agent.Settings{})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := r.Run(ctx, taskOf(t, 1))
			done <- err
		}()
		for deadline := time.Now().Add(time.Minute); content(file) == "" && time.Now().Before(deadline); <-time.After(5 * time.Millisecond) {
		}
		cancel()
		if err := <-done; err != context.Canceled {
			t.Errorf("%s cancelled: %v", name, err)
		}
		r, _ = play(t, name, "hang", agent.Settings{Timeout: 200 * time.Millisecond})
		_, err := r.Run(t.Context(), taskOf(t, 1))
		wantFailure(t, name, err, agent.Transient, presets[name].program+" was still running after 200ms and was ended")
	}
}

// TestNotesAreNoComplaint: what an agent has printed of its conversation holds the
// words of notes, and they do not put a role on hold.
func TestNotesAreNoComplaint(t *testing.T) {
	said := `{"type":"message_end","message":{"role":"user","content":[{"type":"text","text":"rate limit reached, usage limit, quota, not logged in, try again in 5 days"}]}}`
	for name := range presets {
		r, _ := play(t, name, made(t, 1, said, ""), agent.Settings{})
		_, err := r.Run(t.Context(), taskOf(t, 1))
		var limit *agent.RateLimited
		var out *agent.NotLoggedIn
		if errors.As(err, &limit) || errors.As(err, &out) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// An answer may begin as a complaint does.
	for _, answer := range []string{"You've reached your savings goal in March: 5,200 EUR.", "Character limit reached was the error.", "API Error handling is best done in one place."} {
		r, _ := play(t, "claude", made(t, 0, `{"type":"result","subtype":"success","is_error":false,"result":`+strconv.Quote(answer)+`}`, ""), agent.Settings{})
		if reply, err := r.Run(t.Context(), taskOf(t, 1)); err != nil || reply.Text != answer {
			t.Errorf("%q: %q, %v", answer, reply.Text, err)
		}
	}
}
