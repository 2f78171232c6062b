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
	if meant := nearestKey(key, known); meant != "" {
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
	theirs := []string{"WIKI_ROLE", "WIKI_TASK_ID", "WIKI_AGENT", "WIKI_CONTEXT", "WIKI_NOTE", "WIKI_VAULT", "WIKI_DISPATCH"} // told to an agent, which may start us
	for _, s := range settings {
		names = append(names, s.variableName())
	}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "WIKI_") && !slices.Contains(names, name) && !slices.Contains(theirs, name) && nearestKey(name, names) != "" {
			l.warnUnknown(name, names)
		}
	}
}
