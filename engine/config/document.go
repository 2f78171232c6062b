package config

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// Parse returns the top mapping of the file, nil when it says nothing. What
// it returns is well formed throughout: no alias holds itself, no key stands
// twice in a mapping, every tag fits its value. What was expected is told where
// something else stands.
func Parse(data []byte, expected string) (*yaml.Node, *Problem) {
	in := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	if err := in.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, describeSyntax(err)
	}
	if err := in.Decode(&more); err == nil {
		return nil, &Problem{Line: more.Line, Text: "a second document begins here; keep everything in one"}
	} else if !errors.Is(err, io.EOF) {
		return nil, describeSyntax(err)
	}
	var all any // a node is only checked in depth when it is decoded
	if err := doc.Decode(&all); err != nil {
		return nil, describeSyntax(err)
	}
	root := Resolve(doc.Content[0])
	switch {
	case IsNull(root):
		return nil, nil
	case root.Kind != yaml.MappingNode:
		return nil, &Problem{Line: root.Line, Text: "expected " + expected + ", found " + Describe(root)}
	}
	return root, nil
}

var yamlLine = regexp.MustCompile(`^line (\d+): `)

// describeSyntax turns an error of the YAML library into a problem with its line.
func describeSyntax(err error) *Problem {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if several := (*yaml.TypeError)(nil); errors.As(err, &several) {
		text = several.Errors[0]
	}
	var p Problem
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		p.Line, _ = strconv.Atoi(m[1]) // digits; one too long for an int is no line
		text = text[len(m[0]):]
	}
	p.Text = "not valid YAML: " + text
	return &p
}

// isOld reports whether the file is from before the rename.
func isOld(root *yaml.Node) bool {
	old := false
	for _, e := range Entries(root) {
		switch strings.ToLower(e.Key) {
		case "wiki":
			return false
		case "vaultmind", "qmd":
			old = true
		}
	}
	return old
}

// Entry is one key of a mapping and its value.
type Entry struct {
	Key   string
	Line  int
	Value *yaml.Node
}

// Entries returns what a mapping holds, in order, aliases resolved and merged
// mappings (`<<`) included. A key of the mapping's own hides a merged one.
func Entries(n *yaml.Node) []Entry {
	n = Resolve(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var own, merged []Entry
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := Resolve(n.Content[i]), Resolve(n.Content[i+1])
		switch {
		case key.ShortTag() == "!!merge" && value.Kind == yaml.SequenceNode:
			for _, m := range value.Content {
				merged = append(merged, Entries(m)...)
			}
		case key.ShortTag() == "!!merge":
			merged = append(merged, Entries(value)...)
		default:
			own = append(own, Entry{key.Value, n.Content[i].Line, value})
		}
	}
	return addMerged(own, merged)
}

// addMerged adds to own the merged entries whose key is not there already.
func addMerged(own, merged []Entry) []Entry {
	if len(merged) == 0 {
		return own
	}
	seen := make(map[string]bool)
	for _, e := range own {
		seen[e.Key] = true
	}
	for _, e := range merged {
		if !seen[e.Key] {
			seen[e.Key] = true
			own = append(own, e)
		}
	}
	return own
}

func Resolve(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

func IsNull(n *yaml.Node) bool {
	return n == nil || n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

// Describe names what stands at a place of the file, for a sentence.
func Describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "a mapping"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!int", "!!float":
		return "the number " + Shorten(n.Value)
	case "!!bool":
		return Shorten(n.Value)
	case "!!binary":
		return "binary data"
	}
	return "the text " + Quote(n.Value)
}

// Quote puts a value into a message: on one line, and not too long. A path of
// Windows keeps its single backslashes.
func Quote(s string) string { return addQuotes(Shorten(s)) }

// QuotePath is quote for a folder: two that differ at their ends stay two.
func QuotePath(path string) string { return addQuotes(cutAt(1024, path)) }

func addQuotes(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) {
		return strconv.Quote(s)
	}
	return `"` + s + `"`
}

func Shorten(s string) string { return cutAt(80, s) }

func cutAt(most int, s string) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
