package cli

import (
	"encoding/json"
	"os"
	"path/filepath"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/lazyregexp"
)

// claude is Claude Code, as of 2.1. It confines the reading tools to its working
// directory by itself (https://code.claude.com/docs/en/permissions).
var claude = preset{
	program: "claude",
	logIn:   "run claude and log in",
	args: []string{"-p", "--restricted", "--safe-mode", "--strict-mcp-config",
		"--disable-slash-commands", "--permission-mode", "dontAsk", "--permission-prompts", "none",
		"--no-session-persistence"},
	quiet: []string{"--output-format", "json"},
	aloud: []string{"--output-format", "stream-json", "--include-partial-messages", "--verbose"}, // it refuses the first without the last
	env: map[string]string{
		"DISABLE_AUTOUPDATER":                      "1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
		"CLAUDE_CODE_MAX_RETRIES":                  "2", // its own ten take minutes; the dispatch is tried again anyway
	},
	tools: map[string]toolset{
		agent.ToolsNone: {args: []string{"--tools", ""}},
		agent.ToolsRead: {args: []string{"--tools", "Read,Grep,Glob"}},
	},
	confine:   confineClaude,
	desk:      claudeDesk,
	model:     "--model",
	schema:    schema{flag: "--json-schema"},
	fork:      func(id string) []string { return []string{"--resume", id, "--fork-session"} },
	read:      readClaude,
	hear:      hearClaude,
	loggedOut: lazyregexp.New(`(?i)not logged in|/login\b|invalid api key|oauth (token|session)[^.]*(expired|revoked|invalid)`),
	limited:   lazyregexp.New(`(?i)hit your [a-z0-9 -]*limit|usage limit|\b(5-hour|weekly|session|opus|sonnet) limit\b`),
}

// claudeDenies are the files that no tool of claude reads or finds. It holds links
// against them too: https://code.claude.com/docs/en/permissions
const claudeDenies = `{"permissions":{"deny":["Read(**/.*)","Read(**/.*/**)"]}}`

// confineClaude denies what is hidden. Links that lead out are refused by --restricted.
func confineClaude(call *agent.Program, _ view, scratch string) error {
	path := filepath.Join(scratch, "settings.json")
	call.Args = append(call.Args, "--settings", path)
	return os.WriteFile(path, []byte(claudeDenies), 0o600)
}

// readClaude reads the one JSON object of a print run, which is also the last line of one that is heard. Its subtype is success
// even when the server refused the request; is_error tells.
func readClaude(out []byte) outcome {
	var r struct {
		Type, Subtype, Result string
		IsError               bool            `json:"is_error"`
		Status                int             `json:"api_error_status"`
		Structured            json.RawMessage `json:"structured_output"`
		Errors                []string
		Cost                  float64 `json:"total_cost_usd"`
		Usage                 struct {
			Input   int64 `json:"input_tokens"`
			Created int64 `json:"cache_creation_input_tokens"`
			Read    int64 `json:"cache_read_input_tokens"`
			Output  int64 `json:"output_tokens"`
		}
		Models map[string]json.RawMessage `json:"modelUsage"`
	}
	if !lastObject(out, &r, func() bool { return r.Type == "result" }) {
		return outcome{}
	}
	o := outcome{text: r.Result, done: r.Subtype == "success", status: r.Status}
	o.usage = agent.Usage{Input: r.Usage.Input + r.Usage.Created + r.Usage.Read, Output: r.Usage.Output, Cost: r.Cost}
	if len(r.Models) == 1 {
		for model := range r.Models {
			o.usage.Model = model
		}
	}
	if len(r.Structured) > 0 && string(r.Structured) != "null" {
		o.text = string(r.Structured)
	}
	if r.IsError || !o.done {
		o.problem = firstOf(r.Result, lastText(r.Errors), r.Subtype)
	}
	return o
}

// hearClaude reads an event of a message in the making, also of qwen
// (https://code.claude.com/docs/en/headless#stream-responses). A message of another agent that
// this one has asked names the tool it was asked with.
func hearClaude(line []byte) speech {
	var e struct {
		Type   string
		Parent string `json:"parent_tool_use_id"`
		Event  struct {
			Type  string
			Delta struct{ Type, Text string }
		}
	}
	switch {
	case json.Unmarshal(line, &e) != nil || e.Type != "stream_event":
		return speech{}
	case e.Parent != "" || e.Event.Delta.Type != "text_delta":
		return speech{taken: true, anew: e.Parent == "" && e.Event.Type == "message_start"}
	}
	return speech{taken: true, piece: e.Event.Delta.Text}
}
