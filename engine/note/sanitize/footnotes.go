package sanitize

import (
	"bytes"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note/fenced"
)

// furtherBlock begins the second block of a footnote.
var furtherBlock = lazyregexp.New(`(?m)^\[\^` + footnoteSigns + `\]:[ \t][^\n]*\n(?:[ \t]*\n)+( ) {3}\S`)

// footnotesAsItems is an answer whose further blocks of footnotes are those of items, at the same offsets. Such blocks are
// code to who knows no footnotes, so all of their lines must be indented.
func footnotesAsItems(s string) []byte {
	src := []byte(s)
	if !strings.Contains(s, "[^") {
		return src
	}
	for _, at := range furtherBlock().FindAllStringSubmatchIndex(s, -1) {
		wasBlank := false
		for line := range strings.Lines(s[at[2]:]) {
			isBlank := strings.TrimSpace(line) == ""
			if isBlank || strings.HasPrefix(line, "    ") {
				wasBlank = isBlank
				continue
			}
			if !wasBlank {
				return []byte(s)
			}
			break
		}
		src[at[2]] = '-'
	}
	return src
}

// definesFootnotes reports whether each line of a paragraph is one of a footnote, with all of its code: a footnote holds
// blocks, and so code may end with a line of it.
func definesFootnotes(b []byte) bool {
	for line := range bytes.Lines(b) {
		label := footnoteLabel().Find(line)
		if label == nil && bytes.Contains(line, []byte("]:")) || fenced.HasUnsureTicks(append([]byte("["), line[len(label):]...)) {
			return false
		}
	}
	return footnoteLabel().Match(b)
}

// footnoteLabel begins the definition of a footnote, with a name that every app reads alike.
var footnoteLabel = lazyregexp.New(`^\[\^` + footnoteSigns + `\]:[ \t]`)

// footnoteText is what belongs to a footnote: lines up to a blank one, and indented ones below.
var footnoteText = lazyregexp.New(`^(?:[^\n]*\S[^\n]*(?:\n|$)|(?:[ \t]*\n)+(?: {4}|\t)[^\n]*(?:\n|$))*`)

// footnoteName is a name that every app reads alike.
var footnoteName = lazyregexp.New(`^` + footnoteSigns + `$`)

const footnoteSigns = `(?:[A-Za-z0-9_.-]|[^\x00-\x7f\s]){1,60}`
