// Package phrase makes parts of a page of the sentences in which the engine, its doctor and its log tell things.
//
//	for _, part := range phrase.Split(finding.Text) { ... part.Text, part.Kind }
package phrase

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/lazyregexp"
)

// Part is a part of a sentence.
type Part struct {
	Kind string // command, or name of a file; "" = words
	Text string
}

// Kinds of parts, each of which a page keeps on one line where it can.
const (
	Command = "command"
	Name    = "name"
)

// special is a command as a person types it, with its arguments; or a name that could be parted at a hyphen, with the sign
// behind it.
var special = lazyregexp.New(`\b(wiki (?:` +
	`(?:service|watcher|schedule|config|dispatches|server|hub|worker|workers|mcp|agents|index|completion) (?:bash|fish|powershell|zsh|install|uninstall|start|stop|restart|status|logs|list|pause|resume|run|get|set|edit|path|show|token|join|drain|revoke|test|add|eval)|` +
	`accept|agents|answers|ask|cancel|completion|config|demo|dispatches|docs|doctor|held|hub|logs|mcp|notify|open|proposed|reject|release|retry|run|scan|schedule|search|server|service|setup|status|token|undo|update|version|watcher|why|worker|workers)\b` +
	`(?: (?:--?[a-z][a-z-]*(?:=[^\s,;]+)?|[A-Z]{2,}\b|[\pL*-]+=[\pL*-]+|wiki\.[\pL.*]+|[0-9][0-9a-z]{12}\b))*)` +
	`|([^\s,;:()]*\w-\w[^\s,;:()]*\.[A-Za-z][A-Za-z0-9]{1,5}\b[.,;:)]*)`)

// Split parts a sentence into words, commands and names.
func Split(text string) (parts []Part) {
	end := 0
	add := func(kind string, from, to int) {
		if from < to {
			parts = append(parts, Part{kind, text[from:to]})
		}
	}
	for _, at := range special().FindAllStringSubmatchIndex(text, -1) {
		add("", end, at[0])
		if end = at[1]; at[2] >= 0 {
			add(Command, at[0], at[1])
		} else {
			add(Name, at[0], at[1])
		}
	}
	add("", end, len(text))
	return parts
}

// pageOf are the pages that show what a command shows.
var pageOf = []struct{ command, path string }{{"wiki held", "/held"}, {"wiki proposals", "/proposed"}, {"wiki answers", "/answers"}, {"wiki setup", "/setup"}, {"wiki logs", "/log"}}

// ListPages returns the pages that do what the commands of a text do.
func ListPages(text string) (paths []string) {
	for _, p := range pageOf {
		if strings.Contains(text, p.command) {
			paths = append(paths, p.path)
		}
	}
	return paths
}

// LogRow is a line of the log as a person reads it: what happened and why, and the facts that no link tells.
type LogRow struct {
	api.LogLine
	What, Rest string
	Asked      string // the question that it is about; "" = none that is known
}

// linked are the facts that the page words and links itself.
var linked = []string{"dispatch", "line", "note", "reason", "role", "vault"}

// NewLogRow makes a row of a line of the log.
func NewLogRow(line api.LogLine) LogRow {
	row := LogRow{LogLine: line, What: cmp.Or(line.Said, line.Text)}
	if why := line.Facts["reason"]; why != "" {
		row.What += ": " + why
	}
	for _, key := range slices.Sorted(maps.Keys(line.Facts)) {
		if !slices.Contains(linked, key) {
			row.Rest = strings.TrimPrefix(row.Rest+", "+key+" "+line.Facts[key], ", ")
		}
	}
	return row
}
