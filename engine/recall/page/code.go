package page

import (
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// A mark of a comment in code is text. What is code is seen line by line. A line is doubtful where code of a line above
// may end in it, or where a tag of HTML or a cell of a table may end its code; then all is a comment from its first mark on.

// tagWithTick is a tag of HTML with a backtick in it, which begins and ends no code.
var tagWithTick = lazyregexp.New("</?[A-Za-z][^>`]*`")

// lineCode is what is known of the code in a line.
type lineCode struct {
	blanked string // the line, with space in the place of its code
	certain bool   // blanked lacks all code of the line, unless code continues from a line above
	isOpen  bool   // there is a backtick that the line does not close
}

// findCode finds the code of a line as CommonMark does (https://spec.commonmark.org/0.31.2/#code-spans). What begins first
// ends first: a backtick in a comment opens no code, and a mark of a comment in code is text.
func findCode(line string) lineCode {
	if !strings.Contains(line, "`") {
		return lineCode{blanked: line, certain: true}
	}
	c := lineCode{certain: !tagWithTick().MatchString(line)}
	out := []byte(line)
	noEnd := make(map[string]bool) // marks that nothing further on ends
	for i := 0; i < len(line); {
		rest, n := line[i:], 1
		switch {
		case rest[0] == '\\':
			n = 2
		case rest[0] == '`':
			n = note.RunLength(out[i:])
			end := findRun(rest[n:], n)
			if c.isOpen = c.isOpen || end < 0; end < 0 {
				break
			}
			n += end
			if code := rest[:n]; strings.Contains(code, "|") && firstMark(code) >= 0 {
				c.certain = false
			}
			copy(out[i:i+n], blank(rest[:n]))
		case strings.HasPrefix(rest, "<!--"):
			n = lengthThrough(rest, "<!--", "-->", noEnd)
		case strings.HasPrefix(rest, "%%"):
			n = lengthThrough(rest, "%%", "%%", noEnd)
		}
		i += n
	}
	c.blanked = string(out)
	return c
}

// findRun returns where the next run of exactly n backticks ends, or -1.
func findRun(text string, n int) int {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '`')
		if i < 0 {
			return -1
		}
		run := note.RunLength([]byte(text[at+i:]))
		if at += i + run; run == n {
			return at
		}
	}
}

// lengthThrough is the length of a comment, or of its mark alone where the line does not end it.
func lengthThrough(text, begin, end string, noEnd map[string]bool) int {
	if !noEnd[end] {
		if i := strings.Index(text[len(begin):], end); i >= 0 {
			return len(begin) + i + len(end)
		}
		noEnd[end] = true
	}
	return len(begin)
}

// firstMark returns the index of the first mark of a comment, or -1.
func firstMark(text string) int {
	first := -1
	for _, mark := range []string{"<!--", "%%"} {
		if i := strings.Index(text, mark); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	return first
}

// partsCode reports whether line i begins a block, so that no inline code continues into it from the line above.
func (s *scanner) partsCode(i int) bool {
	body := strings.TrimLeft(s.lineText(i), " \t>")
	return body == "" || itemWidth(body) > 0 || body[0] == '#' || s.table.End > 0 || s.ending != ""
}
