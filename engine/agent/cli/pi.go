package cli

import (
	"regexp"
	"strconv"

	"vaultdispatcher/engine/agent"
)

// pi is the pi coding agent, as of 0.87. Its reading tools are not confined to
// the vault.
var pi = preset{
	program: "pi",
	logIn:   "run pi and log in with /login",
	args: []string{"-p", "--mode", "json", "--offline", "--no-extensions", "--no-skills", "--no-prompt-templates",
		"--no-context-files", "--no-approve"},
	env: map[string]string{"PI_OFFLINE": "1"},
	tools: map[string]toolset{
		agent.ToolsNone: {args: []string{"--no-tools"}},
		agent.ToolsRead: {args: []string{"--tools", "read,grep,find,ls"}},
	},
	model:     "--model",
	seed:      true,
	fork:      func(id string) []string { return []string{"--fork", id} },
	read:      readPi,
	loggedOut: regexp.MustCompile(`(?i)no api key|no models available|/login\b|authentication_error|invalid api key`),
	limited:   regexp.MustCompile(`(?i)usage limit|quota|overloaded`),
}

var piStatus = regexp.MustCompile(`^(\d{3})\b`)

// readPi reads events, one a line. In this mode pi exits with status 0 whatever
// happened; the stop reason of the last message tells.
func readPi(out []byte) outcome {
	var o outcome
	eachObject(out, func(e struct {
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
		o.text, o.problem, o.status = "", "", 0
		for _, c := range m.Content {
			if c.Type == "text" {
				o.text += c.Text
			}
		}
		o.usage = o.usage.Plus(agent.Usage{Model: m.Model, Input: m.Usage.Input + m.Usage.CacheRead + m.Usage.CacheWrite,
			Output: m.Usage.Output, Cost: m.Usage.Cost.Total})
		if o.done = m.StopReason == "stop"; m.StopReason == "error" || m.StopReason == "aborted" {
			o.problem = firstOf(m.Error, "its turn ended with "+m.StopReason)
			if s := piStatus.FindString(m.Error); s != "" {
				o.status, _ = strconv.Atoi(s)
			}
		}
	})
	return o
}
