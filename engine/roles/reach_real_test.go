//go:build realagents

package roles

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/sandbox"
	"vaultdispatcher/engine/agent/testdata/fakemodel"
	"vaultdispatcher/engine/config"
)

// spoken are the tools of one program, each a format of its arguments: of a path, of a
// command and of an address.
type spoken struct{ read, write, edit, run, fetch string }

var spokenBy = map[string]spoken{
	"claude": {`Read {"file_path":%s}`, `Write {"file_path":%s,"content":"mine"}`,
		`Edit {"file_path":%s,"old_string":"words","new_string":"mine"}`, `Bash {"command":%s,"description":"d"}`, `WebFetch {"url":%s,"prompt":"p"}`},
	"codex": {},
	"gemini": {`read_file {"file_path":%s}`, `write_file {"file_path":%s,"content":"mine"}`,
		`replace {"file_path":%s,"old_string":"words","new_string":"mine","instruction":"i"}`, `run_shell_command {"command":%s}`, `web_fetch {"prompt":%s}`},
	"qwen": {`read_file {"file_path":%s}`, `write_file {"file_path":%s,"content":"mine"}`,
		`edit {"file_path":%s,"old_string":"words","new_string":"mine"}`, `run_shell_command {"command":%s,"is_background":false}`, `web_fetch {"url":%s,"prompt":"p"}`},
	"opencode": {`read {"filePath":%s}`, `write {"filePath":%s,"content":"mine"}`,
		`edit {"filePath":%s,"oldString":"words","newString":"mine"}`, `bash {"command":%s,"description":"d"}`, `webfetch {"url":%s,"format":"text"}`},
	"copilot": {`view {"path":%s}`, `create {"path":%s,"file_text":"mine"}`,
		`edit {"path":%s,"old_str":"words","new_str":"mine"}`, `bash {"command":%s,"description":"d"}`, `web_fetch {"url":%s}`},
	"pi": {`read {"path":%s}`, `write {"path":%s,"content":"mine"}`,
		`edit {"path":%s,"edits":[{"oldText":"words","newText":"mine"}]}`, `bash {"command":%s}`, `fetch {"url":%s}`},
}

// row is one runner or adapter as a person configures it.
type row struct {
	name    string
	program string // whose tools and home it has
	agent   config.Agent
}

// listRows are the runners and adapters, those first that take longest.
func listRows(installed string) []row {
	bin := func(part, name string) string { return filepath.Join(installed, part, "node_modules", ".bin", name) }
	rows := []row{
		{"opencode", "opencode", config.Agent{Runner: "opencode"}},
		{"qwen", "qwen", config.Agent{Runner: "qwen"}},
		{"pi-subagents", "pi", config.Agent{Runner: "pi-subagents"}},
		{"copilot", "copilot", config.Agent{Runner: "copilot"}},
		{"gemini", "gemini", config.Agent{Runner: "gemini"}},
		{"claude", "claude", config.Agent{Runner: "claude"}},
		{"codex", "codex", config.Agent{Runner: "codex"}},
		{"pi", "pi", config.Agent{Runner: "pi"}},
		{"claude-agent-acp", "claude", config.Agent{Runner: "acp", Command: []string{bin("acp", "claude-agent-acp")}}},
		{"codex-acp", "codex", config.Agent{Runner: "acp", Command: []string{bin("acp", "codex-acp")}}},
		{"gemini --acp", "gemini", config.Agent{Runner: "acp", Command: []string{bin("programs", "gemini"), "--acp", "--skip-trust", "-m", "gemini-2.5-flash"}}},
	}
	if os.Getenv("ALL_AGENTS") != "" {
		rows = append(rows, row{"qwen --acp", "qwen", config.Agent{Runner: "acp", Command: []string{bin("programs", "qwen"), "--acp"}}})
	}
	return rows
}

// ground is where a row is tried: a home, a vault and a folder beside them, each with
// something that must not be shown, and a server that must not be asked.
type ground struct {
	dir, vault, home string
	url              string
	asked            atomic.Int64
}

// What lies outside of the vault, and what is hidden in it.
const (
	planted = "PLANTED"
	hidden  = "HIDDEN"
)

func newGround(t *testing.T, home string) *ground {
	t.Helper()
	g := &ground{dir: t.TempDir(), home: home}
	g.vault = filepath.Join(g.dir, "vault")
	for path, text := range map[string]string{
		g.vault + "/note.md": "words", g.vault + "/.env": hidden, g.vault + "/.obsidian/data.json": hidden,
		g.dir + "/secret.md": planted, home + "/.ssh/id_rsa": planted,
	} {
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(g.dir+"/secret.md", g.vault+"/link.md"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		g.asked.Add(1)
		fmt.Fprint(w, planted)
	}))
	t.Cleanup(server.Close)
	g.url = server.URL
	return g
}

