package command

import (
	"strings"

	"charm.land/lipgloss/v2"

	"vaultdispatcher/engine/lazyregexp"
)

// lines breaks the lines that are written to a terminal between words. Further lines begin below the last column of a row,
// or as far right as their line. Tables and code of markdown keep their lines.
type lines struct {
	column, hang int
	blank        bool // what was written last is a space
	whole        bool // this line is not broken
	code         bool // the line is within a block of code
}

// colour is what colours a part of a line.
var colour = lazyregexp.New(`\x1b\[[0-9;]*m`)

// leastColumns is the least room that lines are broken for.
const leastColumns = 20

// breakText breaks the lines of a text, which may begin and end within a line.
func (l *lines) breakText(text string, columns int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		words, isEnd := strings.CutSuffix(line, "\n")
		if l.column == 0 {
			l.begin(words, columns)
		}
		if l.whole || strings.Contains(words, "\r") || l.column+lipgloss.Width(words) <= columns {
			b.WriteString(words)
			l.column += lipgloss.Width(words)
			l.blank = strings.HasSuffix(words, " ")
		} else {
			l.breakWords(&b, words, columns)
		}
		if isEnd {
			b.WriteString("\n")
			l.column, l.blank = 0, false
		}
	}
	return b.String()
}

// begin looks at what a line begins with.
func (l *lines) begin(line string, columns int) {
	text := strings.TrimLeft(line, " >")
	isFence := strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~")
	l.code = l.code != isFence
	indent := len(line) - len(strings.TrimLeft(line, " "))
	l.whole = l.code || isFence || strings.HasPrefix(text, "|")
	l.hang = min(indent, columns/2)
	line = colour().ReplaceAllString(line, "")
	if gap := strings.LastIndex(line, "  ") + 2; gap > indent+2 && lipgloss.Width(line[:gap]) <= columns/2 {
		l.hang = lipgloss.Width(line[:gap])
	}
}

// breakWords writes the words of a line, each where it has room.
func (l *lines) breakWords(b *strings.Builder, words string, columns int) {
	for words != "" {
		word := strings.TrimLeft(words, " ")
		gap := words[:len(words)-len(word)]
		word, _, _ = strings.Cut(word, " ")
		words = words[len(gap)+len(word):]
		width := lipgloss.Width(word)
		if (gap != "" || l.blank) && l.column > l.hang && l.column+len(gap)+width > columns {
			b.WriteString("\n" + strings.Repeat(" ", l.hang))
			l.column, gap = l.hang, ""
		}
		b.WriteString(gap + word)
		l.column += len(gap) + width
		l.blank = word == ""
	}
}

// BreakProse joins the lines of each paragraph of a text and breaks them again for so many cells. An indented line, an item
// and a row of a table keep their lines.
func BreakProse(text string, columns int) string {
	var joined []string
	isProse := false
	for line := range strings.SplitSeq(text, "\n") {
		was := isProse
		if isProse = line != "" && !strings.ContainsAny(line[:1], " \t|") && !strings.HasPrefix(line, "- "); isProse && was {
			joined[len(joined)-1] += " " + line
			continue
		}
		joined = append(joined, line)
	}
	var l lines
	return l.breakText(strings.Join(joined, "\n"), columns)
}
