package config

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"vaultdispatcher/engine/config/yamltext"
)

// Problem is one thing wrong with a configuration.
type Problem struct {
	File string // "" when the value came from the environment or a flag
	Line int    // 0 when unknown
	Key  string // "wiki.httpPort", or the variable; "" when the file is not YAML
	Text string // what is wrong and what to write instead
}

// Error returns the problem on one line, beginning with its place.
func (p Problem) Error() string {
	var b strings.Builder
	if p.File != "" {
		b.WriteString(p.File)
		if p.Line > 0 {
			fmt.Fprintf(&b, ":%d", p.Line)
		}
		b.WriteString(": ")
	}
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	b.WriteString(p.Text)
	return oneLine(b.String())
}

// oneLine shows a name over several lines, which YAML allows, as one.
func oneLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s))
}

// Problems is everything wrong with a configuration, the environment first and
// then in the order of the file. It is never empty as an error.
type Problems []Problem

// refuseSyntax returns the one problem of a file that cannot be parsed.
func refuseSyntax(file string, err *yamltext.SyntaxError) Problems {
	return Problems{{File: file, Line: err.Line, Text: err.Text}}
}

// Error returns one line per problem.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

func (ps Problems) sortByPlace() Problems {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return ps
}

// collectValues takes the mapping at prefix apart: values go to l.values, blocks are
// entered, and what nobody knows is warned about.
func (l *loader) collectValues(prefix string, n *yaml.Node) {
	for _, e := range yamltext.Entries(n) {
		key, ok := known[strings.ToLower(prefix+e.Key)]
		_, twice := l.origins[key]
		switch {
		case !ok:
			l.warnUnknown(prefix+e.Key, knownKeys)
			continue
		case twice:
			l.refuse(key, fmt.Errorf("is there twice, again on line %d; keep one", e.Line))
			continue
		}
		l.origins[key] = origin{line: e.Line}
		switch {
		case yamltext.IsNull(e.Value):
		case !blocks[key]:
			l.values[key] = e.Value
		case e.Value.Kind != yaml.MappingNode:
			l.refuse(key, fmt.Errorf("expected a block of keys, found %s", yamltext.Describe(e.Value)))
		default:
			l.collectValues(key+".", e.Value)
		}
	}
}

// maxWarnings is where a file has plainly not been written for us, and a list
// of its keys helps nobody.
const maxWarnings = 50

// warnUnknown warns about a key that means nothing, and names the one of the
// known keys that was probably meant.
func (l *loader) warnUnknown(key string, known []string) {
	l.unknown++
	if l.unknown > maxWarnings {
		return
	}
	text := yamltext.Shorten(key) + ": unknown, it changes nothing"
	if meant := findNearest(key, known); meant != "" {
		text = yamltext.Shorten(key) + ": unknown; did you mean " + meant
	}
	l.config.Warnings = append(l.config.Warnings, text)
}

// countWarnings says how many warnings were left out.
func (l *loader) countWarnings() {
	if more := l.unknown - maxWarnings; more > 0 {
		l.config.Warnings = append(l.config.Warnings, fmt.Sprintf("%d more unknown keys", more))
	}
}

// warnVariables warns about variables that are almost ours. Others that begin
// with WIKI_ may belong to another program.
func (l *loader) warnVariables() {
	names := []string{vaultsVariable}
	for _, s := range settings {
		names = append(names, s.variableName())
	}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(name, "WIKI_") || slices.Contains(names, name) {
			continue
		}
		if findNearest(name, names) != "" {
			l.warnUnknown(name, names)
		}
	}
}

// findNearest returns the known name a word was probably meant to be: one that
// differs in two letters at most and not in most of them, or one whose last
// part is the same. "" when there is none.
func findNearest(word string, names []string) string {
	best, meant, least := 3, "", strings.ToLower(word)
	if len(least) > 100 {
		return ""
	}
	for _, name := range names {
		d := editDistance(least, strings.ToLower(name))
		if lastPart(least) == lastPart(strings.ToLower(name)) {
			d = min(d, 2)
		} else if 2*d >= len(lastPart(least)) {
			continue
		}
		if d < best {
			best, meant = d, name
		}
	}
	return meant
}

func lastPart(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// editDistance counts the letters to insert, drop or change between two words.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
