package printed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A Path leads to a value in JSON: a string is the name of a field, an int the
// index of an element.
type Path []any

// ParsePath reads .result, .items[0].text, .["odd name"] and the lone dot, which
// is the whole value.
func ParsePath(text string) (Path, error) {
	malformed := fmt.Errorf("the answer %q is neither stdout nor a JSON path such as .result or .items[0].text", text)
	if text == "." {
		return Path{}, nil
	}
	var p Path
	for rest := text; rest != ""; {
		step, n, ok := parseStep(rest)
		if !ok {
			return nil, malformed
		}
		p, rest = append(p, step), rest[n:]
	}
	if len(p) == 0 || text[0] != '.' {
		return nil, malformed
	}
	return p, nil
}

// parseStep reads one step and returns how many bytes it took.
func parseStep(text string) (step any, n int, ok bool) {
	inner, bracket := strings.CutPrefix(strings.TrimPrefix(text, ".["), "[")
	if bracket || strings.HasPrefix(text, ".[") {
		return parseBracket(inner, len(text)-len(inner))
	}
	name, dotted := strings.CutPrefix(text, ".")
	if end := strings.IndexAny(name, ".["); end >= 0 {
		name = name[:end]
	}
	return name, 1 + len(name), dotted && name != "" && !strings.ContainsAny(name, "]\" \t\n")
}

// parseBracket reads an index or a quoted name and the closing bracket.
func parseBracket(inner string, taken int) (step any, n int, ok bool) {
	if strings.HasPrefix(inner, `"`) {
		quoted, err := strconv.QuotedPrefix(inner)
		if err != nil || !strings.HasPrefix(inner[len(quoted):], "]") {
			return nil, 0, false
		}
		name, err := strconv.Unquote(quoted)
		return name, taken + len(quoted) + 1, err == nil
	}
	digits, _, closed := strings.Cut(inner, "]")
	index, err := strconv.Atoi(digits)
	return index, taken + len(digits) + 1, closed && err == nil && index >= 0
}

func (p Path) String() string {
	if len(p) == 0 {
		return "."
	}
	var b strings.Builder
	for _, step := range p {
		switch step := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", step)
		case string:
			b.WriteString("." + step)
		}
	}
	return b.String()
}

// LastValue returns the value at the path of the last JSON value in out that has it; a path that begins with a name also leads
// into the elements of an array, as "claude --verbose" prints one of its events. The error completes the sentence "the output of X ...".
func (p Path) LastValue(out []byte) (string, error) {
	text, found := "", false
	look := func(value json.RawMessage) {
		if at, ok := p.walkValue(json.NewDecoder(bytes.NewReader(value)), 0); ok {
			text, found = at, true
		}
	}
	err := EachValue(out, func(value json.RawMessage) {
		if len(p) > 0 && value[0] == '[' {
			if _, byName := p[0].(string); byName {
				eachElement(value, look)
				return
			}
		}
		look(value)
	})
	switch {
	case err != nil && len(skipBlanks(out)) > 0:
		return "", fmt.Errorf("is not valid JSON: %w", err)
	case !found:
		return "", fmt.Errorf("has no %s", p)
	}
	return text, nil
}

// walkValue descends from step i on. It reads the value as a stream: the rest of the value may be megabytes.
func (p Path) walkValue(d *json.Decoder, i int) (string, bool) {
	if i == len(p) {
		return printValue(d)
	}
	open, err := d.Token()
	if err != nil {
		return "", false
	}
	name, byName := p[i].(string)
	if byName != (open == json.Delim('{')) || !byName && open != json.Delim('[') {
		return "", false
	}
	for n := 0; d.More(); n++ {
		here := n == p[i]
		if byName {
			key, err := d.Token()
			if err != nil {
				return "", false
			}
			here = key == name
		}
		if here {
			return p.walkValue(d, i+1)
		}
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return "", false
		}
	}
	return "", false
}

// printValue returns a string's text, any other value as JSON; null is no value.
func printValue(d *json.Decoder) (string, bool) {
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil || string(raw) == "null" {
		return "", false
	}
	if raw[0] != '"' {
		return string(raw), true
	}
	var text string
	err := json.Unmarshal(raw, &text)
	return text, err == nil
}
