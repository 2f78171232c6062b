package agent

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/printed"
	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/wording"
)

// Completion is what came back from a run: its runner has translated it, and [Judge] says what it is. A field
// that the agent does not tell is zero.
type Completion struct {
	Speaker  Speaker
	Program  string       // whose words the text has where no model wrote it, as [endings.ProgramOf] names it; "" = anyone's
	Seal     replies.Seal // that the text was to have
	Text     string
	Thoughts string           // the model's reasoning, where the protocol has a place for it
	End      endings.End      // the row of its protocol's table
	Word     string           // its own word for the end, or more words about it
	Declined string           // the words by which the model declines to answer
	Refusal  *endings.Refusal // instead of an answer, or in its middle; nil = none
	Tools    bool             // it asked for tools
	Usage    Usage
	Cause    error // of a failure
}

// Speaker is who a completion is of, in the words of sentences about it.
type Speaker struct {
	Name    string                  // "claude", "the model tiny of Ollama"
	Server  string                  // the name of the side that refuses; "" = Name
	Model   string                  // that was asked for
	LogIn   string                  // the next step where it does not know its user: "run claude and log in"
	Refuses map[endings.Kind]string // the sentence for a refusal, behind that name; a kind without one has the usual words
}

// NewSeal draws the seal for a task. A reply that has to be JSON shows by its form that a model wrote it.
func NewSeal(task Task) replies.Seal {
	if len(task.Requests) > 1 || task.Schema != "" {
		return ""
	}
	return replies.Seal(rand.Text()[:8])
}

// Judge returns the answer of a completion, or a [*Failure] that gives the reason against it. An answer has an end
// that is known to be good. It is not an error line, not empty and not thoughts alone, and it does not end in the call
// of a tool. Where a seal was asked for, a text with it is no error line, and one without it that may be one is asked for
// once more ([Ask]). Judge cuts a token that ends the turn. The failure keeps all other text for the record.
func Judge(c Completion) (Reply, error) {
	doubted := c.doubt()
	var f *Failure
	switch {
	case c.Refusal != nil:
		f = c.refuse(*c.Refusal)
	case c.End.Meaning == endings.BrokenOff, c.End.Meaning == endings.Formless:
		f = &Failure{Kind: Transient, Tries: 2, Reason: c.did("broke its answer off"), Detail: wording.Clip(c.Word)}
		if c.End.Meaning == endings.Formless {
			f.Unread = c.Text
		}
	case c.End.Meaning != endings.Whole:
		f = &Failure{Reason: c.did("gave no answer")}
	case strings.TrimSpace(c.Declined) != "":
		f = &Failure{Reason: c.did("declined to answer"), Detail: wording.Clip(c.Declined)}
	case replies.IsThought(c.Text), replies.Blank(c.Text) && !replies.Blank(c.Thoughts):
		f = &Failure{Reason: c.did("only thought, and gave no answer")}
	case replies.IsCall(c.Text):
		f = &Failure{Reason: c.did("wrote the call of a tool in place of an answer")}
	case replies.Blank(c.Text) && c.Tools:
		f = &Failure{Reason: c.did("asked for a tool, and it has none")}
	case replies.Blank(c.Text):
		f = &Failure{Reason: c.did("gave an empty answer")}
	default:
		return Reply{Text: c.Text, Thoughts: keepCut(c.Thoughts), Usage: c.Usage}, nil
	}
	f.Usage = c.Usage
	if f.Cause == nil {
		f.Cause = c.Cause
	}
	f.Keep(c.Thoughts, c.Text)
	if doubted != "" {
		f.Unread, f.Cut = doubted, keepCut(f.Cut, doubted)
	}
	return Reply{}, f
}

// doubt cuts the seal of the text, and makes a refusal of a text that no model has written. A text that may be one is
// returned as well.
func (c *Completion) doubt() (doubted string) {
	text, isSealed := c.Seal.Cut(replies.CutEnd(c.Text))
	if c.Text = text; c.Refusal != nil || c.End.Meaning != endings.Whole || isSealed {
		return ""
	}
	isUnwritten := c.isUnwritten()
	if !isUnwritten && c.Seal != "" && !replies.IsThought(text) && !replies.IsCall(text) && (endings.MayComplain(text) || c.Seal.In(text)) {
		doubted = text
	}
	if isUnwritten || doubted != "" {
		c.Refusal, c.Text = c.readRefusal(), ""
	}
	if doubted != "" && c.Refusal.Kind() == endings.Unknown {
		c.Speaker.Refuses = map[endings.Kind]string{endings.Unknown: "printed what may be no answer"}
	}
	return doubted
}

