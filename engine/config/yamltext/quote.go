package yamltext

import (
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// Describe names a value for a message.
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

// Quote puts a value into a message: on one line, and cut to 80 characters. A path of
// Windows keeps its single backslashes.
func Quote(s string) string { return addQuotes(Shorten(s)) }

// QuotePath quotes a path. It cuts much later than Quote, so that paths that differ only
// at the end stay different.
func QuotePath(path string) string { return addQuotes(cutAt(1024, path)) }

func addQuotes(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) {
		return strconv.Quote(s)
	}
	return `"` + s + `"`
}

// Shorten cuts a text to 80 characters.
func Shorten(s string) string { return cutAt(80, s) }

func cutAt(most int, s string) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
