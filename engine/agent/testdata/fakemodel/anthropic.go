package fakemodel

import (
	"encoding/json"
	"io"
	"net/http"
)

type messagesRequest struct {
	Model    string  `json:"model"`
	Stream   bool    `json:"stream"`
	System   content `json:"system"`
	Messages []struct {
		Role    string  `json:"role"`
		Content content `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name string `json:"name"`
	} `json:"tools"`
}

func parseMessages(_ *http.Request, body []byte) (Call, bool, error) {
	var r messagesRequest
	if err := json.Unmarshal(body, &r); err != nil {
		return Call{}, false, err
	}
	c := Call{Model: r.Model, Turns: []Turn{{"system", r.System.text()}}}
	for _, m := range r.Messages {
		turn := Turn{role(m.Role), m.Content.text()}
		for _, p := range m.Content {
			if p.Type == "tool_result" {
				turn = Turn{"tool", p.Content.text()}
			}
		}
		c.Turns = append(c.Turns, turn)
	}
	for _, t := range r.Tools {
		c.Tools = append(c.Tools, t.Name)
	}
	return c, r.Stream, nil
}

func writeMessages(w io.Writer, c Call, m move, stream bool) error {
	block, delta, reason := object{"type": "text", "text": m.text}, object{"type": "text_delta", "text": m.text}, "end_turn"
	if m.tool != "" {
		block = object{"type": "tool_use", "id": "toolu_1", "name": m.tool, "input": json.RawMessage(m.args)}
		delta, reason = object{"type": "input_json_delta", "partial_json": m.args}, "tool_use"
	}
	usage := object{"input_tokens": 11, "output_tokens": 7}
	message := object{"id": "msg_1", "type": "message", "role": "assistant", "model": c.Model, "stop_sequence": nil, "usage": usage}
	if !stream {
		message["content"], message["stop_reason"] = []any{block}, reason
		return json.NewEncoder(w).Encode(message)
	}
	message["content"], message["stop_reason"] = []any{}, nil
	if m.tool != "" {
		block["input"] = object{}
	} else {
		block["text"] = ""
	}
	for _, e := range []object{
		{"type": "message_start", "message": message},
		{"type": "content_block_start", "index": 0, "content_block": block},
		{"type": "content_block_delta", "index": 0, "delta": delta},
		{"type": "content_block_stop", "index": 0},
		{"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil}, "usage": usage},
		{"type": "message_stop"},
	} {
		if err := event(w, e["type"].(string), e); err != nil {
			return err
		}
	}
	return nil
}

func failMessages(status int, message string) any {
	kind := "invalid_request_error"
	switch status {
	case http.StatusUnauthorized:
		kind = "authentication_error"
	case http.StatusTooManyRequests:
		kind = "rate_limit_error"
	}
	return object{"type": "error", "error": object{"type": kind, "message": message}}
}
