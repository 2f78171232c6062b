package cli

import (
	"encoding/json"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/lazyregexp"
)

// copilot is the GitHub Copilot command line, as of 1.0. Its rules name what it may run,
// write and fetch, and none names what it may read
// (https://docs.github.com/en/copilot/how-tos/copilot-cli/allowing-tools); so it
// has no tools. It does not tell how many tokens it used.
var copilot = preset{
	program: "copilot",
	logIn:   "run copilot login",
	args: []string{"--output-format", "json", "--no-auto-update", "--no-custom-instructions", "--no-ask-user",
		"--disable-builtin-mcps", "--disallow-temp-dir", "--no-remote", "--no-color", "--log-level", "none", "--disable-client-telemetry"},
	quiet: []string{"--stream", "off"},
	aloud: []string{"--stream", "on"},
	tools: map[string]toolset{
		agent.ToolsNone: {args: []string{"--available-tools=none"}},
	},
	reserve:   "it reads no files, because it cannot be kept from hidden ones",
	model:     "--model",
	read:      readCopilot,
	hear:      hearCopilot,
	loggedOut: lazyregexp.New(`(?i)no authentication information|copilot login|authentication failed|COPILOT_GITHUB_TOKEN`),
	limited:   lazyregexp.New(`(?i)quota|premium requests?|limit exceeded`),
}

// readCopilot reads events, one a line. The text of the last message is the answer, and
// the result says with which status it ends.
func readCopilot(out []byte) outcome {
	var o outcome
	eachObject(out, func(e struct {
		Type     string
		ExitCode *int `json:"exitCode"`
		Data     struct {
			Model, Content, Message string
			Status                  int `json:"statusCode"`
		}
	}) {
		switch e.Type {
		case "assistant.message":
			o.text, o.usage.Model = e.Data.Content, e.Data.Model
		case "session.error":
			o.problem, o.status = firstOf(e.Data.Message, "it failed"), e.Data.Status
		case "result":
			o.done = e.ExitCode != nil && *e.ExitCode == 0
		}
	})
	return o
}

// hearCopilot reads an event of a message in the making, as 1.0.102 prints them.
func hearCopilot(line []byte) speech {
	var e struct {
		Type string
		Data struct {
			Piece string `json:"deltaContent"`
		}
	}
	if json.Unmarshal(line, &e) != nil {
		return speech{}
	}
	switch e.Type {
	case "assistant.message_start":
		return speech{taken: true, anew: true}
	case "assistant.message_delta":
		return speech{taken: true, piece: e.Data.Piece}
	}
	return speech{}
}
