package cli

import (
	"encoding/json"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/lazyregexp"
)

// opencode is opencode, as of 1.18. What it may do is a variable, so that a
// role's own configuration cannot be in the way (https://opencode.ai/docs/permissions).
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
	loggedOut: lazyregexp.New(`(?i)ProviderAuthError|api key is missing|opencode auth login|unauthorized`),
	limited:   lazyregexp.New(`(?i)usage limit|quota`),
}

// confineOpencode allows reading, but for what is hidden and what is or stands behind
// a link, which it would follow. Its rules for the search go by what is searched
// for, so there is none. The last rule that fits counts, a star is also a slash, and a path
// begins at the vault or at the repository around it:
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
