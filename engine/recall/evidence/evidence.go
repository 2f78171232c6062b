// Package evidence tells the lines of a note that are a person's own words from those that ask an agent, or come from one.
//
//	hidden := evidence.Hidden(lines, questions)
//	if !hidden[i] { ... } // line i may be indexed and quoted
//
// # Promises
//
// An answer is no evidence, and neither is what it has replaced or will replace, nor the one line of a question that remains below it.
// The note alone does not say which line that is, so one that may be it counts as it. An example of an answer inside code is left out as well.
//
// The room is pure: no I/O, no clock.
package evidence

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Tag is the comment that opens or closes a response block.
var Tag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)<!--[ \t]*(/?)[ \t]*agent-response[ \t]*-->`) })

// Question is a question that has no answer yet: the indexes of its first line, of the last one that an answer replaces, and of the last one
// that is asked.
type Question struct{ First, Last, Asked int }

// Hidden reports of each line of a note whether it belongs to an answer or to a question. The first line of a
// question does not: it says itself what it is. An answer that is never closed reaches to the end, as it does in all other rooms.
func Hidden(lines []string, questions []Question) []bool {
	hidden := make([]bool, len(lines))
	for _, q := range questions {
		for i := q.First + 1; i <= min(q.Last, len(lines)-1); i++ {
			hidden[i] = true
		}
		if i := q.Last + 1; q.Asked > q.Last && i < len(lines) && isPlain(strings.TrimSpace(lines[i])) {
			hidden[i] = true
		}
	}
	inside, inCode := false, false
	for i, line := range lines {
		text := strings.TrimSpace(line)
		if !inside && (strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~")) {
			inCode = !inCode
		}
		hidden[i] = hidden[i] || inside
		for _, m := range Tag().FindAllStringSubmatchIndex(line, -1) {
			closing := m[2] < m[3]
			if closing || !strings.ContainsRune(line[:m[0]], '`') {
				inside, hidden[i] = !closing, true
			}
			if closing && !inCode && mayBeAsked(lines[i+1:]) {
				hidden[i+1] = true
			}
		}
	}
	return hidden
}

// mayBeAsked reports whether the first line right below an answer may be the last one of its question: an editor has wrapped it, and gave
// this line no quote mark, so that the answer did not replace it (engine/note). It is the middle or the end of a question, or ends no
// sentence though no other line follows.
func mayBeAsked(below []string) bool {
	if len(below) == 0 {
		return false
	}
	line := strings.TrimSpace(below[0])
	first, _ := utf8.DecodeRuneInString(line)
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, "*_)\"”»"))
	switch {
	case !isPlain(line):
		return false
	case unicode.IsLower(first), strings.ContainsRune("?？;", last):
		return true
	}
	isAlone := len(below) == 1 || strings.TrimSpace(below[1]) == ""
	return isAlone && !unicode.Is(unicode.Sentence_Terminal, last) && !strings.ContainsAny(line, ":：")
}

// isPlain reports whether a line begins with a word: with no mark of a quote, a list, a heading, a table, code or a property.
func isPlain(line string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	word, _, _ := strings.Cut(line, " ")
	isItem := len(word) > 1 && strings.Trim(word[:len(word)-1], "0123456789") == "" && strings.HasSuffix(word, ".")
	return unicode.IsLetter(first) && !strings.Contains(word, "::") || unicode.IsDigit(first) && !isItem
}
