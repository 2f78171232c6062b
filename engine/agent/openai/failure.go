package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"vaultdispatcher/engine/agent"
)

// refusal is an answer of a server other than 200.
type refusal struct {
	status     int
	code, text string // what the server says of it
	header     http.Header
}

func (r *refusal) Error() string { return fmt.Sprintf("%d %s", r.status, r.text) }

// garbled is a 200 that cannot be used; the text goes behind the server's name.
type garbled struct{ text string }

func (g *garbled) Error() string { return g.text }

// explain makes one sentence of why there is no answer.
func (m Model) explain(s server, run context.Context, err error) error {
	if failure, ok := errors.AsType[*agent.Failure](err); ok {
		return failure
	}
	if r, ok := errors.AsType[*refusal](err); ok {
		return m.refused(s, r)
	}
	permanent := func(reason string) error {
		return &agent.Failure{Kind: agent.Permanent, Reason: reason, Cause: err}
	}
	transient := func(reason string) error {
		return &agent.Failure{Kind: agent.Transient, Reason: reason, Cause: err}
	}
	wrong, isGarbled := errors.AsType[*garbled](err)
	_, tooLong := errors.AsType[*http.MaxBytesError](err)
	switch {
	case context.Cause(run) == errTimeout:
		return transient(fmt.Sprintf("%s had not answered after %s", s.name, agent.DurationText(m.TimeLimit())))
	case isGarbled:
		return permanent(s.name + " " + wrong.text + "; check the url of the role")
	case tooLong:
		return permanent(fmt.Sprintf("%s answered with more than %d MiB", s.name, maxAnswer>>20))
	case errors.Is(err, errRedirect):
		return permanent(s.name + " sends callers elsewhere, which is not followed; set the url of the role to where it sends them")
	case errors.Is(err, syscall.ECONNREFUSED) || strings.Contains(err.Error(), "refused"):
		return transient(s.name + " is not running; " + s.start)
	case errors.Is(err, io.ErrUnexpectedEOF) || broken(err):
		return transient(s.name + " broke its answer off")
	}
	return transient(fmt.Sprintf("%s cannot be reached: %s", s.name, agent.Clip(innermost(err).Error())))
}

// broken reports whether the JSON of an answer cannot be read.
func broken(err error) bool {
	_, syntax := errors.AsType[*json.SyntaxError](err)
	return syntax || strings.Contains(err.Error(), "parsing response json")
}

// refused explains an answer other than 200.
func (m Model) refused(s server, r *refusal) error {
	f := &agent.Failure{Kind: agent.Permanent, Detail: r.text, Cause: r}
	switch {
	case r.code == "insufficient_quota":
		f.Reason = s.name + " has no credit left for this key"
	case r.status == http.StatusTooManyRequests:
		f = agent.Fail(&agent.RateLimited{Program: s.name, Until: until(r.header, time.Now())})
		f.Detail = r.text
	case r.status == http.StatusUnauthorized:
		how := "name the variable that holds it in apiKeyEnv of the role"
		if variable := m.variable(); variable != "" {
			how = "check what the variable " + variable + " holds"
		}
		f.Reason, f.Cause = s.name+" wants another key; "+how, &agent.NotLoggedIn{Program: s.name, How: how}
	case r.status == http.StatusNotFound && strings.Contains(strings.ToLower(r.text), "model"):
		f.Reason = fmt.Sprintf("%s does not have the model %q", s.name, m.Model)
	case r.status == http.StatusNotFound:
		f.Reason = s.name + " has no chat interface there; check the url of the role"
	case r.status == http.StatusRequestTimeout, r.status >= 500:
		f.Kind, f.Reason = agent.Transient, fmt.Sprintf("%s failed with status %d", s.name, r.status)
	default:
		f.Reason = fmt.Sprintf("%s refused the request with status %d", s.name, r.status)
	}
	return f
}

// variable is the one that a key was taken from, or nothing.
func (m Model) variable() string {
	if m.KeyVariable == "" && m.Env[defaultKey] != "" {
		return defaultKey
	}
	return m.KeyVariable
}

// maxWait bounds what a server may ask for.
const maxWait = 7 * 24 * time.Hour

// until reads how long a server wishes to be left alone; zero when it does not
// say so.
func until(header http.Header, now time.Time) time.Time {
	if ms, err := strconv.ParseFloat(header.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return now.Add(min(time.Duration(min(ms, 1e12))*time.Millisecond, maxWait))
	}
	after := header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(after, 64); err == nil && seconds >= 0 {
		return now.Add(min(time.Duration(min(seconds, 1e9)*float64(time.Second)), maxWait))
	}
	at, err := http.ParseTime(after)
	if err != nil || at.Before(now) {
		return time.Time{}
	}
	return at.Add(min(0, maxWait-at.Sub(now)))
}

// complaint is what a server says of its failure: {"error":{"message":"..."}},
// {"error":"..."}, {"message":"..."}, a list of one of them, or plain text.
func complaint(body []byte) (code, text string) {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var outer struct {
		Error           json.RawMessage
		Message, Detail string
	}
	var inner struct {
		Code    any
		Message string
	}
	if json.Unmarshal(body, &outer) != nil {
		if text = string(body); strings.HasPrefix(strings.TrimSpace(text), "<") { // a page
			text = ""
		}
		return "", agent.Clip(text)
	}
	if json.Unmarshal(outer.Error, &text) != nil && json.Unmarshal(outer.Error, &inner) == nil {
		text = inner.Message
		code, _ = inner.Code.(string)
	}
	for _, other := range []string{outer.Message, outer.Detail} {
		if text == "" {
			text = other
		}
	}
	return code, agent.Clip(text)
}

func innermost(err error) error {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err
}
