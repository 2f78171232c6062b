package cli

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"

	"vaultdispatcher/engine/agent"
)

// codex is the Codex command line, as of 0.169. Its sandbox refuses every write
// and the network to what its shell runs; reading is not confined to the vault.
var codex = preset{
	program: "codex",
	logIn:   "run codex login",
	args: []string{"exec", "--json", "--color", "never", "--skip-git-repo-check", "-s", "read-only", "--ephemeral",
		"--ignore-rules", "-c", "project_doc_max_bytes=0", "-c", "skills.include_instructions=false", "-c", "web_search=disabled"},
	tools: map[string]toolset{
		agent.ToolsNone: {args: []string{"--disable", "shell_tool", "--disable", "unified_exec", "--disable", "view_image",
			"--disable", "apps", "--disable", "plugins", "--disable", "multi_agent", "--disable", "goals"}},
		agent.ToolsRead: {args: []string{"--disable", "apps", "--disable", "plugins", "--disable", "multi_agent",
			"--disable", "goals"}},
	},
	distrust:  distrustCodex,
	model:     "-m",
	schema:    schema{flag: "--output-schema", file: true},
	fork:      func(id string) []string { return []string{"fork", id} },
	last:      []string{"-"},
	read:      readCodex,
	loggedOut: regexp.MustCompile(`(?i)codex login|not logged in|missing bearer|access token could not be refreshed|sign in again|missing environment variable`),
	limited:   regexp.MustCompile(`(?i)hit your usage limit|usage limit`),
}

// distrustCodex takes back the trust in a folder. In one that its user trusts,
// codex starts the servers that .codex/config.toml names, outside of its sandbox.
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

// tomlKey quotes a key; with apostrophes where that can be, because a batch file of
// Windows is given no quotation marks.
func tomlKey(key string) string {
	if !strings.ContainsRune(key, '\'') {
		return "'" + key + "'"
	}
	quoted, _ := json.Marshal(key) // a string; cannot fail
	return string(quoted)
}

// readCodex reads events, one a line. Its error events are not the end: it
// prints them before it connects again and succeeds.
func readCodex(out []byte) outcome {
	var o outcome
	var problem string
	eachObject(out, func(e struct {
		Type, Message string
		Item          struct{ Type, Text string }
		Error         struct{ Message string }
		Usage         struct {
			Input  int64 `json:"input_tokens"`
			Output int64 `json:"output_tokens"`
		}
	}) {
		switch e.Type {
		case "item.completed":
			if e.Item.Type == "agent_message" {
				o.text = e.Item.Text
			}
		case "error":
			problem = e.Message
		case "turn.completed":
			o.done = true
			o.usage = agent.Usage{Input: e.Usage.Input, Output: e.Usage.Output}
		case "turn.failed":
			o.problem = firstOf(e.Error.Message, problem, "its turn failed")
		}
	})
	if !o.done {
		o.problem = firstOf(o.problem, problem)
	}
	return o
}
