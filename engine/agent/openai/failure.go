package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/wording/times"
)

// garbled is a 200 that cannot be used. Its text follows the name of the server.
type garbled struct{ text string }

func (g *garbled) Error() string { return g.text }

// explainError makes one sentence of why there is no answer.
func (m Model) explainError(s server, run context.Context, err error) error {
	if failure, ok := errors.AsType[*agent.Failure](err); ok {
		return failure
	}
	if r, ok := errors.AsType[*modelhttp.Refusal](err); ok {
		return m.explainRefusal(s, r)
	}
	permanent := func(reason string) error {
		return &agent.Failure{Kind: agent.Permanent, Reason: reason, Cause: err}
	}
	transient := func(reason string) error {
		return &agent.Failure{Kind: agent.Transient, Reason: reason, Cause: err}
	}
	if c, ok := errors.AsType[*complaint](err); ok {
		return m.explainComplaint(s, c)
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
	case isBroken(err):
		return transient(s.name + " broke its answer off")
	}
	return transient(fmt.Sprintf("%s cannot be reached: %s", s.name, wording.Clip(modelhttp.RootCause(err).Error())))
}

// explainComplaint explains what a server said in the middle of its answer. Most name no status.
func (m Model) explainComplaint(s server, c *complaint) error {
	if c.refusal.Status == 0 && c.refusal.Code != "insufficient_quota" {
		return &agent.Failure{Kind: agent.Transient, Reason: s.name + " broke its answer off", Detail: wording.Clip(c.refusal.Text), Cause: c}
	}
	return m.explainRefusal(s, c.refusal)
}

// isBroken reports whether the JSON of an answer cannot be read.
func isBroken(err error) bool {
	_, isSyntax := errors.AsType[*json.SyntaxError](err)
	_, isCut := errors.AsType[*modelhttp.BrokenOff](err)
	return isSyntax || isCut
}

// explainRefusal explains an answer other than 200.
func (m Model) explainRefusal(s server, r *modelhttp.Refusal) error {
	f := &agent.Failure{Kind: agent.Permanent, Detail: wording.Clip(r.Text), Cause: r}
	switch {
	case r.Code == "insufficient_quota":
		f.Reason = s.name + " has no credit left for this key"
	case r.Status == http.StatusTooManyRequests:
		limit := &agent.RateLimited{Program: s.name}
		now := time.Now()
		if after, ok := r.RetryAfter(now); ok {
			limit.Until = now.Add(after)
		}
		f = agent.Fail(limit)
		f.Detail = wording.Clip(r.Text)
	case r.Status == http.StatusUnauthorized:
		how := "name the variable that holds it in apiKeyEnv of the role"
		if variable := m.keyVariable(); variable != "" {
			how = "check what the variable " + variable + " holds"
		}
		f.Reason, f.Cause = s.name+" wants another key; "+how, &agent.NotLoggedIn{Program: s.name, How: how}
	case r.Status == http.StatusNotFound && strings.Contains(strings.ToLower(r.Text), "model"):
		f.Reason = fmt.Sprintf("%s does not have the model %q", s.name, m.Model)
	case r.Status == http.StatusNotFound:
		f.Reason = s.name + " has no chat interface there; check the url of the role"
	case r.Status == http.StatusRequestTimeout, r.Status >= 500:
		f.Kind, f.Reason = agent.Transient, fmt.Sprintf("%s failed with status %d", s.name, r.Status)
	default:
		f.Reason = fmt.Sprintf("%s refused the request with status %d", s.name, r.Status)
	}
	return f
}

// keyVariable names the variable that a key was taken from, or nothing.
func (m Model) keyVariable() string {
	if m.KeyVariable == "" && m.Env[defaultKey] != "" {
		return defaultKey
	}
	return m.KeyVariable
}
