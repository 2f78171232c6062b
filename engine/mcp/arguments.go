package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Clients send the output of their models: a number as a text, an argument that no tool has, null for a missing one.
// The table of tools accepts an argument with a clear meaning; for an unclear one, the refusal names the argument.

// ReadArguments brings what a client has sent for a tool that reads into the form that [Library] takes, or returns a
// [Refusal].
func ReadArguments(name string, raw json.RawMessage) (json.RawMessage, error) {
	at := slices.IndexFunc(tools, func(t tool) bool { return t.name == name })
	if at < 0 {
		return nil, Refusal("There is no such tool.")
	}
	return tools[at].readArguments(raw)
}

// readArguments brings the arguments of a call into the form that the tool has. What it has not is left out.
func (t tool) readArguments(raw json.RawMessage) (json.RawMessage, error) {
	given := make(map[string]json.RawMessage)
	if len(bytes.TrimSpace(raw)) > 0 && json.Unmarshal(raw, &given) != nil {
		return nil, Refusal(`The arguments are to be an object, such as {"note": "Backups"}.`)
	}
	read := make(map[string]any)
	for name, value := range given {
		at := slices.IndexFunc(t.arguments, func(a argument) bool { return strings.EqualFold(a.name, name) })
		if at < 0 || string(value) == "null" {
			continue
		}
		a := t.arguments[at]
		found, err := a.readValue(value)
		if err != nil {
			return nil, err
		}
		read[a.name] = found
	}
	return json.Marshal(read)
}

func (a argument) readValue(value json.RawMessage) (any, error) {
	text := string(value)
	isText := json.Unmarshal(value, &text) == nil
	number, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case a.kind == "integer" && isText && strings.TrimSpace(text) == "":
		return 0, nil // nothing is said
	case a.kind == "integer":
		whole := int(number)
		if err != nil || float64(whole) != number || whole != 0 && whole < a.min || a.max > 0 && whole > a.max {
			return nil, a.refuse("a whole number" + a.bounds())
		}
		return whole, nil
	case !isText && err != nil:
		return nil, a.refuse("a text")
	case a.max > 0 && utf8.RuneCountInString(text) > a.max:
		return nil, a.refuse(fmt.Sprintf("a text of %d letters at most", a.max))
	}
	return text, nil
}

func (a argument) bounds() string {
	if a.max > 0 {
		return fmt.Sprintf(" from %d to %d", a.min, a.max)
	}
	return fmt.Sprintf(", %d or more", a.min)
}

func (a argument) refuse(form string) Refusal {
	return Refusal("The argument " + a.name + " is to be " + form + ".")
}
