package fakemodel

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

type generatePart struct {
	Text     string `json:"text"`
	Response *struct {
		Response json.RawMessage `json:"response"`
	} `json:"functionResponse"`
}

type generateContent struct {
	Role  string         `json:"role"`
	Parts []generatePart `json:"parts"`
}

type generateRequest struct {
	Contents []generateContent `json:"contents"`
	System   generateContent   `json:"systemInstruction"`
	Tools    []struct {
		Functions []struct {
			Name string `json:"name"`
		} `json:"functionDeclarations"`
	} `json:"tools"`
	Config struct {
		Schema json.RawMessage `json:"responseJsonSchema"`
	} `json:"generationConfig"`
}

func parseGenerate(r *http.Request, body []byte) (Call, bool, error) {
	var req generateRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return Call{}, false, err
	}
	model, verb, _ := strings.Cut(r.PathValue("model"), ":")
	c := Call{Model: model, Schema: req.Config.Schema, Turns: []Turn{{"system", req.System.turn().Text}}}
	for _, content := range req.Contents {
		c.Turns = append(c.Turns, content.turn())
	}
	for _, t := range req.Tools {
		for _, f := range t.Functions {
			c.Tools = append(c.Tools, f.Name)
		}
	}
	return c, verb == "streamGenerateContent", nil
}

func (c generateContent) turn() Turn {
	t := Turn{Role: role(c.Role)}
	var list []string
	for _, p := range c.Parts {
		if p.Response != nil {
			t.Role = "tool"
			list = append(list, string(p.Response.Response))
		}
		if p.Text != "" {
			list = append(list, p.Text)
		}
	}
	t.Text = strings.Join(list, "\n")
	return t
}

func writeGenerate(w io.Writer, c Call, m move, stream bool) error {
	part := object{"text": m.text}
	if m.tool != "" {
		part = object{"functionCall": object{"name": m.tool, "args": json.RawMessage(m.args)}}
	}
	whole := object{
		"candidates":    []any{object{"index": 0, "content": object{"role": "model", "parts": []any{part}}, "finishReason": "STOP"}},
		"usageMetadata": object{"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18},
		"modelVersion":  c.Model,
	}
	if !stream {
		return json.NewEncoder(w).Encode(whole)
	}
	return event(w, "", whole)
}

func failGenerate(status int, message string) any {
	name := map[int]string{400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 429: "RESOURCE_EXHAUSTED"}[status]
	return object{"error": object{"code": status, "message": message, "status": name}}
}
