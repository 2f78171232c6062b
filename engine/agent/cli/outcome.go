package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/printed"
	"vaultdispatcher/engine/config/runners"
	"vaultdispatcher/engine/lazyregexp"
)

// outcome is what a program says of its turn.
type outcome struct {
	text    string
	final   bool        // it has said that its turn is over
	end     endings.End // how
	word    string      // its own for that
	refusal *endings.Refusal
	named   string // the kind of the refusal, in the program's word; "" = it tells none
	reset   int64  // when its limit ends, in seconds since 1970; 0 = it tells none
	usage   agent.Usage

	recovered bool // it failed and tried again by itself, and exits with the status of the failure
}

// refuse notes what the program says went wrong.
func (o *outcome) refuse(status int, words ...string) {
	words = slices.DeleteFunc(words, anyWordless().MatchString)
	o.refusal = &endings.Refusal{Status: status, Words: firstOf(append(words, unsaid)...)}
}

// unsaid replaces the words of a failure that has no words.
const unsaid = "it failed"

// anyWordless is what JavaScript prints of an error that has no words: https://github.com/fujitatomoya/rcl_logging_syslog/issues/132
var anyWordless = lazyregexp.New(`^\s*(?:\[object \w+\]|undefined|null)\s*$`)

// finish notes how the turn ended, by a table of the program's words.
func (o *outcome) finish(table endings.Table, word string) {
	o.final, o.end, o.word = true, table.Find(word), word
}

// judge makes the reply or the failure of a run that has ended. Success takes
// all three: the program's own word for it, status 0 and an answer.
func (p preset) judge(ended agent.Ended, now time.Time) (agent.Reply, error) {
	o := p.read(ended.Output)
	if !o.final && o.refusal == nil && ended.Status != 0 {
		o = p.read(ended.Errors) // some report a failure there
	}
	if text, isSealed := p.seal.Cut(o.text); isSealed {
		o.text = text
		if !o.final {
			o.final, o.end = true, endings.Good
		}
	}
	c := agent.Completion{Speaker: p.speaker(), Text: printed.Plain(o.text),
		End: o.end, Word: o.word, Refusal: o.refusal, Usage: o.usage}
	switch {
	case c.Refusal != nil && c.Refusal.Words == unsaid:
		if r, ok := p.findRefusal(printed.Plain(string(ended.Errors)), 0); ok && !anyWordless().MatchString(errorMessage(r.Words)) {
			c.Refusal.Words = r.Words
		}
	case c.Refusal != nil:
	case (c.End.Meaning != endings.Whole || o.usage.Output == 0) && endings.IsComplaint(c.Text): // no model has written it
		c.Refusal, c.Text = &endings.Refusal{Words: c.Text}, ""
	case ended.Status != 0 && !o.recovered && c.End.Meaning != endings.Limited && c.End.Meaning != endings.Final:
		return p.explainExit(c, ended, now)
	case !o.final:
		p.explainSilence(&c, ended)
	}
	if c.Refusal != nil {
		p.classify(&c, now)
		c.Refusal.Learn(o.named, o.reset, now)
	}
	return agent.Judge(c)
}

// explainSilence reads the output of a run that exited well without saying that its turn is over.
func (p preset) explainSilence(c *agent.Completion, ended agent.Ended) {
	said := printed.Plain(spokenPlainly(ended.Output))
	r, isKnown := p.findRefusal(printed.Plain(string(ended.Errors)), 0)
	switch {
	case c.Text == "" && len(bytes.TrimSpace(ended.Output)) == 0 && len(bytes.TrimSpace(ended.Errors)) == 0:
		c.End = endings.End{Says: "printed nothing; see in a terminal whether it answers there, and " + c.Speaker.LogIn + " if not"}
	case endings.IsComplaint(said):
		c.Refusal = &endings.Refusal{Words: said}
	case isKnown && c.Text == "":
		c.Refusal = &r
	default:
		c.End, c.Word = unfinished, agent.Detail(string(ended.Errors))
		c.Text = cmp.Or(c.Text, printed.Plain(string(ended.Output)))
		if strings.TrimSpace(c.Text) != "" && printed.HasNoJSON(ended.Output) {
			c.End = unreadable
		}
	}
}

