package page

import (
	"bytes"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// Lines are hidden one by one, and in doubt they are: an example of a response block
// inside code is left out as well.

// responseTag is the comment that opens or closes a response block.
var responseTag = lazyregexp.New(`(?i)<!--[ \t]*(/?)[ \t]*agent-response[ \t]*-->`)

// hiddenLines finds the response blocks of a note and returns a function that reports
// whether line i belongs to one. A block that is never closed reaches to the end, as
// it does in all other rooms.
func hiddenLines(src []byte, lines []note.Span) func(int) bool {
	if !responseTag().Match(src) {
		return func(int) bool { return false }
	}
	inside, hidden := false, make([]bool, len(lines))
	for i, l := range lines {
		line := src[l.Start:l.End]
		hidden[i] = inside
		for _, m := range responseTag().FindAllSubmatchIndex(line, -1) {
			if closing := m[2] < m[3]; closing || !bytes.ContainsRune(line[:m[0]], '`') {
				inside, hidden[i] = !closing, true
			}
		}
	}
	return func(i int) bool { return hidden[i] }
}

// isShown reports whether a line may be indexed and quoted: it asks no agent, it
// marks no response block and is no bookkeeping.
func isShown(line string) bool {
	body := bareLine(line)
	if len(body) >= 7 && strings.EqualFold(body[:7], "@agent-") {
		return false
	}
	return !strings.Contains(body, "<!--") || !responseTag().MatchString(body)
}

// bareLine strips what markdown may put before the text of a line: indentation,
// quote marks, list markers and task boxes.
func bareLine(line string) string {
	for {
		line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		switch {
		case line == "":
			return line
		case line[0] == '>':
			line = line[1:]
		case itemWidth(line) > 0:
			line = line[itemWidth(line):]
		case len(line) > 3 && line[0] == '[' && line[2] == ']' && line[3] == ' ':
			line = line[4:]
		default:
			return line
		}
	}
}
