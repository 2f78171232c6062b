package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/printed"
)

// opencode is opencode, as of 1.18. What it may do is a variable, so that a
// role's own configuration cannot be in the way (https://opencode.ai/docs/permissions).
var opencode = preset{
	program: "opencode",
	args:    []string{"run", "--pure", "--format", "json", "--title", "Vault Dispatcher"},
	env: map[string]string{
		"OPENCODE_DISABLE_AUTOUPDATE":   "1",
		"OPENCODE_DISABLE_MODELS_FETCH": "1",
		"OPENCODE_PRINT_LOGS":           "1", // else nothing tells that it does not reach its server
		"OPENCODE_LOG_LEVEL":            "ERROR",
	},
	tools: map[string]toolset{
		agent.ToolsNone: {env: map[string]string{
			"OPENCODE_DISABLE_PROJECT_CONFIG": "1", "OPENCODE_DISABLE_CLAUDE_CODE": "1",
			"OPENCODE_PERMISSION": `{"*":"deny"}`}},
		agent.ToolsRead: {env: map[string]string{
			"OPENCODE_DISABLE_PROJECT_CONFIG": "1", "OPENCODE_DISABLE_CLAUDE_CODE": "1",
			"OPENCODE_PERMISSION": `{"*":"deny"}`}}, // and what confine allows
	},
	confine:   confineOpencode,
	desk:      opencodeDesk,
	byName:    true,
	reserve:   "it finds files by their names alone, because its search would look into hidden ones",
	believes:  []string{".opencode", "opencode.json", "opencode.jsonc"}, // also with --pure and without project config
	model:     "--model",
	fork:      func(id string) []string { return []string{"-s", id, "--fork"} },
	read:      readOpencode,
	unreached: opencodeUnreached,
	seals:     true, // https://github.com/anomalyco/opencode/issues/26855
}

// confineOpencode allows reading, except for hidden files, links and the files behind a link, which it would follow.
// It has no rule for the search, because such a rule tests the searched text. The last rule that fits counts, a star
// matches a slash too, and a path begins at the vault or at the repository around it:
// https://opencode.ai/docs/permissions
func confineOpencode(call *agent.Program, v view, _ string) error {
	rules := []string{`"*":"allow"`}
	deny := func(patterns ...string) {
		for _, pattern := range patterns {
			key, _ := json.Marshal(pattern) // a string; cannot fail
			rules = append(rules, string(key)+`:"deny"`)
		}
	}
	deny(".*", "*/.*", `*\.*`)
	for _, link := range v.links {
		deny(link, "*/"+link, link+"/*", "*/"+link+"/*")
	}
	call.Env["OPENCODE_PERMISSION"] = `{"*":"deny","glob":"allow","list":"allow","external_directory":"deny","read":{` + strings.Join(rules, ",") + `}}`
	return nil
}

// opencodeEnds are the reasons of a step: https://ai-sdk.dev/docs/reference/ai-sdk-core/generate-text (finishReason). One that ends with
// tool-calls is not the last.
var opencodeEnds = endings.Table{"stop": endings.Good, "length": endings.Tokens,
	"content-filter": {Meaning: endings.Final, Says: "held the answer back by its content filter"}}

// readOpencode reads events. A turn has steps; the text of the last
// one is the answer, and only a step that ends with stop is the end. Where a step follows an error and ends so, it has
// tried again by itself; it exits with status 1 all the same (https://github.com/anomalyco/opencode/issues/50062,
// https://github.com/anomalyco/opencode/issues/39573).
func readOpencode(out []byte) outcome {
	var o outcome
	var failed *endings.Refusal
	printed.EachObject(out, func(e struct {
		Type string
		Part struct {
			Text, Reason string
			Cost         float64
			Tokens       struct {
				Input, Output, Reasoning int64
				Cache                    struct{ Read, Write int64 }
			}
		}
		Error struct {
			Name, Type, Message string // its version 2 has no data
			Data                struct {
				Message    string
				StatusCode int               `json:"statusCode"`
				Headers    map[string]string `json:"responseHeaders"`
			}
		}
	}) {
		switch e.Type {
		case "step_start":
			o.text, o.final, o.end = "", false, endings.End{}
			failed, o.refusal = cmp.Or(o.refusal, failed), nil
		case "text":
			o.text += e.Part.Text
		case "step_finish":
			o.finish(opencodeEnds, e.Part.Reason)
			t := e.Part.Tokens
			o.usage = o.usage.Plus(agent.Usage{Input: t.Input + t.Cache.Read + t.Cache.Write,
				Output: t.Output + t.Reasoning, Cost: e.Part.Cost})
		case "error":
			words := firstOf(e.Error.Data.Message, e.Error.Message, e.Error.Name, e.Error.Type)
			if wait := e.Error.Data.Headers["retry-after"]; wait != "" {
				words += " (retry-after: " + wait + ")"
			}
			o.refuse(e.Error.Data.StatusCode, words)
		}
	})
	if o.recovered = failed != nil && o.refusal == nil && o.end == endings.Good; !o.recovered {
		o.refusal = cmp.Or(o.refusal, failed)
	}
	return o
}

// opencodeUnreached: opencode 1.18 tries its server again without a word but in its log, which is printed among its errors.
func opencodeUnreached(line []byte, isError bool) string {
	_, said, found := bytes.Cut(line, []byte("error.error="))
	if !isError || !found || !bytes.Contains(line, []byte("level=ERROR")) {
		return ""
	}
	return ifUnreachable("opencode", string(said))
}
