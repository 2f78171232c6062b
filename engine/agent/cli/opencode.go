package cli

import (
	"regexp"

	"vaultdispatcher/engine/agent"
)

// opencode is opencode, as of 1.18. What it may do is a variable, so that a
// role's own configuration cannot be in the way.
var opencode = preset{
	program: "opencode",
	logIn:   "run opencode auth login",
	args:    []string{"run", "--pure", "--format", "json", "--title", "Vault Dispatcher"},
	env: map[string]string{
		"OPENCODE_DISABLE_AUTOUPDATE":   "1",
		"OPENCODE_DISABLE_MODELS_FETCH": "1",
	},
	tools: map[string]toolset{
		agent.ToolsNone: {env: map[string]string{
			"OPENCODE_DISABLE_PROJECT_CONFIG": "1", "OPENCODE_DISABLE_CLAUDE_CODE": "1",
			"OPENCODE_PERMISSION": `{"*":"deny"}`}},
		agent.ToolsRead: {env: map[string]string{
			"OPENCODE_DISABLE_PROJECT_CONFIG": "1", "OPENCODE_DISABLE_CLAUDE_CODE": "1",
			"OPENCODE_PERMISSION": `{"*":"deny","read":"allow","grep":"allow","glob":"allow","list":"allow"}`}},
	},
	believes:  []string{".opencode", "opencode.json", "opencode.jsonc"}, // also with --pure and without project config
	model:     "--model",
	fork:      func(id string) []string { return []string{"-s", id, "--fork"} },
	read:      readOpencode,
	loggedOut: regexp.MustCompile(`(?i)ProviderAuthError|api key is missing|opencode auth login|unauthorized`),
	limited:   regexp.MustCompile(`(?i)usage limit|quota`),
}

// readOpencode reads events, one a line. A turn has steps; the text of the last
// one is the answer, and only a step that ends with stop is the end.
func readOpencode(out []byte) outcome {
	var o outcome
	eachObject(out, func(e struct {
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
			Name string
			Data struct {
				Message    string
				StatusCode int               `json:"statusCode"`
				Headers    map[string]string `json:"responseHeaders"`
			}
		}
	}) {
		switch e.Type {
		case "step_start":
			o.text, o.done = "", false
		case "text":
			o.text += e.Part.Text
		case "step_finish":
			o.done = e.Part.Reason == "stop"
			t := e.Part.Tokens
			o.usage = o.usage.Plus(agent.Usage{Input: t.Input + t.Cache.Read + t.Cache.Write,
				Output: t.Output + t.Reasoning, Cost: e.Part.Cost})
		case "error":
			o.problem = firstOf(e.Error.Data.Message, e.Error.Name, "it failed")
			o.status = e.Error.Data.StatusCode
			if wait := e.Error.Data.Headers["retry-after"]; wait != "" {
				o.problem += " (retry-after: " + wait + ")"
			}
		}
	})
	return o
}
