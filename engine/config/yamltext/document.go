// Package yamltext works on the text of a YAML file. [Parse] returns it as nodes that know their
// lines, [Decode] reads a node into a field and names the expected form if it does not fit, [Put] and
// its neighbors change nodes and keep comments, order and spelling. [Quote] puts a value into a
// message. Keys are compared without regard to case; the package does not know their meaning.
package yamltext

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// SyntaxError is the reason why a text cannot be parsed.
type SyntaxError struct {
	Line int // 0 when unknown
	Text string
}

// Parse returns the top mapping of a file, nil when the file is empty. The mapping is
// well formed throughout: no alias contains itself, no mapping has a key twice, and
// every tag fits its value. expected describes the mapping, for the error.
func Parse(data []byte, expected string) (*yaml.Node, *SyntaxError) {
	in := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	if err := in.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, describeSyntax(err)
	}
	if err := in.Decode(&more); err == nil {
		return nil, &SyntaxError{Line: more.Line, Text: "a second document begins here; keep everything in one"}
	} else if !errors.Is(err, io.EOF) {
		return nil, describeSyntax(err)
	}
	var all any // the library checks a node in depth only when it decodes it
	if err := doc.Decode(&all); err != nil {
		return nil, describeSyntax(err)
	}
	root := Resolve(doc.Content[0])
	switch {
	case IsNull(root):
		return nil, nil
	case root.Kind != yaml.MappingNode:
		return nil, &SyntaxError{Line: root.Line, Text: "expected " + expected + ", found " + Describe(root)}
	}
	return root, nil
}

var yamlLine = regexp.MustCompile(`^line (\d+): `)

// describeSyntax turns an error of the YAML library into a problem with its line.
func describeSyntax(err error) *SyntaxError {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if several := (*yaml.TypeError)(nil); errors.As(err, &several) {
		text = several.Errors[0]
	}
	var p SyntaxError
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		p.Line, _ = strconv.Atoi(m[1]) // digits; one too long for an int is no line
		text = text[len(m[0]):]
	}
	p.Text = "not valid YAML: " + text
	return &p
}

// Entry is one key of a mapping and its value.
type Entry struct {
	Key   string
	Line  int
	Value *yaml.Node
}

// Entries returns the entries of a mapping in order, aliases resolved and merged
// mappings (`<<`) included. A key of the mapping's own hides a merged one.
func Entries(n *yaml.Node) []Entry {
	n = Resolve(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var own, merged []Entry
	seen := make(map[string]bool)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := Resolve(n.Content[i]), Resolve(n.Content[i+1])
		if key.ShortTag() != "!!merge" {
			own = append(own, Entry{key.Value, n.Content[i].Line, value})
			seen[key.Value] = true
			continue
		}
		sources := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode {
			sources = value.Content
		}
		for _, m := range sources {
			merged = append(merged, Entries(m)...)
		}
	}
	for _, e := range merged {
		if !seen[e.Key] {
			seen[e.Key] = true
			own = append(own, e)
		}
	}
	return own
}

// Resolve follows aliases.
func Resolve(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// IsNull reports whether a node is missing or null.
func IsNull(n *yaml.Node) bool {
	return n == nil || n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}
