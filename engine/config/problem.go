package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"vaultdispatcher/engine/config/yamltext"
)

// Problem is one thing wrong with a configuration.
type Problem struct {
	File string // "" for a value of the environment or of a flag
	Line int    // 0 when unknown
	Key  string // such as "wiki.httpPort", or the variable; "" when the file is not YAML
	Text string // the fault, and its correction
	Path int    // which one [NewVaults] refuses, from 1 on; 0 = the problem is no path of its
}

// Error returns the problem on one line that begins with its place.
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

// oneLine joins a text of several lines: YAML allows names with line ends.
func oneLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s))
}

// Problems lists everything wrong with a configuration, the environment first and then
// in the order of the file. As an error it is never empty.
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

// Unusable says that the configuration cannot be used.
type Unusable struct{ Err error }

func (e *Unusable) Error() string { return e.Err.Error() }
func (e *Unusable) Unwrap() error { return e.Err }
