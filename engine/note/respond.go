package note

import (
	"bytes"
	"strings"
)

// Respond returns the edit that puts an answer in its marker's place: a response block with the marker's prefixes on
// every line. Its line end is that of the marker's last line, or the note's if that line has none. It adds no final
// line end to a note without one.
//
// The answer has to come from engine/note/sanitize. Respond does only the work that depends on the place: any line
// end in the answer becomes the note's, and a blank line has no trailing space. Other text on the lines of the
// question ([Marker.Comments], [Marker.Name]) is kept behind the answer, on lines of its own.
func Respond(src []byte, m Marker, answer string) Edit {
	eol := blockEnd(src, m, answer)
	var b strings.Builder
	b.WriteString(m.First)
	b.WriteString(openTag)
	b.WriteString(eol)
	for line := range strings.Lines(UnifyLineEnds(answer)) {
		line = m.Rest + strings.TrimSuffix(line, "\n")
		if line == m.Rest {
			line = strings.TrimRight(line, " \t")
		}
		if endsProperties(line) && hasOpenProperties(src) {
			b.WriteByte(' ') // means the same to markdown
		}
		b.WriteString(line)
		b.WriteString(eol)
	}
	b.WriteString(m.Rest)
	b.WriteString(endTag)
	b.WriteString(placeKept(src, m, eol))
	return Edit{Span: m.Span, New: []byte(b.String())}
}

// brokenEnd is the line end that programs leave which take the LF of CRLF for one to be made CRLF. Markdown reads it as
// two.
const brokenEnd = "\r\r\n"

// blockEnd is the line end of a block: that of the note. Where the note has broken ends, an answer that an empty line
// between its lines would break, so that its code may act, has CRLF.
func blockEnd(src []byte, m Marker, answer string) string {
	eol := LineEnd(src, m.Span)
	above := bytes.LastIndex(src[:min(m.Span.Start, len(src))], []byte("\n"))
	isBroken := bytes.HasPrefix(src[min(m.Span.End, len(src)):], []byte(brokenEnd)) ||
		m.Span.End >= len(src) && above >= 0 && bytes.HasSuffix(src[:above+1], []byte(brokenEnd))
	switch {
	case !isBroken:
		return eol
	case strings.Contains(m.Rest, ">"), strings.ContainsAny(answer, "`~<$%|") && strings.Contains(strings.TrimSpace(answer), "\n"):
		return "\r\n"
	}
	return brokenEnd
}

// answerLength is how much of what Respond puts into a note is the block.
func answerLength(text []byte) int {
	if i := bytes.LastIndex(text, []byte(endTag)); i >= 0 {
		return i + len(endTag)
	}
	return len(text)
}

// hasOpenProperties reports whether a note begins with what would be properties if a line
// ended them.
func hasOpenProperties(src []byte) bool {
	t := newText(src)
	return frontMatter(t) == 0 && t.count() > 0 && beginsProperties(string(t.line(0)))
}

// LineEnd is the line end behind a line, or behind the last of several, or the nearest
// one above if that is the last of the note and has none.
func LineEnd(src []byte, line Span) string {
	i := line.End
	if i >= len(src) {
		if i = bytes.LastIndexAny(src[:min(line.End, len(src))], "\r\n"); i < 0 {
			return "\n"
		}
		if i > 0 && src[i] == '\n' && src[i-1] == '\r' {
			i--
		}
	}
	if src[i] == '\r' && i+1 < len(src) && src[i+1] == '\n' {
		return "\r\n"
	}
	return string(src[i : i+1])
}

// UnifyLineEnds makes every line end a line feed.
func UnifyLineEnds(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
