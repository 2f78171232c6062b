package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/note"
)

var oneMarker = note.Group{Role: "Miner", Markers: []note.Marker{{Line: 3, Instruction: "why"}}}

// TestNoTools looks at what each program is told for a role without tools: it
// works outside the vault, and nothing is left of its folder.
func TestNoTools(t *testing.T) {
	for name, want := range map[string]string{
		"claude": "--tools|", "codex": "--disable|shell_tool", "gemini": "", "opencode": "", "pi": "--no-tools|",
		"copilot": "--available-tools=none|", "qwen": "--exclude-tools|read_file,glob|",
	} {
		r, file := play(t, name, recorded(t, name+"_single"), agent.Settings{Model: "some/model"})
		task := taskOf(t, 1)
		task.System = "be terse"
		if _, err := r.Run(t.Context(), task); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s := look(t, file)
		args := strings.Join(s.Args, "|") + "|"
		if !strings.Contains(args, want) || !strings.Contains(args, presets[name].model+"|some/model|") {
			t.Errorf("%s: %q", name, args)
		}
		if said, asked, _ := strings.Cut(s.Input, "\n\nBegin the reply with"); said != "be terse\n\nthe task" || presets[name].seals != (asked != "") {
			t.Errorf("%s reads %q", name, s.Input)
		}
		if within(t, s.Dir, task.Root) {
			t.Errorf("%s works in %s", name, s.Dir)
		}
		if _, err := os.Stat(filepath.Dir(s.Dir)); !os.IsNotExist(err) {
			t.Errorf("%s leaves its folder behind: %v", name, err)
		}
	}
}

// TestReadTools looks at the same for a role that reads.
func TestReadTools(t *testing.T) {
	for name, want := range map[string]string{
		"claude": "--restricted|", "codex": "-c|sandbox_mode='read-only'|", "gemini": "--approval-mode|plan|", "opencode": "", "pi": "--tools|read,grep,find,ls|",
		"copilot": "--available-tools=none|", "qwen": "--approval-mode|plan|--safe-mode|",
	} {
		r, file := play(t, name, recorded(t, name+"_single"), agent.Settings{Tools: agent.ToolsRead})
		task := taskOf(t, 1)
		if _, err := r.Run(t.Context(), task); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s := look(t, file)
		if args := strings.Join(s.Args, "|") + "|"; !strings.Contains(args, want) {
			t.Errorf("%s: %q", name, args)
		}
		apart := name == "gemini" || name == "qwen"
		if inside := within(t, s.Dir, task.Root); inside == (apart || name == "copilot") || apart && !slices.Contains(s.Args, task.Root) {
			t.Errorf("%s works in %s with %q", name, s.Dir, s.Args)
		}
		if name == "opencode" && !strings.HasPrefix(s.Permission, `{"*":"deny","glob":"allow"`) {
			t.Errorf("opencode may do %s", s.Permission)
		}
		if name == "gemini" && !strings.Contains(s.Settings, `"core":["list_directory"`) {
			t.Errorf("gemini's settings are %s", s.Settings)
		}
	}
}

