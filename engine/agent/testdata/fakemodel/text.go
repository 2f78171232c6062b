package fakemodel

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// content is the text of a message, which is a string or a list of parts.
type content []part

type part struct {
	Type      string  `json:"type"`
	Text      string  `json:"text"`
	Content   content `json:"content"` // of a tool's result
	Name      string  `json:"name"`
	ToolUseID string  `json:"tool_use_id"`
}

// UnmarshalJSON takes a string for one part.
func (c *content) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	var text string
	if json.Unmarshal(data, &text) == nil {
		*c = content{{Type: "text", Text: text}}
		return nil
	}
	return json.Unmarshal(data, (*[]part)(c))
}

func (c content) text() string {
	var list []string
	for _, p := range c {
		if p.Text != "" {
			list = append(list, p.Text)
		}
		if inner := p.Content.text(); inner != "" {
			list = append(list, inner)
		}
	}
	return strings.Join(list, "\n")
}

// role maps the names of the interfaces to ours.
func role(name string) string {
	switch name {
	case "developer", "system":
		return "system"
	case "assistant", "model":
		return "assistant"
	case "tool", "function":
		return "tool"
	}
	return "user"
}

// event writes one server-sent event and sends it off.
func event(w io.Writer, name string, data any) error {
	if name != "" {
		if _, err := fmt.Fprintf(w, "event: %s\n", name); err != nil {
			return err
		}
	}
	out, err := json.Marshal(data)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "data: %s\n\n", out); err != nil {
		return err
	}
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
	return nil
}

// object is a JSON object that is written once.
type object = map[string]any
