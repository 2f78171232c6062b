package note

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Other text on the lines of a question is not part of it and is kept behind the answer: the name of a block ("
// ^abc123" at the very end), because links of other notes lead to it (https://help.obsidian.md/links), and comments,
// which only their writer is meant to see: <!-- -->, in which programs also write schedules, and %% %%. The text of a
// marker holds them too, so an undo restores every byte of its lines.

// blockName is the name of a block at the end of its last line: a letter and letters, digits and
// dashes, or the six hexadecimal digits of a name that Obsidian has made. What begins with a digit
// and is longer or shorter is a power: 2 ^10.
var blockName = regexp.MustCompile(`^\^(?:[A-Za-z][A-Za-z0-9-]*|[0-9a-f]{6})$`)

// cutName takes the name of a block from the end of a text that says something before it. It looks at the end alone: a
// line may hold a picture.
func cutName(text string) (rest, name string) {
	said := strings.TrimRight(text, " \t")
	at := strings.LastIndexByte(said, '^')
	if at < 0 || !blockName.MatchString(said[at:]) {
		return text, ""
	}
	rest = strings.TrimRight(said[:at], " \t")
	if rest == "" || len(rest) == at || strings.Contains(rest, "\n") {
		return text, ""
	}
	return rest, said[at:]
}

// comment is the part of a comment that is on one line. unclosed says that the comment continues below.
type comment struct {
	Span
	unclosed bool
}

// commentsIn returns the comments in a part of a line, in order. A comment without an end does not count: it may be
// two percent signs. The tags of an answer do not count either.
func (n *reading) commentsIn(part Span) (found []comment) {
	for _, list := range [][]region{n.lay.solid, n.marks} {
		for i := firstBehind(list, part.Start); i < len(list) && list[i].Start < part.End; i++ {
			r := list[i]
			c := comment{Span{max(r.Start, part.Start), min(r.End, part.End)}, r.End > part.End}
			isTag := bytes.Contains(bytes.ToLower(n.text.src[c.Start:c.End]), []byte(tagName))
			if r.reason == Comment && !isTag && (r.End < len(n.text.src) || endsComment(n.text.src)) {
				found = append(found, c)
			}
		}
	}
	slices.SortFunc(found, func(a, b comment) int { return cmp.Compare(a.Start, b.Start) })
	end := part.Start // of two that overlap the first counts, as in the note app
	return slices.DeleteFunc(found, func(c comment) bool {
		if c.Start < end {
			return true
		}
		end = c.End
		return false
	})
}

func endsComment(src []byte) bool {
	src = bytes.TrimRight(src, "\r\n")
	return bytes.HasSuffix(src, []byte("%%")) || bytes.HasSuffix(src, []byte("-->"))
}

// withoutComments is a part of a line as it is asked.
func (n *reading) withoutComments(part Span) []byte {
	comments := n.commentsIn(part)
	if len(comments) == 0 {
		return n.text.src[part.Start:part.End]
	}
	var text []byte
	at := part.Start
	for _, c := range append(comments, comment{Span: Span{part.End, part.End}}) {
		between := n.text.src[at:c.Start]
		if len(text) == 0 || isBlank(text[len(text)-1:]) {
			between = bytes.TrimLeft(between, " \t")
		}
		text, at = append(text, between...), c.End
	}
	return text
}

// keepRest finds the comments and the name of a block on the lines of each question.
func (n *reading) keepRest() {
	for i := range n.doc.Markers {
		m := &n.doc.Markers[i]
		var kept []string
		m.keptOpen = false
		for number := m.Line - 1; number < m.Ends; number++ {
			for _, c := range n.commentsIn(n.text.span(number)) {
				kept, m.keptOpen = append(kept, string(n.text.src[c.Start:c.End])), c.unclosed
			}
		}
		m.Comments = strings.Join(kept, "\n")
		_, m.Name = cutName(string(n.withoutComments(n.text.span(m.Ends - 1))))
	}
}

// aboveHeading is the prefix of an answer in no list, and below it a line that is a heading there.
var aboveHeading = regexp.MustCompile(`^(?:> ?)*\n(?:> ?)*#{1,6}(?:[ \t]|$)`)

// placeKept returns the lines that keep, behind an answer, the other text of its question's lines. Comments are right
// below the answer, and the name of a block is a paragraph of its own. Neither joins the text below. Above the next
// item of its list it puts no empty line, which would set all items of the list apart.
func placeKept(src []byte, m Marker, eol string) string {
	var lines string
	for line := range strings.Lines(m.Comments) {
		lines += eol + m.Rest + strings.TrimSuffix(line, "\n")
	}
	empty := eol + strings.TrimRight(m.Rest, " \t")
	rest := src[min(m.Span.End, len(src)):]
	if n := len(LineEnd(src, m.Span)); len(rest) >= n {
		rest = rest[n:]
	}
	if i := bytes.IndexAny(rest, "\r\n"); i >= 0 {
		rest = rest[:i]
	}
	amongItems := isItemBehind(m.Rest, rest)
	if m.Name != "" {
		if !amongItems {
			lines += empty
		}
		lines += eol + m.Rest + m.Name
	}
	if lines == "" || amongItems || m.keptOpen || IsMute(rest) || aboveHeading.MatchString(m.Rest+"\n"+string(rest)) {
		return lines
	}
	return lines + empty
}

// item is how an item of a list begins.
var item = regexp.MustCompile(`^([> \t]*)(?:[*+-]|\d{1,9}[.)])(?:[ \t]|$)`)

// isItemBehind reports whether a line begins an item behind the one in which lines have the prefix rest.
func isItemBehind(rest string, line []byte) bool {
	marks := item.FindSubmatch(line)
	inItem := strings.TrimRight(rest, " \t")+" " < rest || rest != "" && !strings.Contains(rest, ">")
	return inItem && marks != nil && len(marks[1]) < len(rest)
}