// TestCodexTrustsNoVault: where codex works in the vault, the trust its user has
// put in the folder does not count, by whichever name it is known.
func TestCodexTrustsNoVault(t *testing.T) {
	real := filepath.Join(t.TempDir(), "it's mine")
	link := filepath.Join(t.TempDir(), "notes")
	if err := os.Mkdir(real, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(real)
	if err != nil {
		t.Fatal(err)
	}
	want := "projects={'" + link + "'={trust_level='untrusted'}," + string(quoted) + "={trust_level='untrusted'}}"
	for _, s := range []agent.Settings{{Tools: agent.ToolsRead}, {Session: "s-1"}} {
		r, file := play(t, "codex", recorded(t, "codex_single"), s)
		task := taskOf(t, 1)
		task.Root = link
		if _, err := r.Run(t.Context(), task); err != nil {
			t.Fatal(err)
		}
		if args := look(t, file).Args; !slices.Contains(args, want) {
			t.Errorf("%+v: %q", s, args)
		}
	}
}

// TestCodexStartsNoServers: whatever a role's tools are, the servers that the user has given their
// own codex are switched off, each by its name; where they cannot be known, nothing is started.
func TestCodexStartsNoServers(t *testing.T) {
	home := t.TempDir()
	config := filepath.Join(home, ".codex", "config.toml")
	write := func(text string) {
		t.Helper()
		err := os.MkdirAll(filepath.Dir(config), 0o700)
		if err == nil {
			err = os.WriteFile(config, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"HOME": home, "USERPROFILE": home}
	own := map[string]string{"HOME": t.TempDir(), "CODEX_HOME": filepath.Dir(config)}
	own["USERPROFILE"] = own["HOME"]
	for _, s := range []agent.Settings{{Env: env}, {Env: env, Tools: agent.ToolsRead}, {Env: own, Session: "s-1"}} {
		r, file := play(t, "codex", recorded(t, "codex_single"), s)
		for text, want := range map[string]string{
			"model = 'x'\n": "",
			"[mcp_servers.files]\ncommand = 'x'\n\n[mcp_servers.'a.b']\nurl = 'http://x'\n": "mcp_servers={'a.b'={enabled=false},'files'={enabled=false}}",
			"\uFEFFmcp_servers = {b = {command = 'x'}}\r\n":                                 "mcp_servers={'b'={enabled=false}}",
			"mcp_servers.vault-dispatcher.command = 'wiki'":                                 "mcp_servers={'vault-dispatcher'={enabled=false}}",
		} {
			write(text)
			if _, err := r.Run(t.Context(), taskOf(t, 1)); err != nil {
				t.Fatal(err)
			}
			args := look(t, file).Args
			if got := strings.Contains(strings.Join(args, " "), "mcp_servers="); got != (want != "") || got && !slices.Contains(args, want) {
				t.Errorf("%q: %q", text, args)
			}
		}
		write("mcp_servers = [")
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		_, err := r.Run(t.Context(), taskOf(t, 1))
		wantFailure(t, "broken", err, agent.Permanent, "the servers that codex would start cannot be read from "+config+"; mend that file")
		if _, err := os.Stat(file); err == nil {
			t.Error("it was started")
		}
	}
}

// TestOpencodeIsKeptFromPlugins: opencode runs the plugins of the folder it works
// in, whatever it is told; so it is not started in a vault that has any.
func TestOpencodeIsKeptFromPlugins(t *testing.T) {
	for _, name := range []string{".opencode", "opencode.json", "opencode.jsonc"} {
		for _, s := range []agent.Settings{{Tools: agent.ToolsRead}, {Session: "s-1"}, {}} {
			r, file := play(t, "opencode", recorded(t, "opencode_single"), s)
			task := taskOf(t, 1)
			if err := os.Mkdir(filepath.Join(task.Root, name), 0o700); err != nil {
				t.Fatal(err)
			}
			_, err := r.Run(t.Context(), task)
			if s.Tools == "" && s.Session == "" { // in an empty folder
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			wantFailure(t, name, err, agent.Permanent, "the vault holds "+name+
				", which opencode would run; remove that, or let the role work without tools and session")
			if _, err := os.Stat(file); err == nil {
				t.Errorf("%+v: opencode was started beside %s", s, name)
			}
		}
	}
}

func within(t *testing.T, dir, root string) bool {
	t.Helper()
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	return strings.HasPrefix(dir, real) || strings.HasPrefix(dir, root)
}

// TestSchema asks for several answers: programs that take a schema get it, and a
// single answer is asked of nobody in that form.
func TestSchema(t *testing.T) {
	for name := range presets {
		for requests, want := range map[int]bool{1: false, 3: presets[name].schema.flag != ""} {
			r, file := play(t, name, recorded(t, name+"_single"), agent.Settings{})
			if _, err := r.Run(t.Context(), taskOf(t, requests)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			s := look(t, file)
			if got := s.Schema == replies.Schema || slices.Contains(s.Args, replies.Schema); got != want {
				t.Errorf("%s, %d requests: schema %v, want %v", name, requests, got, want)
			}
		}
	}
}

// TestHistory hands the project history to pi as a session and to all others in
// the text, never in both ways.
func TestHistory(t *testing.T) {
	at := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	for name := range presets {
		r, file := play(t, name, recorded(t, name+"_single"), agent.Settings{})
		task := agent.NewTask("id", t.TempDir(), "n.md", oneMarker, nil, agent.Reference{
			History: []agent.Exchange{{Note: "old.md", Question: "why \"now\"", Answer: "because\nVIOLET", At: at}}})
		if _, err := r.Run(t.Context(), task); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s := look(t, file)
		inText, inSession := strings.Contains(s.Input, "VIOLET"), strings.Contains(s.History, `because\nVIOLET`)
		if inText != (name != "pi") || inSession != (name == "pi") {
			t.Errorf("%s: in the text %v, in the session %v", name, inText, inSession)
		}
	}
}

// TestSession forks a configured session where the program can, with the history
// in the text, and refuses where it cannot.
func TestSession(t *testing.T) {
	for name, want := range map[string]string{
		"claude": "--resume|s-1|--fork-session|", "codex": "fork|s-1|-|", "opencode": "-s|s-1|--fork|", "pi": "--fork|s-1|", "gemini": "",
	} {
		r, file := play(t, name, recorded(t, name+"_single"), agent.Settings{Session: "s-1"})
		task := agent.NewTask("id", t.TempDir(), "n.md", oneMarker, nil, agent.Reference{
			History: []agent.Exchange{{Note: "old.md", Question: "why", Answer: "VIOLET"}}})
		_, err := r.Run(t.Context(), task)
		if want == "" {
			wantFailure(t, name, err, agent.Permanent, "gemini cannot fork a session; remove session from the role")
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s := look(t, file)
		if args := strings.Join(s.Args, "|") + "|"; !strings.HasSuffix(args, want) || !strings.Contains(s.Input, "VIOLET") || !within(t, s.Dir, task.Root) {
			t.Errorf("%s in %s: %q", name, s.Dir, args)
		}
	}
}

func TestRefusedBeforeTheStart(t *testing.T) {
	for _, c := range []struct {
		settings agent.Settings
		text     string
		sentence string
	}{
		{agent.Settings{Model: "--yolo"}, "x", `the model "--yolo" would read as an option of claude`},
		{agent.Settings{Session: "-p"}, "x", `the session "-p" would read as an option of claude`},
		{agent.Settings{}, strings.Repeat("é", agent.MaxPrompt+1),
			"the prompt has 900001 characters and claude takes 900000; ask for less of the note with wiki.context"},
	} {
		r, file := play(t, "claude", recorded(t, "claude_single"), c.settings)
		task := taskOf(t, 1)
		task.Text = c.text
		_, err := r.Run(t.Context(), task)
		wantFailure(t, c.sentence, err, agent.Permanent, c.sentence)
		if content(file) != "" {
			t.Errorf("%s: it was started all the same", c.sentence)
		}
	}
	r, _ := play(t, "claude", recorded(t, "claude_single"), agent.Settings{})
	task := taskOf(t, 1)
	task.Text = strings.Repeat("é", agent.MaxPrompt)
	if _, err := r.Run(t.Context(), task); err != nil {
		t.Errorf("as long as may be: %v", err)
	}
}