// readRefusal reads the text as what is said in place of an answer.
func (c Completion) readRefusal() *endings.Refusal {
	r, isKnown := endings.FindRefusal(c.Program, c.Text)
	if !isKnown {
		r = endings.Refusal{Program: c.Program, Words: c.Text}
	}
	r.Expiry = endings.ReadReset(cmp.Or(c.Program, endings.Server), c.Text, time.Now())
	return &r
}

// isUnwritten reports whether a text is an error line that no model has written: no token is counted for it, or fewer than it has
// (https://github.com/xiaoY233/Chat2API/issues/164). Where none is, it may be that nobody counts.
func (c Completion) isUnwritten() bool {
	const mostBytes = 32 // of a token
	return c.Usage.Output == 0 && endings.IsComplaint(c.Text) ||
		c.Usage.Output > 0 && int64(len(c.Text)) > mostBytes*c.Usage.Output && endings.NamesError(c.Text)
}

// Keep keeps for the record what was said all the same. It was paid, so the failure is not tried a third time.
func (f *Failure) Keep(said ...string) *Failure {
	if f.Cut = keepCut(said...); f.Cut != "" && f.Kind == Transient && f.Tries == 0 {
		f.Tries = 2
	}
	return f
}

// did is a sentence of what the speaker did: as its end says, or in the usual words.
func (c Completion) did(usual string) string {
	if c.End.Says != "" {
		usual = c.End.Says
	}
	return c.Speaker.Name + " " + usual
}

// refuse explains a refusal.
func (c Completion) refuse(r endings.Refusal) *Failure {
	who, kind := cmp.Or(c.Speaker.Server, c.Speaker.Name), r.Kind()
	f := &Failure{}
	switch kind {
	case endings.Busy:
		f = Fail(&RateLimited{Program: who, Expiry: r.Expiry})
	case endings.LoggedOut:
		f = Fail(&NotLoggedIn{Program: who, Remedy: c.Speaker.LogIn})
	case endings.TooLong:
		f.Cause = &TooLong{Program: who, Tokens: r.ReadWindow()}
	case endings.Failing, endings.Unreachable, endings.Unknown:
		f.Kind = Transient
	}
	if means := cmp.Or(c.Speaker.Refuses[kind], c.usual(kind, r.Status)); means != "" {
		f.Reason = who + " " + means
	}
	f.Detail = wording.Clip(printed.Plain(r.Words))
	return f
}

// usual are the words for a kind of refusal, "" where its cause has them.
func (c Completion) usual(kind endings.Kind, status int) string {
	with := ""
	if status >= 400 {
		with = fmt.Sprintf(" with status %d", status)
	}
	switch kind {
	case endings.Busy, endings.LoggedOut:
		return ""
	case endings.TooLong:
		return "does not read so long a task at once"
	case endings.Wordy:
		return endings.Tokens.Says
	case endings.NoCredit:
		return "says that there is no credit left"
	case endings.NoModel:
		if c.Speaker.Model == "" {
			return "does not have the model that was asked for"
		}
		return fmt.Sprintf("does not have the model %q", c.Speaker.Model)
	case endings.Failing:
		return "failed" + with
	case endings.Unreachable:
		return "cannot reach its server; check the network"
	case endings.Unknown:
		return "reports a failure"
	}
	return "refused the request" + with
}

// maxCut is how much is kept of what is no answer.
const maxCut = 256 << 10

// keepCut is what is kept of texts that are no answer.
func keepCut(texts ...string) string {
	var kept []string
	for _, text := range texts {
		if !replies.Blank(text) {
			kept = append(kept, strings.TrimSpace(printed.Plain(cutMiddle(text, maxCut))))
		}
	}
	return cutMiddle(strings.Join(kept, "\n\n"), maxCut)
}
