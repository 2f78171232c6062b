package sanitize

import (
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/fields"
	"vaultdispatcher/engine/note/unseen"
)

// cleanText makes valid UTF-8 with LF line ends and without hidden characters.
func cleanText(s string) string {
	s = note.UnifyLineEnds(strings.ToValidUTF8(s, "\uFFFD"))
	return unseen.Drop(strings.Map(func(r rune) rune {
		switch {
		case r == '\u0085' || r == '\u2028' || r == '\u2029':
			return '\n' // some editors break the line there
		case r < ' ' && r != '\t' && r != '\n' || r >= 0x7F && r < 0xA0:
			return -1
		}
		return r
	}, s))
}

// trimBlankLines cuts off blank lines at both ends.
func trimBlankLines(s string) string {
	begin := len(s) - len(strings.TrimLeft(s, " \t\n"))
	if begin == len(s) {
		return ""
	}
	end := len(strings.TrimRight(s, " \t\n"))
	blanks, _, _ := strings.Cut(s[end:], "\n")
	return s[strings.LastIndexByte(s[:begin], '\n')+1 : end+len(blanks)]
}

var responseTag = lazyregexp.New(`(?i)(<!--\s*/?\s*agent)-(response|progress)`)

// closingTab is a tab behind a fence, which ends no block to marked: https://github.com/markedjs/marked/blob/master/src/rules.ts
var closingTab = lazyregexp.New("(?m)(`{3}|~{3}) *\t[ \t]*$")

// disarmLines takes the meaning from lines that would be markers, from the comments of
// response blocks, from fields that come to life, and from containers nested deeper than
// marks, in code and outside.
func disarmLines(s string, marks int) string {
	s = responseTag().ReplaceAllString(s, "${1}&#45;${2}")
	if strings.Contains(s, "\t") {
		s = closingTab().ReplaceAllString(s, "${1}")
	}
	s = fields.Break(s)
	if !strings.Contains(s, note.MarkerStart) && !strings.ContainsAny(s, ">-+*.)") {
		return s
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		lead := note.LooseMarks([]byte(line))
		if at := note.FirstMarkBeyond([]byte(line), marks, maxColumn); at >= 0 {
			lead = at
		} else if !strings.HasPrefix(line[lead:], note.MarkerStart) {
			b.WriteString(line)
			continue
		}
		b.WriteString(line[:lead] + `\` + line[lead:])
	}
	return b.String()
}

// expandTabs replaces the tabs at the beginning of a line by spaces. The width of a tab depends on the prefix, and so
// would the extent of indented code. The text of lines of code keeps its tabs unless they could end the block.
func expandTabs(s string, c code) string {
	var b strings.Builder
	at := 0
	for line := range strings.Lines(s) {
		lead, column := note.LooseMarks([]byte(line)), 0
		if own, isOwn := c.own[at]; isOwn && !strings.HasPrefix(line[lead:], "`") && !strings.HasPrefix(line[lead:], "~") {
			lead = min(lead, own-at)
		}
		for _, r := range line[:lead] {
			n := 1
			if r == '\t' {
				n = 4 - column%4
				b.WriteString("   "[:n-1])
				r = ' '
			}
			b.WriteRune(r)
			column += n
		}
		b.WriteString(line[lead:])
		at += len(line)
	}
	return b.String()
}

func isBlankToLineEnd(s string) bool {
	s = strings.TrimLeft(s, " \t")
	return s == "" || s[0] == '\n'
}