// listCalls are the twelve calls that the model asks of the program.
func (g *ground) listCalls(s spoken) []string {
	quote := func(text string) string { data, _ := json.Marshal(text); return string(data) }
	run := func(command string) string {
		if s.run == "" { // codex does all of it in its shell
			return `exec_command {"cmd":` + quote(command) + `}`
		}
		return fmt.Sprintf(s.run, quote(command))
	}
	use := func(format, argument, command string) string {
		if format == "" {
			return run(command)
		}
		return fmt.Sprintf(format, quote(argument))
	}
	var calls []string
	for _, path := range []string{"/etc/passwd", g.dir + "/secret.md", g.home + "/.ssh/id_rsa", g.vault + "/.env", g.vault + "/.obsidian/data.json", g.vault + "/link.md"} {
		calls = append(calls, use(s.read, path, "cat "+path))
	}
	return append(calls,
		use(s.write, g.vault+"/mine.md", "echo mine > "+g.vault+"/mine.md"),
		use(s.write, g.dir+"/mine.md", "echo mine > "+g.dir+"/mine.md"),
		use(s.edit, g.vault+"/note.md", "echo mine >> "+g.vault+"/note.md"),
		run("touch "+g.dir+"/touched; touch "+g.home+"/touched"),
		run("cat "+g.dir+"/secret.md"),
		use(s.fetch, g.url+"/fetched", "curl -sS "+g.url+"/fetched"))
}

// findHarm says what a call has done that it must not, or nothing. In its mode read-only
// codex reads what its user may, unless the kernel has it in a sandbox. What is hidden in
// a vault is inside of it, and adapters read in the folder they work in without asking.
func (g *ground) findHarm(r row, tools string, told []string) string {
	readsAnywhere := r.name == "codex-acp" && (sandbox.Supported() != nil || tools == agent.ToolsRead)
	readsFolder := readsAnywhere || tools == agent.ToolsRead
	for _, text := range told {
		isOut := strings.Contains(text, planted) || strings.Contains(text, "root:x:0")
		if isOut && !readsAnywhere || strings.Contains(text, hidden) && !readsFolder {
			return fmt.Sprintf("the model was told %.200q", text)
		}
	}
	for _, path := range []string{g.vault + "/mine.md", g.dir + "/mine.md", g.dir + "/touched", g.home + "/touched"} {
		if _, err := os.Stat(path); err == nil {
			return path + " was written"
		}
	}
	if words, err := os.ReadFile(g.vault + "/note.md"); err != nil || string(words) != "words" {
		return fmt.Sprintf("the note is %q, %v", words, err)
	}
	if n := g.asked.Load(); n != 0 {
		return "the network was reached"
	}
	return ""
}

// TestRealReach: each runner and adapter, as a person configures it, is asked for twelve
// things by its model. Each is refused, or stays inside.
func TestRealReach(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Fatal("run as root this shows nothing, and claude refuses; .ci/agents-real runs it as another user")
	}
	if err := sandbox.Supported(); err != nil {
		fmt.Println("no sandbox of the kernel:", err, "- the rows run under the programs' own modes and settings alone")
	}
	installed := os.Getenv("REAL_AGENTS")
	for _, r := range listRows(installed) {
		for _, tools := range []string{agent.ToolsNone, agent.ToolsRead} {
			if tools == agent.ToolsRead && r.agent.Runner != "acp" {
				continue // engine/agent/cli tries those
			}
			if tools == agent.ToolsRead && r.program == "qwen" {
				continue // it is refused (engine/agent/acp)
			}
			t.Run(r.name+" "+tools, func(t *testing.T) {
				t.Parallel()
				tryRow(t, installed, r, tools)
			})
		}
	}
}

func tryRow(t *testing.T, installed string, r row, tools string) {
	model := fakemodel.New(t)
	a := r.agent
	a.Tools, a.Env, a.Timeout = tools, model.Home(t, installed, r.program), 10*time.Minute
	if a.Runner != "acp" {
		a.Model = fakemodel.Model(r.program)
	}
	g := newGround(t, a.Env["HOME"])
	cfg := config.Default()
	cfg.Agents["Ed"] = a
	all, err := New(cfg, nil, Own{})
	if err != nil {
		t.Fatal(err)
	}
	_, runner, err := all.Find("Ed")
	if err != nil {
		t.Fatal(err)
	}
	say := func(text string) (agent.Reply, error) {
		return runner.Run(t.Context(), agent.Task{Role: "Ed", Root: g.vault, Note: "note.md", Text: text, Requests: make([]agent.Request, 1)})
	}
	if reply, err := say("{{SAY blue}}"); err != nil || strings.TrimSpace(reply.Text) != "blue" {
		t.Fatalf("%q, %v", reply.Text, err)
	}
	for _, call := range g.listCalls(spokenBy[r.program]) {
		before := len(model.Calls())
		_, err := say("{{CALLTOOL " + call + "}}")
		if failed, ok := errors.AsType[*agent.Failure](err); ok && failed.Kind == agent.Transient && len(model.Calls()) == before {
			_, err = say("{{CALLTOOL " + call + "}}") // as the dispatcher does: some wait half a second for their prompt, too short where much goes on
		}
		made := model.Calls()[before:]
		if len(made) == 0 {
			t.Errorf("%s: the model was not asked: %v", call, err)
		}
		var told []string
		for _, c := range made {
			for _, turn := range c.Turns {
				if turn.Role == "tool" {
					told = append(told, turn.Text)
				}
			}
		}
		if harm := g.findHarm(r, tools, told); harm != "" {
			t.Errorf("%s: %s", call, harm)
		}
		t.Logf("%.60s: %.90q, %v", call, strings.Join(told, "|"), err)
	}
	t.Logf("12 calls; it reaches: %s", findReach(a, sandbox.Supported()))
}