// Ends of a run that exits well: its JSON does not say that the turn is over, or nothing that it has printed is its JSON.
var (
	unfinished = endings.End{Says: "ended before its answer was complete"}
	unreadable = endings.End{Meaning: endings.Formless, Says: "printed an answer that cannot be read"}
)

// classify completes a refusal: the program, the time when it ends, and the status in its words.
func (p preset) classify(c *agent.Completion, now time.Time) {
	r := c.Refusal
	r.Program, r.Expiry = p.program, endings.ReadReset(p.program, r.Words, now)
	if r.Status < http.StatusBadRequest {
		r.Status = 0 // of the program, not of HTTP
	}
	r.Status = cmp.Or(r.Status, endings.StatusIn(r.Words))
	if r.Status == 0 && strings.Contains(r.Words, "invalid_request_error") {
		r.Status = http.StatusBadRequest // the server's word for it, passed on without its status
	}
	if r.Status != 0 {
		c.Speaker.Refuses = map[endings.Kind]string{endings.Wrong: fmt.Sprintf("was refused by its server (HTTP %d)", r.Status)}
	}
	r.Words = errorMessage(r.Words)
}

var (
	anyOutdated = lazyregexp.New(`(?i)\b(unknown|unrecognized|unexpected|invalid) (option|argument|flag)s?\b`)

	// oldNode is how a Node ends that cannot read the program.
	oldNode = lazyregexp.New(`(?s)(?:^|\n)(?:SyntaxError|Error \[ERR_UNKNOWN_BUILTIN_MODULE\]): .*\nNode\.js (v\d+)\.`)
)

// explainExit says why there is no answer from what a program has printed beside its events. Standard error comes first; it also
// complains there about things that are not to blame.
func (p preset) explainExit(c agent.Completion, ended agent.Ended, now time.Time) (agent.Reply, error) {
	said := firstOf(printed.Plain(string(ended.Errors)), printed.Plain(spokenPlainly(ended.Output)))
	outdated := anyLineWith(anyOutdated(), said)
	if r, ok := p.findRefusal(said, p.status[ended.Status]); ok && (outdated == "" || r.Kind() != endings.Unknown) {
		r.Expiry, c.Refusal = endings.ReadReset(p.program, said, now), &r
		return agent.Judge(c)
	}
	if node := oldNode().FindStringSubmatch(said); node != nil {
		return agent.Reply{}, &agent.Failure{Reason: p.program + " does not run with Node " + node[1] + "; install a newer Node", Usage: c.Usage}
	}
	if outdated != "" {
		return agent.Reply{}, &agent.Failure{Reason: runners.WhyOutdated(p.program), Detail: agent.Detail(outdated), Usage: c.Usage}
	}
	c.End, c.Word = endings.End{Says: fmt.Sprintf("ended with status %d", ended.Status)}, ended.Detail()
	return agent.Judge(c)
}

// findRefusal is [endings.FindRefusal], or the last line of all where the exit status is known to mean a refusal.
func (p preset) findRefusal(said string, status int) (endings.Refusal, bool) {
	if status != 0 {
		return endings.Refusal{Program: p.program, Status: status, Words: agent.Detail(said)}, true
	}
	return endings.FindRefusal(p.program, said)
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

// spokenPlainly is what a program has printed beside its events, up to one that is not on a line of its own. The events
// hold the conversation, and with it what notes say of limits and log-ins.
func spokenPlainly(out []byte) string {
	var said strings.Builder
	for line := range bytes.Lines(out) {
		start := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		switch begins := len(start) > 0 && (start[0] == '{' || bytes.HasPrefix(start, []byte("[{")) || len(start) == 1 && start[0] == '['); {
		case begins && !json.Valid(start):
			return said.String()
		case !begins:
			said.Write(line)
		}
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

// firstOf returns the first text that says something, trimmed.
func firstOf(texts ...string) string {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			return text
		}
	}
	return ""
}
