package note

import "bytes"

// The depth up to which a note is read. For each line the Markdown parser visits
// and remembers every container that is open, and measures all the space to its
// left, so a few kilobytes of nested lists can ask for gigabytes. Notes written
// by hand stay far below these bounds.
//
// A marker gets less than a note, and an answer (engine/note/sanitize) still
// less, so that an answer does not make its note unreadable.
const (
	maxMarks, maxColumn = 100, 400 // of a note: quote and list markers before a line, and the column of the last one
	askMarks, askColumn = 60, 150  // of a line that asks

	maxOpen  = 2e6 // containers open, over all lines
	maxSpace = 1e8 // the same, times the space to the left of each line
)

// IsTooDeep reports whether a text is nested deeper than [Parse] reads.
func IsTooDeep(src []byte) bool { return tooDeep(newText(src), 0) }

// tooDeep reports whether reading the lines of t from line from on would cost more
// than it may. It takes each container that may still be open for open: a line
// can only close some below a blank line.
func tooDeep(t text, from int) bool {
	open, space, depth, above := 0, 0, 0, true
	for i := from; i < t.count(); i++ {
		line := t.line(i)
		n := LooseMarks(line)
		if n == len(line) && isBlank(line) {
			open, above = open+depth, true
			continue
		}
		own := 0
		if n > 0 {
			own = countContainers(line[:n])
			if n > maxMarks && FirstMarkBeyond(line, maxMarks, maxColumn) >= 0 {
				return true
			}
		}
		if above {
			depth = 0
		}
		depth, above = max(depth, own), false
		open, space = open+depth, space+depth*n
		if open > maxOpen || space > maxSpace {
			return true
		}
	}
	return open > maxOpen
}

// countContainers is how many containers may be open on a line that begins with head: its
// markers and, as a list item takes two columns at least, half the space.
func countContainers(head []byte) int {
	marks := 0
	_, column := eachMark(head, func(int, int) bool { marks++; return true })
	return marks + column/2
}

// FirstMarkBeyond is the offset of the first quote or list marker of a line that is more
// than marks deep or begins after column, or -1.
func FirstMarkBeyond(line []byte, marks, column int) (beyond int) {
	beyond = -1
	eachMark(line, func(i, at int) bool {
		if marks--; marks < 0 || at > column {
			beyond = i
		}
		return beyond < 0
	})
	return beyond
}

// LeadingMarks is the length of the quote and list markers, and the space around them,
// that a line begins with.
func LeadingMarks(line []byte) int {
	length, _ := eachMark(line, func(int, int) bool { return true })
	return length
}

// eachMark visits the offset and the column of each quote and list marker that a line begins with, as long as visit
// returns true, and returns where they and the space around them end.
func eachMark(line []byte, visit func(i, column int) bool) (i, column int) {
	for i < len(line) {
		n, width := MeasureContainer(line[i:], column)
		if n == 0 || line[i] != ' ' && line[i] != '\t' && !visit(i, column) {
			break
		}
		i, column = i+n, column+width
	}
	return i, column
}

// MeasureContainer is the length and the width of the space or the marker that b begins
// with at column at; both are 0 for anything else.
func MeasureContainer(b []byte, at int) (length, width int) {
	switch b[0] {
	case '\t':
		return 1, 4 - at%4
	case ' ':
		return 1, 1
	}
	n := markLength(b)
	return n, n
}

// markLength is the length of the container marker that b begins with, or 0.
func markLength(b []byte) int {
	n := countLeading(b, isDigit)
	var c byte
	if n < len(b) {
		c = b[n]
	}
	switch {
	case n == 0 && c == '>':
		return 1
	case n == 0 && (c == '-' || c == '+' || c == '*'), n > 0 && n < 10 && (c == '.' || c == ')'):
		n++
	default:
		return 0
	}
	if n < len(b) && b[n] != ' ' && b[n] != '\t' {
		return 0
	}
	return n
}

// LooseMarks is the length of what may be quote and list markers at the
// beginning of a line: a generous reading for questions of appearance.
func LooseMarks(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t>*+-.)0123456789")) }
