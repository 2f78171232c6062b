package cli

import (
	"regexp"

	"vaultdispatcher/engine/agent"
)

// codex is the Codex command line, as of 0.169. Its sandbox refuses every write
// and the network to what its shell runs; reading is not confined to the vault.
var codex = preset{
	program: "codex",
	logIn:   "run codex login",
	args: []string{"exec", "--json", "--color", "never", "--skip-git-repo-check", "-s", "read-only", "--ephemeral",
		"--ignore-rules", "-c", "project_doc_max_bytes=0", "-c", "web_search=disabled"},
	tools: map[string]toolset{
		agent.ToolsNone: {args: []string{"--disable", "shell_tool", "--disable", "unified_exec", "--disable", "view_image",
			"--disable", "apps", "--disable", "plugins", "--disable", "multi_agent", "--disable", "goals"}},
		agent.ToolsRead: {args: []string{"--disable", "apps", "--disable", "plugins", "--disable", "multi_agent",
			"--disable", "goals"}},
	},
	model:     "-m",
	schema:    schema{flag: "--output-schema", file: true},
	fork:      func(id string) []string { return []string{"fork", id} },
	last:      []string{"-"},
	read:      readCodex,
	loggedOut: regexp.MustCompile(`(?i)codex login|not logged in|missing bearer|access token could not be refreshed|sign in again|missing environment variable`),
	limited:   regexp.MustCompile(`(?i)hit your usage limit|usage limit`),
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
