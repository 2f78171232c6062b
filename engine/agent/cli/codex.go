package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/printed"
)

// codex is the Codex command line, as of 0.169. Its sandbox refuses every write
// and the network to what its shell runs, and reading outside of the vault.
var codex = preset{
	program: "codex",
	args: []string{"exec", "--json", "--color", "never", "--skip-git-repo-check", "--ephemeral",
		"--ignore-rules", "-c", "project_doc_max_bytes=0", "-c", "skills.include_instructions=false", "-c", "web_search=disabled"},
	tools: map[string]toolset{
		agent.ToolsNone: {args: []string{"-s", "read-only", "--disable", "shell_tool", "--disable", "unified_exec", "--disable", "view_image",
			"--disable", "apps", "--disable", "plugins", "--disable", "multi_agent", "--disable", "goals"}},
		agent.ToolsRead: {args: []string{"--disable", "apps", "--disable", "plugins", "--disable", "multi_agent",
			"--disable", "goals"}},
	},
	distrust:  distrustCodex,
	silence:   silenceCodex,
	confine:   confineCodex,
	desk:      codexDesk,
	reserve:   "its shell also reads the system's own programs and settings, such as /usr and /etc",
	model:     "-m",
	schema:    schema{flag: "--output-schema", file: true},
	fork:      func(id string) []string { return []string{"fork", id} },
	suffix:    []string{"-"},
	read:      readCodex,
	unreached: codexUnreached,
}

// confineCodex lets the shell read the vault without its hidden files, the system's own files and codex itself, which
// the sandbox starts once more. The target of a link is not readable:
// https://developers.openai.com/codex/permissions. A codex that knows no such profile uses the mode that is named
// beside it. On Linux the pattern hides files alone, so hidden folders are named too; a list of their files would be
// too long. The shell does not get the environment, which holds keys.
func confineCodex(call *agent.Program, v view, _ string) error {
	shown := []string{"'.'='read'", "'**/.*'='deny'"}
	for _, folder := range v.folders {
		shown = append(shown, tomlKey(folder)+"='deny'")
	}
	files := []string{"':minimal'='read'", "glob_scan_max_depth=100", "':workspace_roots'={" + strings.Join(shown, ",") + "}"}
	if v.program != "" {
		files = append(files, tomlKey(ownFolder(v.program))+"='read'")
	}
	call.Args = append(call.Args, "-c", "sandbox_mode='read-only'", "-c", "default_permissions='vault-dispatcher'",
		"-c", "permissions.vault-dispatcher.filesystem={"+strings.Join(files, ",")+"}",
		"-c", "shell_environment_policy.inherit='core'")
	return nil
}

// ownFolder returns the path that must be readable for the program at path to run: the folder of packages that
// contains its script and the program, or the path itself.
func ownFolder(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	const packages = "node_modules"
	if before, _, found := strings.Cut(filepath.ToSlash(path), "/"+packages+"/"); found {
		return filepath.FromSlash(before + "/" + packages)
	}
	return path
}

// distrustCodex takes back the trust in a folder. In one that its user trusts,
// codex starts the servers that .codex/config.toml names, outside of its sandbox
// (https://developers.openai.com/codex/concepts/sandboxing).
func distrustCodex(root string) []string {
	folders := []string{root}
	if real, err := filepath.EvalSymlinks(root); err == nil && real != root {
		folders = append(folders, real)
	}
	for i, folder := range folders {
		folders[i] = tomlKey(folder) + "={trust_level='untrusted'}"
	}
	return []string{"-c", "projects={" + strings.Join(folders, ",") + "}"}
}

