package cli

import (
	"encoding/json"
	"errors"
	"regexp"

	"vaultdispatcher/engine/agent"
)

// gemini is the Gemini command line, as of 0.61. It trusts no folder without
// being told to, and then believes that folder's settings; so the folder is never
// the vault, and the settings there are ours. Plan mode has no tool that writes.
// A vault that is read has its GEMINI.md read with it: that name cannot be taken
// off its list.
var gemini = preset{
	program: "gemini",
	logIn:   "run gemini and log in",
	args:    []string{"--skip-trust", "--approval-mode", "plan", "-o", "json", "-e", "none"},
	env: map[string]string{
		"GEMINI_CLI_TRUST_WORKSPACE": "true", // its settings there would not be read otherwise
		"GEMINI_CLI_NO_RELAUNCH":     "true", // one process, and a second sooner
	},
	tools: map[string]toolset{
		agent.ToolsNone: {file: `{"tools":{"core":["none"]},` + geminiQuiet + `}`},
		agent.ToolsRead: {file: `{"tools":{"core":["list_directory","read_file","grep_search","glob"]},` + geminiQuiet + `}`},
	},
	settings: ".gemini/settings.json", // above the user's
	model:    "-m",
	include:  "--include-directories",
	read:     readGemini,
	loggedOut: regexp.MustCompile(`(?i)auth(entication)? method|GEMINI_API_KEY|api key not valid|please (log|sign) in|` +
		`authentication (failed|required)`),
	limited: regexp.MustCompile(`(?i)quota|resource[_ ]exhausted`),
	status:  map[int]error{41: errLoggedOut},
}

// geminiQuiet takes the instructions of a vault, and servers of tools, away.
const geminiQuiet = `"context":{"fileName":["vault-dispatcher.none"]},"mcp":{"allowed":["none"]},"hooksConfig":{"enabled":false}`

var errLoggedOut = errors.New("not logged in")

// readGemini reads the one JSON object of a run: on standard output when it has
// succeeded, on standard error when not.
func readGemini(out []byte) outcome {
	var r struct {
		Response *string
		Error    *struct {
			Message string
			Code    json.RawMessage
		}
		Stats struct {
			Models map[string]struct {
				Tokens struct{ Prompt, Candidates, Thoughts int64 }
			}
		}
	}
	if !lastObject(out, &r, func() bool { return r.Response != nil || r.Error != nil }) {
		return outcome{}
	}
	var o outcome
	for model, s := range r.Stats.Models {
		o.usage = o.usage.Plus(agent.Usage{Model: model, Input: s.Tokens.Prompt, Output: s.Tokens.Candidates + s.Tokens.Thoughts})
	}
	if r.Error != nil {
		o.problem = firstOf(r.Error.Message, "it failed")
		_ = json.Unmarshal(r.Error.Code, &o.status)
		return o
	}
	o.text, o.done = *r.Response, true
	return o
}
