package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/printed"
)

// claude is Claude Code, as of 2.1. It confines the reading tools to its working
// directory by itself (https://code.claude.com/docs/en/permissions).
var claude = preset{
	program: "claude",
	args: []string{"-p", "--restricted", "--safe-mode", "--strict-mcp-config",
		"--disable-slash-commands", "--permission-mode", "dontAsk", "--permission-prompts", "none",
		"--no-session-persistence"},
	quiet: []string{"--output-format", "stream-json", "--verbose"}, // it refuses the first without the last
	aloud: []string{"--output-format", "stream-json", "--include-partial-messages", "--verbose"},
	env: map[string]string{
		"DISABLE_AUTOUPDATER":                      "1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
		"CLAUDE_CODE_MAX_RETRIES":                  "2", // its own ten take minutes; the dispatch is tried again anyway
	},
	tools: map[string]toolset{
		agent.ToolsNone: {args: []string{"--tools", ""}},
		agent.ToolsRead: {args: []string{"--tools", "Read,Grep,Glob"}},
	},
	confine: confineClaude,
	desk:    claudeDesk,
	model:   "--model",
	schema:  schema{flag: "--json-schema"},
	fork:    func(id string) []string { return []string{"--resume", id, "--fork-session"} },
	read:    readClaude,
	hear:    hearClaude,
	skips:   func(line []byte) bool { return hearClaude(line).exclusive },
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

// claudeEnds are the words of a result for its end: its subtype, and of its turn and its last message the reasons, as claude 2.1.330 knows them
// (https://code.claude.com/docs/en/agent-sdk/agent-loop, https://platform.claude.com/docs/en/api/handling-stop-reasons).
var claudeEnds = endings.Table{
	"success": endings.Good, "completed": endings.Good, "end_turn": endings.Good, "stop_sequence": endings.Good,
	"tool_use":        endings.Good, // of the tool that takes an answer in its form
	"error_max_turns": endings.Steps, "max_turns": endings.Steps, "max_tokens": endings.Tokens, "refusal": endings.Decline,
	"error_max_budget_usd": costs, "budget_exhausted": costs,
	"error_max_structured_output_retries": formless, "structured_output_retry_exhausted": formless, "malformed_tool_use_exhausted": formless,
	"model_context_window_exceeded": full, "prompt_too_long": full, "blocking_limit": full, "rapid_refill_breaker": full,
	"stop_hook_prevented": hooked, "hook_stopped": hooked,
}

var (
	costs    = endings.End{Meaning: endings.Limited, Says: "came to its limit of costs before its answer was complete"}
	formless = endings.End{Meaning: endings.Final, Says: "did not bring its answer into the form that was asked for"}
	full     = endings.End{Meaning: endings.Limited, Says: "came to the end of what it reads at once before its answer was complete"}
	hooked   = endings.End{Meaning: endings.Final, Says: "was stopped by a hook"}
)

// readClaude reads events. The last one is the result. Its subtype is success
// even when the server refused the request; is_error tells.
// Where the result of a good end is blank, its last message is the answer, unless claude has made that by itself: it says then what
// went wrong, and names its kind (https://code.claude.com/docs/en/agent-sdk/typescript). That holds also where no result follows
// (https://github.com/monarch-initiative/dismech/issues/10735).
func readClaude(out []byte) outcome {
	var o outcome
	var last claudeMessage
	reset := int64(0)
	printed.EachObject(out, func(r claudeResult) {
		switch {
		case r.Type == "assistant" && r.Parent == "":
			last.add(r)
		case r.Type == "rate_limit_event" && r.Limit.Status == "rejected":
			reset = r.Limit.Reset
		case r.Type == "result":
			o = r.outcome()
			if text := strings.TrimSpace(o.text); o.refusal == nil && last.isMade && (text == "" || text == strings.TrimSpace(last.text)) && strings.TrimSpace(last.text) != "" {
				o.refuse(r.Status, last.text)
				o.text = ""
			} else if o.end.Meaning == endings.Whole && o.refusal == nil && text == "" {
				o.text = last.text
			}
			o.named, o.reset = last.failure, reset
		}
	})
	if !o.final && last.isMade && strings.TrimSpace(last.text) != "" {
		o.refuse(0, last.text)
		o.named, o.reset = last.failure, reset
	}
	return o
}

// claudeMessage is a message; each event has a part of it.
type claudeMessage struct {
	id, text string
	isMade   bool   // by claude, and by no model
	failure  string // the kind of what went wrong, in its word
}

// add adds a part, or begins another message.
func (m *claudeMessage) add(event claudeResult) {
	var part struct {
		ID, Model string
		Content   []struct{ Type, Text string }
	}
	if json.Unmarshal(event.Message, &part) != nil || part.ID == "" || part.ID != m.id {
		*m = claudeMessage{id: part.ID}
	}
	m.isMade = m.isMade || event.Made || part.Model == "<synthetic>"
	_ = json.Unmarshal(event.Error, &m.failure) // a word, or none
	for _, block := range part.Content {
		switch block.Type {
		case "text":
			m.text += block.Text
		case "tool_use":
			m.text = ""
		}
	}
}

type claudeResult struct {
	Type, Subtype, Result string
	Parent                string `json:"parent_tool_use_id"` // of a message of another agent: see [hearClaude]
	Message, Error        json.RawMessage
	Made                  bool `json:"is_api_error_message"`
	Limit                 struct {
		Status string
		Reset  int64 `json:"resetsAt"`
	} `json:"rate_limit_info"`
	IsError    bool            `json:"is_error"`
	Status     int             `json:"api_error_status"`
	TurnEnd    string          `json:"terminal_reason"`
	MessageEnd string          `json:"stop_reason"`
	Structured json.RawMessage `json:"structured_output"`
	Errors     []string
	Cost       float64 `json:"total_cost_usd"`
	Usage      struct {
		Input   int64 `json:"input_tokens"`
		Created int64 `json:"cache_creation_input_tokens"`
		Read    int64 `json:"cache_read_input_tokens"`
		Output  int64 `json:"output_tokens"`
	}
	Models map[string]json.RawMessage `json:"modelUsage"`
}

func (r claudeResult) outcome() outcome {
	o := outcome{text: r.Result}
	o.usage = agent.Usage{Input: r.Usage.Input + r.Usage.Created + r.Usage.Read, Output: r.Usage.Output, Cost: r.Cost}
	if len(r.Models) == 1 {
		for model := range r.Models {
			o.usage.Model = model
		}
	}
	if len(r.Structured) > 0 && string(r.Structured) != "null" {
		o.text = string(r.Structured)
	}
	o.finish(claudeEnds, r.Subtype)
	for _, word := range []string{r.TurnEnd, r.MessageEnd} { // older ones do not tell
		if word != "" && o.end.Meaning == endings.Whole {
			o.finish(claudeEnds, word)
		}
	}
	if r.IsError && (r.Subtype == "success" || o.end.Meaning == endings.BrokenOff) {
		if words := append(slices.Clone(r.Errors), r.Result); len(strings.TrimSpace(strings.Join(words, ""))) > 0 {
			slices.Reverse(words)
			o.refuse(r.Status, words...)
			o.text = ""
		}
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
	case json.Unmarshal(line, &e) == nil && e.Type == "user": // what a tool has read
		return speech{exclusive: true}
	case e.Type != "stream_event":
		return speech{}
	case e.Parent != "" || e.Event.Delta.Type != "text_delta":
		return speech{exclusive: true, anew: e.Parent == "" && e.Event.Type == "message_start"}
	}
	return speech{exclusive: true, piece: e.Event.Delta.Text}
}
