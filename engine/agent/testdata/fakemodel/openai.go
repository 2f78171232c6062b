package fakemodel

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
)

// This file holds the two interfaces of OpenAI: chat completions, which most
// servers imitate, and responses.

type chatRequest struct {
	Model    string `json:"model"`
	Stream   bool   `json:"stream"`
	Messages []struct {
		Role    string  `json:"role"`
		Content content `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
	ResponseFormat struct {
		Schema json.RawMessage `json:"json_schema"`
	} `json:"response_format"`
}

func parseChat(_ *http.Request, body []byte) (Call, bool, error) {
	var r chatRequest
	if err := json.Unmarshal(body, &r); err != nil {
		return Call{}, false, err
	}
	c := Call{Model: r.Model, Schema: r.ResponseFormat.Schema}
	for _, m := range r.Messages {
		c.Turns = append(c.Turns, Turn{role(m.Role), m.Content.text()})
	}
	for _, t := range r.Tools {
		c.Tools = append(c.Tools, t.Function.Name)
	}
	return c, r.Stream, nil
}

var chatUsage = object{"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}

func writeChat(w io.Writer, c Call, m move, stream bool) error {
	message, reason := object{"role": "assistant", "content": m.text}, "stop"
	if m.tool != "" {
		reason = "tool_calls"
		message["content"] = nil
		message["tool_calls"] = []any{object{"index": 0, "id": "call_1", "type": "function",
			"function": object{"name": m.tool, "arguments": m.args}}}
	}
	if !stream {
		return json.NewEncoder(w).Encode(object{"id": "chat_1", "object": "chat.completion", "created": 1, "model": c.Model,
			"choices": []any{object{"index": 0, "message": message, "finish_reason": reason}}, "usage": chatUsage})
	}
	for _, choices := range [][]any{
		{object{"index": 0, "delta": message, "finish_reason": nil}},
		{object{"index": 0, "delta": object{}, "finish_reason": reason}},
	} {
		if err := event(w, "", object{"id": "chat_1", "object": "chat.completion.chunk", "created": 1, "model": c.Model,
			"choices": choices, "usage": chatUsage}); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "data: [DONE]\n\n")
	return err
}

type responsesRequest struct {
	Model        string `json:"model"`
	Stream       bool   `json:"stream"`
	Instructions string `json:"instructions"`
	Input        []struct {
		Type    string  `json:"type"`
		Role    string  `json:"role"`
		Content content `json:"content"`
		Output  content `json:"output"`
		Tools   []tools `json:"tools"` // codex hands its tools over as an item of the input
	} `json:"input"`
	Tools []tools `json:"tools"`
	Text  struct {
		Format struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"text"`
}

// tools are one tool, or a namespace of them.
type tools struct {
	Name  string  `json:"name"`
	Type  string  `json:"type"`
	Tools []tools `json:"tools"`
}

// names lists a tool, or the tools of a namespace. One of the provider's own, such
// as web_search, has a type alone.
func (t tools) names() []string {
	if t.Name == "" {
		return []string{t.Type}
	}
	if len(t.Tools) == 0 {
		return []string{t.Name}
	}
	var list []string
	for _, inner := range t.Tools {
		list = append(list, inner.names()...)
	}
	return list
}

func parseResponses(_ *http.Request, body []byte) (Call, bool, error) {
	var r responsesRequest
	if err := json.Unmarshal(body, &r); err != nil {
		return Call{}, false, err
	}
	c := Call{Model: r.Model, Schema: r.Text.Format.Schema, Turns: []Turn{{"system", r.Instructions}}}
	for _, item := range r.Input {
		r.Tools = append(r.Tools, item.Tools...)
		switch item.Type {
		case "message", "":
			c.Turns = append(c.Turns, Turn{role(item.Role), item.Content.text()})
		case "function_call_output", "custom_tool_call_output":
			c.Turns = append(c.Turns, Turn{"tool", item.Output.text()})
		}
	}
	for _, t := range r.Tools {
		c.Tools = append(c.Tools, t.names()...)
	}
	return c, r.Stream, nil
}

func writeResponses(w io.Writer, c Call, m move, stream bool) error {
	item := object{"type": "message", "id": "item_1", "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": m.text, "annotations": []any{}}}}
	if m.tool != "" {
		item = object{"type": "function_call", "id": "item_1", "call_id": "call_1", "name": m.tool, "arguments": m.args, "status": "completed"}
	}
	if strings.HasPrefix(m.tool, "mcp__") && slices.Contains(c.Tools, "exec") { // codex has its model write JavaScript
		item = object{"type": "custom_tool_call", "id": "item_1", "call_id": "call_1", "name": "exec", "status": "completed",
			"input": "const r = await tools." + m.tool + "(" + m.args + "); text(JSON.stringify(r));"}
	}
	whole := object{"id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": c.Model, "output": []any{item},
		"usage": object{"input_tokens": 11, "input_tokens_details": object{"cached_tokens": 0},
			"output_tokens": 7, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 18}}
	if !stream {
		return json.NewEncoder(w).Encode(whole)
	}
	for _, e := range []object{
		{"type": "response.created", "response": object{"id": "resp_1"}},
		{"type": "response.output_item.done", "output_index": 0, "item": item},
		{"type": "response.completed", "response": whole},
	} {
		if err := event(w, e["type"].(string), e); err != nil {
			return err
		}
	}
	return nil
}

func failOpenAI(status int, message string) any {
	kind := "invalid_request_error"
	if status == http.StatusTooManyRequests {
		kind = "rate_limit_exceeded"
	}
	return object{"error": object{"message": message, "type": kind, "code": kind}}
}