// silenceCodex switches off the servers of tools that codex is configured with: they run outside of its sandbox, and
// the role does not allow what they can do. An empty table would be merged with theirs, so each is named
// (https://github.com/openai/codex/issues/16045), from the files that codex reads
// (https://github.com/openai/codex/blob/1288313/codex-rs/config/src/loader/mod.rs). The option --ignore-user-config
// would leave all files aside, and the model's address would be another. Settings that an administrator enforces
// remain.
func silenceCodex(call *agent.Program) error {
	var off []string
	for _, file := range codexFiles(call.Env) {
		var settings struct {
			Servers map[string]any `toml:"mcp_servers"`
		}
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = toml.Unmarshal(bytes.TrimPrefix(text, []byte("\uFEFF")), &settings)
		}
		if err != nil {
			return &agent.Failure{Kind: agent.Permanent, Reason: "the servers that codex would start cannot be read from " + file + "; mend that file", Cause: err}
		}
		for name := range settings.Servers {
			if entry := tomlKey(name) + "={enabled=false}"; !slices.Contains(off, entry) {
				off = append(off, entry)
			}
		}
	}
	if slices.Sort(off); len(off) > 0 {
		call.Args = append(call.Args, "-c", "mcp_servers={"+strings.Join(off, ",")+"}")
	}
	return nil
}

// codexFiles are the settings of the machine and of the user, as a codex with these variables
// finds them.
func codexFiles(env map[string]string) []string {
	variable := func(name string) string { return cmp.Or(env[name], os.Getenv(name)) }
	system, home := "/etc/codex", variable("HOME")
	if runtime.GOOS == "windows" {
		system, home = filepath.Join(cmp.Or(variable("PROGRAMDATA"), `C:\ProgramData`), "OpenAI", "Codex"), variable("USERPROFILE")
	}
	own := cmp.Or(env["CODEX_HOME"], filepath.Join(home, ".codex")) // the engine's own is not handed on
	return []string{filepath.Join(system, "config.toml"), filepath.Join(own, "config.toml")}
}

// tomlKey quotes a key; with apostrophes where that can be, because a batch file of
// Windows is given no quotation marks.
func tomlKey(key string) string {
	if !strings.ContainsRune(key, '\'') {
		return "'" + key + "'"
	}
	quoted, _ := json.Marshal(key) // a string; cannot fail
	return string(quoted)
}

// codexEnds: https://github.com/openai/codex/blob/1ebb1bc/codex-rs/exec/src/exec_events.rs
var codexEnds = endings.Table{"turn.completed": endings.Good}

type codexEvent struct {
	Type, Message string
	Item          struct{ Type, Text, Message string }
	Error         struct{ Message string }
	Usage         struct {
		Input  int64 `json:"input_tokens"`
		Output int64 `json:"output_tokens"`
	}
}

// readCodex reads events. Its error events are not the end: it
// prints them before it connects again and succeeds. A turn may end behind a tool without an answer
// (https://github.com/monad-developers/ultrafuzz/issues/972).
func readCodex(out []byte) outcome {
	var o outcome
	var problem string
	printed.EachObject(out, func(e codexEvent) {
		switch e.Type {
		case "item.completed":
			switch e.Item.Type {
			case "agent_message":
				o.text = e.Item.Text
			case "reasoning", "todo_list", "error", "":
			default: // the use of a tool: what came before was no answer
				o.text = ""
			}
		case "error":
			problem = e.Message
		case "turn.completed":
			o.finish(codexEnds, e.Type)
			o.usage = agent.Usage{Input: e.Usage.Input, Output: e.Usage.Output}
		case "turn.failed":
			o.refuse(0, e.Error.Message, problem, "its turn failed")
		}
	})
	if !o.final && o.refusal == nil && problem != "" {
		o.refuse(0, problem)
	}
	return o
}

// codexUnreached: codex 0.169 tries its server again for ever.
func codexUnreached(line []byte, isError bool) string {
	var e codexEvent
	if isError || json.Unmarshal(line, &e) != nil {
		return ""
	}
	said := e.Message
	switch {
	case e.Item.Type == "error":
		said = e.Item.Message
	case e.Type != "error":
		return ""
	}
	return ifUnreachable("codex", said)
}
