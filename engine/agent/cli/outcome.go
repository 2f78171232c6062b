package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/lazyregexp"
)

// judge makes the reply or the failure of a run that has ended. Success takes
// all three: the program's own word for it, status 0 and an answer.
func (p preset) judge(ended agent.Ended, now time.Time) (agent.Reply, error) {
	o := p.read(ended.Out)
	if !o.done && o.problem == "" && ended.Status != 0 {
		o = p.read(ended.Errors) // some report a failure there
	}
	text := agent.CleanOutput(o.text)
	switch {
	case ended.Status == 0 && o.done && o.problem == "" && !replies.Blank(text):
		return agent.Reply{Text: text, Usage: o.usage}, nil
	case ended.Status == 0 && o.done && o.problem == "":
		return agent.Reply{}, &agent.Failure{Kind: agent.Permanent, Reason: p.program + " gave an empty answer", Usage: o.usage}
	}
	failure := p.explainFailure(o, ended, now)
	failure.Usage = o.usage
	return agent.Reply{}, failure
}

// What programs of every make say, mostly in the words of the server behind
// them.
var (
	anyLoggedOut = lazyregexp.New(`(?i)\bnot logged in\b|unauthorized|invalid[_ ](x-)?api[_ -]key|authentication[_ ]error|incorrect api key`)
	anyLimited   = lazyregexp.New(`(?i)rate[_ -]?limit|too many requests|insufficient_quota`)
	anyOutdated  = lazyregexp.New(`(?i)\b(unknown|unrecognized|unexpected|invalid) (option|argument|flag)s?\b`)
	statusInText = lazyregexp.New(`(?i)\b(?:status(?: code)?|http|error)[: ]+(4\d\d|5\d\d)\b`)
)

// explainFailure says in one sentence why there is no answer. What the program reports
// is believed before what stands on standard error, where it also complains
// about things that are not to blame.
func (p preset) explainFailure(o outcome, ended agent.Ended, now time.Time) *agent.Failure {
	said := firstOf(o.problem, agent.CleanOutput(string(ended.Errors)), agent.CleanOutput(spokenPlainly(ended.Out)))
	status := o.status
	if status == 0 && strings.Contains(o.problem, "invalid_request_error") {
		status = http.StatusBadRequest // the server's word for it, passed on without its status
	}
	if m := statusInText().FindStringSubmatch(o.problem); status == 0 && m != nil {
		_, _ = fmt.Sscan(m[1], &status)
	}
	matches := func(own, any func() *regexp.Regexp) bool {
		return own != nil && own().MatchString(said) || any().MatchString(said)
	}
	switch {
	case status == http.StatusTooManyRequests || status != http.StatusUnauthorized && matches(p.limited, anyLimited):
		return agent.Fail(&agent.RateLimited{Program: p.program, Until: resetTime(said, now)})
	case status == http.StatusUnauthorized || errors.Is(p.status[ended.Status], errLoggedOut) || status == 0 && matches(p.loggedOut, anyLoggedOut):
		return agent.Fail(&agent.NotLoggedIn{Program: p.program, How: p.logIn})
	}
	f := &agent.Failure{Kind: agent.Transient, Detail: agent.Detail(errorMessage(o.problem))}
	switch {
	case status >= 400 && status < 500 && status != http.StatusRequestTimeout:
		f.Kind, f.Reason = agent.Permanent, fmt.Sprintf("%s was refused by its server (HTTP %d)", p.program, status)
	case ended.Status != 0 && o.problem == "" && anyOutdated().MatchString(said):
		f.Kind, f.Reason = agent.Permanent, p.program+" does not know an option that is needed; update "+p.program
		f.Detail = agent.Detail(anyLineWith(anyOutdated(), said))
	case o.problem != "":
		f.Reason = p.program + " reports a failure"
	case ended.Status != 0:
		f.Reason, f.Detail = fmt.Sprintf("%s ended with status %d", p.program, ended.Status), ended.Detail()
	default:
		f.Reason, f.Detail = p.program+" ended before its answer was complete", agent.Detail(string(ended.Errors))
	}
	return f
}

// anyLineWith returns the first line of text that matches.
func anyLineWith(pattern *regexp.Regexp, text string) string {
	for line := range strings.Lines(text) {
		if pattern.MatchString(line) {
			return line
		}
	}
	return ""
}

// spokenPlainly is what a program has printed before its first event. The events
// hold the conversation, and with it what notes say of limits and log-ins.
func spokenPlainly(out []byte) string {
	var said strings.Builder
	for line := range bytes.Lines(out) {
		if start := bytes.TrimSpace(line); len(start) > 0 && start[0] == '{' {
			break
		}
		said.Write(line)
	}
	return said.String()
}

// errorMessage is the message of an error that a server has put into JSON, with the
// words a program has put before it; any other text as it is.
func errorMessage(problem string) string {
	before, _, found := strings.Cut(problem, "{")
	var e struct {
		Message string
		Error   struct{ Message string }
	}
	if !found || json.Unmarshal([]byte(problem[len(before):]), &e) != nil {
		return problem
	}
	if message := firstOf(e.Error.Message, e.Message); message != "" {
		return before + message
	}
	return problem
}

// eachObject calls use for every JSON object that stands on a line of its own.
// Lines that are none, such as one that was cut off, are passed over.
func eachObject[T any](out []byte, use func(T)) {
	for line := range bytes.Lines(out) {
		var value T
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] == '{' && json.Unmarshal(line, &value) == nil {
			use(value)
		}
	}
}

// lastObject reads the last JSON object in out that ok accepts into value, and
// reports whether there is one. Text around it and between its lines is passed
// over.
func lastObject[T any](out []byte, value *T, ok func() bool) bool {
	var zero T
	for end := len(out); end > 0; {
		start := bytes.LastIndexByte(out[:end], '\n') + 1
		if rest := bytes.TrimLeft(out[start:end], " \t\r"); len(rest) > 0 && rest[0] == '{' {
			*value = zero
			if json.NewDecoder(bytes.NewReader(out[start:])).Decode(value) == nil && ok() {
				return true
			}
		}
		end = start - 1
	}
	*value = zero
	return false
}

// firstOf returns the first text that says something, trimmed.
func firstOf(texts ...string) string {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			return text
		}
	}
	return ""
}

func lastText(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return texts[len(texts)-1]
}
