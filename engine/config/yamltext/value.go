package yamltext

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// NewValue returns a node for a value as a person types it: a list in brackets, a mapping in
// braces, a text in quotes, and anything else letter by letter.
func NewValue(text string) (*yaml.Node, error) {
	if text == "" || !strings.ContainsRune("[{\"'", rune(text[0])) {
		return &yaml.Node{Kind: yaml.ScalarNode, Value: text}, nil
	}
	var doc yaml.Node
	err := yaml.Unmarshal([]byte(text), &doc)
	switch {
	case err == nil:
		return doc.Content[0], nil
	case strings.Contains(text, "*") || strings.Contains(text, "&"):
		return nil, errors.New(describeSyntax(err).Text + "; a text that begins with * or & needs quotes around it")
	}
	return nil, errors.New(describeSyntax(err).Text)
}

// Pairs is a mapping whose keys keep their order.
type Pairs []Pair

// Pair is one entry of a mapping.
type Pair struct {
	Key   string
	Value any
}

// ShowValue returns a value on one line, as [NewValue] reads it.
func ShowValue(value any) string {
	if text, ok := value.(string); ok {
		if n, err := NewValue(text); err == nil && n.Kind == yaml.ScalarNode && n.Value == text && (text == "" || !IsNull(n)) && text == strings.TrimSpace(text) && !strings.Contains(text, "\n") {
			return text
		}
	}
	text, err := Encode(nodeOf(value))
	if err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSuffix(string(text), "\n")
}

// nodeOf returns a node on one line: lists and mappings in the flow style.
func nodeOf(value any) *yaml.Node {
	n := new(yaml.Node)
	switch value := value.(type) {
	case string:
		if n = NewText(value); strings.ContainsAny(value, "*?:#,[]{}&!|>'\"%@`\n") || value != strings.TrimSpace(value) {
			n.Style = yaml.DoubleQuotedStyle // one sort of quotes, which a shell leaves alone inside the other
		}
	case time.Duration:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: encodeDuration(value)}
	case []string:
		n.Kind, n.Style = yaml.SequenceNode, yaml.FlowStyle
		for _, text := range value {
			n.Content = append(n.Content, nodeOf(text))
		}
	case []any:
		n.Kind, n.Style = yaml.SequenceNode, yaml.FlowStyle
		for _, item := range value {
			n.Content = append(n.Content, nodeOf(item))
		}
	case map[string]string:
		var pairs Pairs
		for _, key := range slices.Sorted(maps.Keys(value)) {
			pairs = append(pairs, Pair{key, value[key]})
		}
		return nodeOf(pairs)
	case Pairs:
		n.Kind, n.Style = yaml.MappingNode, yaml.FlowStyle
		for _, p := range value {
			n.Content = append(n.Content, NewText(p.Key), nodeOf(p.Value))
		}
	default:
		n.Kind, n.Value = yaml.ScalarNode, fmt.Sprint(value)
	}
	return n
}

// encodeDuration is the value that [decodeDuration] reads back as d, as a person would type it: 24h, not 24h0m0s. A sentence
// has the words of engine/wording/times instead.
func encodeDuration(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	return strings.Replace(strings.Replace(d.String(), "m0s", "m", 1), "h0m", "h", 1)
}
