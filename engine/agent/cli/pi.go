package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/pisession"
	"vaultdispatcher/engine/agent/printed"
)

// pi is the pi coding agent, as of 0.87; that 1.5 knows the same options and prints the
// same events, its documentation says (https://pi.dev/docs/latest/json). An extension of ours confines its reading tools.
var pi = preset{
	program: "pi",
	args: []string{"-p", "--mode", "json", "--offline", "--no-extensions", "--no-skills", "--no-prompt-templates",
		"--no-context-files", "--no-approve"},
	env: map[string]string{"PI_OFFLINE": "1"},
	tools: map[string]toolset{
		agent.ToolsNone: {args: []string{"--no-tools"}},
		agent.ToolsRead: {args: []string{"--tools", "read,grep,find,ls"}},
	},
	confine: confinePi,
	desk:    piDesk,
	model:   "--model",
	seed:    true,
	fork:    func(id string) []string { return []string{"--fork", id} },
	read:    readPi,
	hear:    hearPi,
}

func confinePi(call *agent.Program, v view, scratch string) error {
	path := filepath.Join(scratch, "guard.ts")
	call.Args = append(call.Args, "--extension", path)
	return os.WriteFile(path, pisession.PrintGuard(v.roots[0]), 0o600)
}

// piDesk is an extension of ours. The list of tools names those of the desk too, for pi offers no other.
func piDesk(call *agent.Program, d agent.Desk, scratch string) error {
	at := slices.Index(call.Args, "--tools")
	for _, tool := range agent.DeskTools {
		call.Args[at+1] += "," + deskName + "_" + tool
	}
	path := filepath.Join(scratch, "desk.ts")
	call.Args = append(call.Args, "--extension", path)
	return os.WriteFile(path, pisession.PrintDesk(deskName, d.Address, d.Ticket), 0o600)
}

// piEnds are the stop reasons of a message; toolUse is not the last one
// (https://github.com/earendil-works/pi/blob/main/packages/ai/src/types.ts).
var piEnds = endings.Table{"stop": endings.Good, "length": endings.Tokens}

// readPi reads events
// (https://github.com/earendil-works/pi/blob/main/packages/coding-agent/docs/json.md). In this mode pi exits with status 0 whatever
// happened; the stop reason of the last message tells.
func readPi(out []byte) outcome {
	var o outcome
	printed.EachObject(out, func(e struct {
		Type    string
		Message struct {
			Role, Model string
			StopReason  string `json:"stopReason"`
			Error       string `json:"errorMessage"`
			Content     []struct{ Type, Text string }
			Usage       struct {
				Input, Output int64
				CacheRead     int64 `json:"cacheRead"`
				CacheWrite    int64 `json:"cacheWrite"`
				Cost          struct{ Total float64 }
			}
		}
	}) {
		m := e.Message
		if e.Type != "message_end" || m.Role != "assistant" {
			return
		}
		o.text, o.refusal = "", nil
		for _, c := range m.Content {
			if c.Type == "text" {
				o.text += c.Text
			}
		}
		o.usage = o.usage.Plus(agent.Usage{Model: m.Model, Input: m.Usage.Input + m.Usage.CacheRead + m.Usage.CacheWrite,
			Output: m.Usage.Output, Cost: m.Usage.Cost.Total})
		if o.finish(piEnds, m.StopReason); m.StopReason == "error" || m.StopReason == "aborted" {
			o.refuse(0, m.Error, "its turn ended with "+m.StopReason)
		}
	})
	return o
}

// hearPi reads an event of a message in the making.
func hearPi(line []byte) speech {
	var e struct {
		Type    string
		Message struct{ Role string }
		Event   struct{ Type, Delta string } `json:"assistantMessageEvent"`
	}
	switch {
	case json.Unmarshal(line, &e) != nil:
	case e.Type == "message_start":
		return speech{anew: e.Message.Role == "assistant"}
	case e.Type == "message_update" && e.Event.Type == "text_delta":
		return speech{exclusive: true, piece: e.Event.Delta}
	case e.Type == "message_update":
		return speech{exclusive: true}
	}
	return speech{}
}
