package fakemodel

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// move is what the model does next.
type move struct {
	sleep  time.Duration
	status int    // not 0: refuse, with text as the message
	text   string // the answer
	tool   string // not empty: call this tool instead, with args
	args   string // JSON
}

// silence is the answer to a prompt without a directive. Agents ask for more than
// the answer (a title for the session, say), and nothing depends on it.
const silence = "nothing was asked of the model"

// structured are the tools by which agents take an answer that fits a schema,
// and the argument it stands in; empty = the arguments are the answer.
var structured = map[string]string{"StructuredOutput": "", "structured_output": "value"}

// decide reads the last thing that was said to the model.
func decide(c Call) move {
	if len(c.Turns) == 0 {
		return move{text: silence}
	}
	if last := c.Turns[len(c.Turns)-1]; last.Role == "tool" {
		return move{text: "the tool said: " + last.Text}
	}
	said := lastSaid(c.Turns)
	m := move{text: silence}
	for _, d := range directives(said) {
		m.apply(d)
	}
	if m.status != 0 || m.tool != "" {
		return m
	}
	requests := requestHead.FindAllStringIndex(said, -1)
	if len(requests) < 2 && c.Schema == nil && tool(c) == "" {
		return m
	}
	answer := responses(said, requests)
	if m.text = answer; tool(c) != "" {
		m.tool, m.args = tool(c), wrap(structured[tool(c)], answer)
	}
	return m
}

// lastSaid is what the user said after the model's last word.
func lastSaid(turns []Turn) string {
	var said []string
	for _, t := range slices.Backward(turns) {
		if t.Role == "assistant" || t.Role == "tool" {
			break
		}
		if t.Role == "user" {
			said = append([]string{t.Text}, said...)
		}
	}
	return strings.Join(said, "\n")
}

// tool is the tool for structured output on offer, or nothing.
func tool(c Call) string {
	for _, name := range c.Tools {
		if _, ok := structured[name]; ok {
			return name
		}
	}
	return ""
}

func wrap(key, answer string) string {
	if key == "" {
		return answer
	}
	return `{` + strconv.Quote(key) + `:` + answer + `}`
}

var requestHead = regexp.MustCompile(`(?m)^Request \d+ \(Line \d+\):`)

// responses answers every request of a prompt with the SAY of its own.
func responses(said string, requests [][]int) string {
	type response struct {
		Request int    `json:"request"`
		Answer  string `json:"answer"`
	}
	list := []response{}
	for i, at := range requests {
		end := len(said)
		if i+1 < len(requests) {
			end = requests[i+1][0]
		}
		m := move{text: silence}
		for _, d := range directives(said[at[0]:end]) {
			m.apply(d)
		}
		list = append(list, response{i + 1, m.text})
	}
	out, err := json.Marshal(map[string]any{"responses": list})
	if err != nil {
		panic(err) // strings and numbers
	}
	return string(out)
}

// directives returns what stands between double braces. The closing ones are the
// last of a run, so that JSON may end in braces of its own.
func directives(text string) []string {
	var list []string
	for _, m := range directive.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

var directive = regexp.MustCompile(`\{\{((?:SAY|CALLTOOL|SLEEP|HTTP) [^\n]*?\}*)\}\}`)

// apply adds one directive; the last SAY of a prompt wins.
func (m *move) apply(d string) {
	verb, rest, _ := strings.Cut(d, " ")
	switch verb {
	case "SAY":
		m.text = rest
	case "SLEEP":
		m.sleep, _ = time.ParseDuration(rest)
	case "HTTP":
		code, message, _ := strings.Cut(rest, " ")
		m.status, _ = strconv.Atoi(code)
		m.text = message
	case "CALLTOOL":
		m.tool, m.args, _ = strings.Cut(rest, " ")
		if m.args == "" {
			m.args = "{}"
		}
	}
}
