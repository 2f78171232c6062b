package yamltext

import (
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

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
