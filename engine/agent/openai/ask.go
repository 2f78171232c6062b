package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/wording/times"
)

// form is how a server is made to keep to the form of a reply, the best first.
type form int

const (
	bySchema form = iota
	asObject
	inWords
)

// question is the body of a request.
type question struct {
	Model    string          `json:"model"`
	Messages []message       `json:"messages"`
	Format   *responseFormat `json:"response_format,omitempty"`
	Stream   bool            `json:"stream,omitempty"`
	Options  *streamOptions  `json:"stream_options,omitempty"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type responseFormat struct {
	Type   string      `json:"type"`
	Schema *jsonSchema `json:"json_schema,omitempty"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

func (f form) responseFormat(schema string) *responseFormat {
	switch f {
	case bySchema:
		return &responseFormat{"json_schema", &jsonSchema{"responses", true, json.RawMessage(schema)}}
	case asObject:
		return &responseFormat{Type: "json_object"}
	}
	return nil
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// askModel sends the task and collects what comes back, in the best way that the server is not known to turn down: a
// stream, for models that are to be had in no other way, and a reply to several requests in the form of one. A server that
// turns a way down for another reason turns down the next one too, and nothing is learned from that.
func (m Model) askModel(ctx context.Context, s server, key string, task agent.Task) (*agent.Completion, error) {
	if n := countCharacters(task); n > agent.MaxPrompt {
		return nil, &agent.Failure{Kind: agent.Permanent,
			Reason: fmt.Sprintf("the task has %d characters, more than the %d an agent is given", n, agent.MaxPrompt)}
	}
	q, said := question{Model: m.Model, Messages: makeMessages(task)}, task.Listener
	known := m.Servers.knownWays(s.base, m.Model)
	way, isPlain := known, len(task.Requests) < 2 && task.Schema == ""
	if isPlain {
		way.form = inWords
	} else {
		said = nil // a listener gets no JSON
	}
	for {
		q.Format, q.Stream, q.Options = way.form.responseFormat(cmp.Or(task.Schema, replies.Schema)), !way.whole, nil
		if q.Stream {
			q.Options = &streamOptions{IncludeUsage: true}
		}
		back, err := m.postQuestion(ctx, s, key, q, said)
		switch {
		case err != nil:
			return nil, err
		case !way.whole && turnsStreamDown(back.Refusal):
			way.whole = true
		case isTurnedDown(back.Refusal) && way.form < inWords:
			way.form++
		default:
			if isPlain {
				way.form = known.form
			}
			if back.Refusal == nil && way != known {
				m.Servers.learnWays(s.base, m.Model, way)
			}
			return back, nil
		}
	}
}

// postQuestion makes one request and collects what comes back. The error says why there is nothing to judge.
func (m Model) postQuestion(ctx context.Context, s server, key string, q question, said func(string)) (*agent.Completion, error) {
	a := collected{listener: said, key: key}
	resp, err := m.Servers.client.Post(ctx, s.base+"chat/completions", key, q)
	if refused, ok := errors.AsType[*modelhttp.Refusal](err); ok {
		a.reply.Refusal, err = readRefusal(refused), nil
	} else if err == nil {
		err = a.collect(resp)
	}
	if err != nil {
		return nil, err
	}
	back := a.completion()
	back.Usage.Model = cmp.Or(back.Usage.Model, m.Model)
	back.Speaker = m.speaker(s, back.Usage.Model)
	if context.Cause(ctx) == errTimeout && back.End.Meaning == endings.BrokenOff {
		back.End.Says = fmt.Sprintf("had not answered after %s", times.Duration(m.TimeLimit()))
	}
	return back, nil
}

// forgiveTypes takes a field of another kind as missing.
func forgiveTypes(err error) error {
	if _, isType := errors.AsType[*json.UnmarshalTypeError](err); isType {
		return nil
	}
	return err
}

// makeMessages makes the conversation: the role's own words, what was asked and
// answered before, and the task.
func makeMessages(task agent.Task) []message {
	var list []message
	if system := strings.TrimSpace(task.System); system != "" {
		list = append(list, message{"system", system})
	}
	for _, turn := range task.Turns() {
		list = append(list, message{"user", turn.Question}, message{"assistant", turn.Answer})
	}
	return append(list, message{"user", task.WithoutHistory()})
}

func countCharacters(task agent.Task) int {
	n := utf8.RuneCountInString(task.System) + utf8.RuneCountInString(task.WithoutHistory())
	for _, turn := range task.Turns() {
		n += utf8.RuneCountInString(turn.Question) + utf8.RuneCountInString(turn.Answer)
	}
	return n
}

// isTurnedDown reports whether a server may have refused the way that it was asked in: there is no status of its own
// for that.
func isTurnedDown(r *endings.Refusal) bool {
	return r != nil && (r.Status == http.StatusNotImplemented || r.Status >= 500 && aForm().MatchString(r.Words) ||
		r.Kind() == endings.Wrong && (r.Status == http.StatusBadRequest || r.Status == http.StatusUnprocessableEntity))
}

// turnsStreamDown reports whether a server has refused because a stream was asked for.
func turnsStreamDown(r *endings.Refusal) bool {
	if r == nil || !aStream().MatchString(r.Words) {
		return false
	}
	return isTurnedDown(r) || r.Status == http.StatusMethodNotAllowed || r.Status >= 500 && isMissing().MatchString(r.Words)
}

var (
	aStream   = lazyregexp.New(`(?i)stream|\bsse\b`)
	aForm     = lazyregexp.New(`(?i)\bresponse_format\b|\bjson_(?:schema|object)\b|\bpeg-native\b|\bfailed to parse grammar\b`) // https://github.com/ggml-org/llama.cpp/issues/23463
	isMissing = lazyregexp.New(`(?i)\bnot (?:yet )?(?:implemented|supported|available|allowed)\b|\bunsupported\b`)
)

// ways are how a server is asked for a reply.
type ways struct {
	form  form
	whole bool // it turns streams down
}

func (s *Servers) knownWays(base, model string) ways {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ways[base+" "+model]
}

func (s *Servers) learnWays(base, model string, w ways) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ways[base+" "+model] = w
}
