package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"vaultdispatcher/engine/agent"
)

// form is how a server is made to keep to the form of a reply, the best first.
type form int

const (
	bySchema form = iota
	asObject
	inWords
)

func (f form) param() sdk.ChatCompletionNewParamsResponseFormatUnion {
	var p sdk.ChatCompletionNewParamsResponseFormatUnion
	switch f {
	case bySchema:
		p.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
				Name: "responses", Strict: sdk.Bool(true), Schema: json.RawMessage(agent.Schema),
			},
		}
	case asObject:
		p.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	return p
}

// ask sends the task. A reply to several requests is asked for in the best form
// that the server is not known to turn down; one that turns a form down for
// another reason turns down the next one too, and nothing is learned from that.
func (m Model) ask(ctx context.Context, s server, key string, task agent.Task) (*sdk.ChatCompletion, error) {
	params := sdk.ChatCompletionNewParams{Model: m.Model, Messages: messages(task)}
	if n := size(task); n > agent.MaxPrompt {
		return nil, &agent.Failure{Kind: agent.Permanent,
			Reason: fmt.Sprintf("the task has %d characters, more than the %d an agent is given", n, agent.MaxPrompt)}
	}
	chat := sdk.NewChatCompletionService(m.Servers.options(s.base, key)...)
	if len(task.Requests) < 2 {
		return chat.New(ctx, params)
	}
	known := m.Servers.form(s.base, m.Model)
	for f := known; ; f++ {
		params.ResponseFormat = f.param()
		completion, err := chat.New(ctx, params)
		if f < inWords && turnedDown(err) {
			continue
		}
		if err == nil && f > known {
			m.Servers.learn(s.base, m.Model, f)
		}
		return completion, err
	}
}

// messages are the conversation: the role's own words, what was asked and
// answered before, and the task.
func messages(task agent.Task) []sdk.ChatCompletionMessageParamUnion {
	var list []sdk.ChatCompletionMessageParamUnion
	if system := strings.TrimSpace(task.System); system != "" {
		list = append(list, sdk.SystemMessage(system))
	}
	for _, turn := range task.Turns() {
		list = append(list, sdk.UserMessage(turn.Question), sdk.AssistantMessage(turn.Answer))
	}
	return append(list, sdk.UserMessage(task.WithoutHistory()))
}

func size(task agent.Task) int {
	n := utf8.RuneCountInString(task.System) + utf8.RuneCountInString(task.WithoutHistory())
	for _, turn := range task.Turns() {
		n += utf8.RuneCountInString(turn.Question) + utf8.RuneCountInString(turn.Answer)
	}
	return n
}

// turnedDown reports whether a server may have refused the form of the reply:
// there is no status of its own for that.
func turnedDown(err error) bool {
	r, ok := errors.AsType[*refusal](err)
	return ok && (r.status == http.StatusBadRequest || r.status == http.StatusUnprocessableEntity ||
		r.status == http.StatusNotImplemented)
}

func (s *Servers) form(base, model string) form {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.forms[base+" "+model]
}

func (s *Servers) learn(base, model string, f form) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forms[base+" "+model] = f
}

// reply takes the answer out of a completion.
func (m Model) reply(s server, c *sdk.ChatCompletion) (agent.Reply, error) {
	usage := m.usage(c)
	failed := func(reason string) (agent.Reply, error) {
		return agent.Reply{}, &agent.Failure{Kind: agent.Permanent, Reason: reason, Usage: usage}
	}
	model := "the model " + usage.Model + " of " + s.name
	if len(c.Choices) == 0 {
		return failed(model + " gave no answer")
	}
	choice := c.Choices[0]
	text := withoutThoughts(choice.Message.Content)
	switch {
	case choice.FinishReason == "length":
		return failed(model + " came to its limit of tokens before its answer was complete")
	case choice.FinishReason == "content_filter":
		return failed(s.name + " held the answer back by its content filter")
	case choice.Message.Refusal != "":
		return failed(model + " declined to answer: " + agent.Clip(choice.Message.Refusal))
	case strings.TrimSpace(text) == "" && len(choice.Message.ToolCalls) > 0:
		return failed(model + " asked for a tool, and it has none")
	case strings.TrimSpace(text) == "":
		return failed(model + " gave an empty answer")
	}
	return agent.Reply{Text: text, Usage: usage}, nil
}

// usage keeps what the server counted. Some routers tell the price as well.
func (m Model) usage(c *sdk.ChatCompletion) agent.Usage {
	usage := agent.Usage{Model: c.Model, Input: c.Usage.PromptTokens, Output: c.Usage.CompletionTokens}
	if usage.Model == "" {
		usage.Model = m.Model
	}
	if cost, ok := c.Usage.JSON.ExtraFields["cost"]; ok {
		usage.Cost, _ = strconv.ParseFloat(cost.Raw(), 64) // no number: not known
	}
	return usage
}

// withoutThoughts drops what some models say to themselves before they answer,
// where the server leaves it in.
func withoutThoughts(text string) string {
	rest, thinking := strings.CutPrefix(strings.TrimLeft(text, " \t\r\n"), "<think>")
	if !thinking {
		return text
	}
	_, answer, _ := strings.Cut(rest, "</think>")
	return strings.TrimLeft(answer, "\r\n")
}
