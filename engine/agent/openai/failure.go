package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/wording/times"
)

// garbled is an answer in another language. Its text follows the name of the server.
type garbled struct{ text string }

func (g *garbled) Error() string { return g.text }

func isGarbled(err error) bool {
	_, is := errors.AsType[*garbled](err)
	return is
}

// speaker is who answers, in the words of sentences.
func (m Model) speaker(s server, model string) agent.Speaker {
	how := "name the variable that holds it in apiKeyEnv of the role"
	if variable := m.keyVariable(); variable != "" {
		how = "check what the variable " + variable + " holds"
	}
	return agent.Speaker{
		Name: "the model " + model + " of " + s.name, Server: s.name, Model: m.Model, LogIn: how,
		Refuses: map[endings.Kind]string{
			endings.LoggedOut: "wants another key; " + how,
			endings.NoCredit:  "has no credit left for this key",
			endings.NoPlace:   "has no chat interface there; check the url of the role",
			endings.TooLong:   "does not read so long a task at once; set contextTokens of the role to the tokens that it reads",
		},
	}
}

// readRefusal is what a server has said: what it says of the error counts before the status of its answer, and a header before
// words.
func readRefusal(r *modelhttp.Refusal) *endings.Refusal {
	now := time.Now()
	refusal := &endings.Refusal{Status: cmp.Or(r.Named.Status, r.Status), Names: r.Named.Names, Words: r.Text, Window: r.Named.Window,
		Expiry: endings.ReadReset(endings.Server, r.Text, now)}
	if after, ok := r.RetryAfter(now); ok {
		refusal.Expiry = now.Add(after)
	}
	return refusal
}

// isSet reports whether a field says something.
func isSet(value json.RawMessage) bool {
	return !slices.Contains([]string{"", "null", "false", `""`, "{}", "[]"}, string(value))
}

// refuse notes what a server says of its failure, in the form of an answer's error.
func (a *collected) refuse(data []byte) {
	a.reply.Refusal = readRefusal(modelhttp.ReadComplaint(data, a.key))
}

// refuseOther takes what has come in place of an answer, under no name of an error, for what the server says of its failure.
func (a *collected) refuseOther() {
	if r := modelhttp.ReadComplaint(a.foreign, a.key); r.Text != "" {
		a.reply.Refusal = readRefusal(r)
	}
}

// explainError makes one sentence of why nothing has come back.
func (m Model) explainError(s server, run context.Context, err error) error {
	if failure, ok := errors.AsType[*agent.Failure](err); ok {
		return failure
	}
	permanent := func(reason string) error {
		return &agent.Failure{Kind: agent.Permanent, Reason: reason, Cause: err}
	}
	transient := func(reason string) error {
		return &agent.Failure{Kind: agent.Transient, Reason: reason, Cause: err}
	}
	wrong, isGarbled := errors.AsType[*garbled](err)
	switch {
	case context.Cause(run) == errTimeout:
		return transient(fmt.Sprintf("%s had not answered after %s", s.name, times.Duration(m.TimeLimit())))
	case isGarbled:
		return permanent(s.name + " " + wrong.text + "; check the url of the role")
	case errors.Is(err, modelhttp.ErrTooLong):
		return permanent(fmt.Sprintf("%s answered with more than %d MiB", s.name, maxAnswer>>20))
	case errors.Is(err, modelhttp.ErrRedirect):
		return permanent(s.name + " sends callers elsewhere, which is not followed; set the url of the role to where it sends them")
	case modelhttp.IsNotRunning(err):
		return transient(s.name + " is not running; " + s.start)
	}
	return transient(fmt.Sprintf("%s cannot be reached: %s", s.name, wording.Clip(modelhttp.RootCause(err).Error())))
}

// keyVariable names the variable that a key was taken from, or nothing.
func (m Model) keyVariable() string {
	if m.KeyVariable == "" && m.Env[defaultKey] != "" {
		return defaultKey
	}
	return m.KeyVariable
}
