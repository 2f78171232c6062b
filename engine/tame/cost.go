package tame

import "strings"

// The limits of a text that is made into a page. Texts of the Broadcaster are far below; another
// program with access to the folder of a vault could write a larger one.
const (
	mostCells = 200_000     // of tables, whose rows are padded to the width of their head
	mostHeads = 16 << 20    // bytes of heads, which each cell gets a copy of
	mostPairs = 100_000_000 // of marks in a paragraph: each looks for one before it
	mostDeep  = 100         // bytes of marks and space before the words of a line: nesting is recursion
)

// isTame reports whether a text is within the limits, so that rendering costs about as much as it is
// long.
func isTame(body string) bool {
	cells, heads, pairs := 0, 0, 0
	lines, columns, widest, marks := 0, 0, 0, 0 // of the paragraph or table
	for line := range strings.Lines(body + "\n\n") {
		words := strings.TrimLeft(line, " \t\r\n>-*+.)0123456789")
		if len(words) > 0 && len(line)-len(words) > mostDeep || len(words) == 0 && strings.Count(line, ">") > mostDeep {
			return false
		}
		if strings.TrimSpace(line) != "" {
			lines++
			columns, widest = max(columns, strings.Count(line, "|")+1), max(widest, len(line))
			marks += len(line) - len(strings.Map(dropMark, line))
			continue
		}
		if columns > 1 {
			cells, heads = cells+lines*columns, heads+lines*widest
		}
		pairs += marks * marks
		lines, columns, widest, marks = 0, 0, 0, 0
		if cells > mostCells || heads > mostHeads || pairs > mostPairs {
			return false
		}
	}
	return true
}

// dropMark leaves out what begins or ends something within a paragraph.
func dropMark(r rune) rune {
	if strings.ContainsRune("*_`[]<!", r) {
		return -1
	}
	return r
}
