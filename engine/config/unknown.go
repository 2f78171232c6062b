package config

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"vaultdispatcher/engine/config/yamltext"
)

// maxWarnings limits the warnings: a file with more unknown keys was not written for
// us, and a list of them does not help.
const maxWarnings = 50

// warnUnknown warns about an unknown key and names the known one that was probably
// meant.
func (l *loader) warnUnknown(key string, known []string) {
	l.unknown++
	if l.unknown > maxWarnings {
		return
	}
	text := yamltext.Shorten(key) + ": unknown and ignored"
	if meant := findNearest(key, known); meant != "" {
		text = yamltext.Shorten(key) + ": unknown; did you mean " + meant
	}
	l.config.Warnings = append(l.config.Warnings, text)
}

// countWarnings adds the number of warnings that were left out.
func (l *loader) countWarnings() {
	if more := l.unknown - maxWarnings; more > 0 {
		l.config.Warnings = append(l.config.Warnings, fmt.Sprintf("%d more unknown keys", more))
	}
}

// warnVariables warns about variables that are almost spelled like ours. Others that
// begin with WIKI_ may belong to another program.
func (l *loader) warnVariables() {
	names := []string{vaultsVariable}
	for _, s := range settings {
		names = append(names, s.variableName())
	}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "WIKI_") && !slices.Contains(names, name) && findNearest(name, names) != "" {
			l.warnUnknown(name, names)
		}
	}
}

// findNearest returns the known name that a word was probably meant to be: one that
// differs in at most two letters and in less than half of them, or one whose last part
// is the same. "" when there is none.
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

// editDistance counts the letters to insert, delete or replace between two words.
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
