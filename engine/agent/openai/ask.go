package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/wording"
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

// completion is what is read of an answer.
type completion struct {
	Model   string
	Choices []choice
	Usage   usage
}

type choice struct {
	FinishReason string `json:"finish_reason"`
	Message      words
}

// words are an answer, or the next piece of one.
type words struct {
	Content, Refusal string
	ToolCalls        []json.RawMessage `json:"tool_calls"`
}

type usage struct {
	PromptTokens     int64 `json:"prompt_tokens"`
	CompletionTokens int64 `json:"completion_tokens"`
	Cost             json.RawMessage
}

// askModel sends the task. A reply to several requests is asked for in the best form
// that the server is not known to turn down; one that turns a form down for
// another reason turns down the next one too, and nothing is learned from that.
func (m Model) askModel(ctx context.Context, s server, key string, task agent.Task) (*completion, error) {
	if n := countCharacters(task); n > agent.MaxPrompt {
		return nil, &agent.Failure{Kind: agent.Permanent,
			Reason: fmt.Sprintf("the task has %d characters, more than the %d an agent is given", n, agent.MaxPrompt)}
	}
	q := question{Model: m.Model, Messages: makeMessages(task)}
	if len(task.Requests) < 2 && task.Schema == "" {
		return m.askAloud(ctx, s, key, q, task.Said)
	}
	known := m.Servers.knownForm(s.base, m.Model)
	for f := known; ; f++ {
		q.Format = f.responseFormat(cmp.Or(task.Schema, replies.Schema))
		c, err := m.postQuestion(ctx, s, key, q, nil)
		if f < inWords && isTurnedDown(err) {
			continue
		}
		if err == nil && f > known {
			m.Servers.learnForm(s.base, m.Model, f)
		}
		return c, err
	}
}

// postQuestion makes one request and reads its answer, which a server may give whole where it was
// asked for a stream.
func (m Model) postQuestion(ctx context.Context, s server, key string, q question, said func(string)) (*completion, error) {
	resp, err := m.Servers.client.Post(ctx, s.base+"chat/completions", key, q)
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if q.Stream && kind == "text/event-stream" {
		return readStream(resp, key, said)
	}
	if kind != "application/json" && !strings.HasSuffix(kind, "+json") {
		resp.Body.Close()
		return nil, &garbled{fmt.Sprintf("answers with %q where JSON was asked for", kind)}
	}
	var c completion
	return &c, forgiveTypes(modelhttp.ReadJSON(resp, maxAnswer, &c))
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

// isTurnedDown reports whether a server may have refused the form of the reply:
// there is no status of its own for that.
func isTurnedDown(err error) bool {
	r, ok := errors.AsType[*modelhttp.Refusal](err)
	return ok && (r.Status == http.StatusBadRequest || r.Status == http.StatusUnprocessableEntity ||
		r.Status == http.StatusNotImplemented)
}

func (s *Servers) knownForm(base, model string) form {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.forms[base+" "+model]
}

func (s *Servers) learnForm(base, model string, f form) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forms[base+" "+model] = f
}

// readReply takes the answer out of a completion.
func (m Model) readReply(s server, c *completion) (agent.Reply, error) {
	usage := m.readUsage(c)
	failed := func(reason string) (agent.Reply, error) {
		return agent.Reply{}, &agent.Failure{Kind: agent.Permanent, Reason: reason, Usage: usage}
	}
	model := "the model " + usage.Model + " of " + s.name
	if len(c.Choices) == 0 {
		return failed(model + " gave no answer")
	}
	choice := c.Choices[0]
	text := choice.Message.Content
	switch {
	case choice.FinishReason == "length":
		return failed(model + " came to its limit of tokens before its answer was complete")
	case choice.FinishReason == "content_filter":
		return failed(s.name + " held the answer back by its content filter")
	case choice.Message.Refusal != "":
		return failed(model + " declined to answer: " + wording.Clip(choice.Message.Refusal))
	case strings.TrimSpace(text) == "" && len(choice.Message.ToolCalls) > 0:
		return failed(model + " asked for a tool, and it has none")
	case strings.TrimSpace(text) == "":
		return failed(model + " gave an empty answer")
	}
	return agent.Reply{Text: text, Usage: usage}, nil
}

// readUsage keeps what the server counted. Some routers report the price as well.
func (m Model) readUsage(c *completion) agent.Usage {
	usage := agent.Usage{Model: c.Model, Input: c.Usage.PromptTokens, Output: c.Usage.CompletionTokens}
	if usage.Model == "" {
		usage.Model = m.Model
	}
	usage.Cost, _ = strconv.ParseFloat(string(c.Usage.Cost), 64) // no number: not known
	return usage
}
