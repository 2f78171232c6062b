package cli

import (
	"encoding/json"
	"strconv"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/printed"
)

// copilot is the GitHub Copilot command line, as of 1.0. Its rules name what it may run,
// write and fetch, and none names what it may read
// (https://docs.github.com/en/copilot/how-tos/copilot-cli/allowing-tools); so it
// has no tools. It does not tell how many tokens it used.
var copilot = preset{
	program: "copilot",
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
	unreached: copilotUnreached,
}

// copilotEnds are the exit codes of its result; each but 0 is a failure.
var copilotEnds = endings.Table{"0": endings.Good}

type copilotEvent struct {
	Type     string
	ExitCode *int `json:"exitCode"`
	Data     struct {
		Model, Content, Message string
		Status                  int    `json:"statusCode"`
		Failure                 string `json:"failureKind"`
		Error                   string `json:"errorMessage"`
	}
}

// readCopilot reads events. The text of the last message is the answer, and
// the result says with which status it ends.
func readCopilot(out []byte) outcome {
	var o outcome
	printed.EachObject(out, func(e copilotEvent) {
		switch e.Type {
		case "assistant.message":
			o.text, o.usage.Model = e.Data.Content, e.Data.Model
		case "session.error":
			o.refuse(e.Data.Status, e.Data.Message)
		case "result":
			if e.ExitCode != nil {
				o.finish(copilotEnds, strconv.Itoa(*e.ExitCode))
			}
		}
	})
	return o
}

// copilotUnreached: copilot 1.0.102 tries its server for 23 s.
func copilotUnreached(line []byte, isError bool) string {
	var e copilotEvent
	if isError || json.Unmarshal(line, &e) != nil || e.Type != "model.call_failure" || e.Data.Failure != "transport" {
		return ""
	}
	return ifUnreachable("copilot", e.Data.Error)
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
		return speech{exclusive: true, anew: true}
	case "assistant.message_delta":
		return speech{exclusive: true, piece: e.Data.Piece}
	}
	return speech{}
}
