package note

import (
	"bytes"
	"regexp"
	"strings"
)

// Respond is the edit that puts an answer in its marker's place: a response block
// with the marker's prefixes on every line and the line end of the marker's last
// line, or of the note if that line, the last, has none. The missing final line
// end of a note stays missing.
//
// The answer has to come from engine/note/sanitize. Respond takes care only of what depends
// on the place: any line end in the answer becomes the note's, and a blank line
// carries no trailing space. The name of a block that the question ends in (" ^abc123") stays behind
// the answer, on a line of its own: links lead to it.
func Respond(src []byte, m Marker, answer string) Edit {
	eol := lineEndOf(src, m.Span)
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
	if name := nameOfBlock(m.Text); name != "" {
		b.WriteString(placeName(src, m, name, eol))
	}
	return Edit{Span: m.Span, New: []byte(b.String())}
}

// blockName is the name of a block at the end of its last line
// (https://help.obsidian.md/links#Link+to+a+block+in+a+note).
var blockName = regexp.MustCompile(`[ \t](\^[A-Za-z0-9-]+)[ \t]*$`)

// nameOfBlock returns the name of a block that a question ends in, with its ^; "" if there is none.
func nameOfBlock(text string) string {
	if found := blockName.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// aboveHeading is the prefix of an answer in no list, and below it a line that is a heading there.
var aboveHeading = regexp.MustCompile(`^(?:> ?)*\n(?:> ?)*#{1,6}(?:[ \t]|$)`)

// placeName returns the lines that keep the name of a block behind an answer: a paragraph of its own, so
// that the name is no part of what is below. Above the next item of its list it has no empty lines,
// which would set the items of all of the list apart.
func placeName(src []byte, m Marker, name, eol string) string {
	empty := eol + strings.TrimRight(m.Rest, " \t")
	name = eol + m.Rest + name
	rest := src[min(m.Span.End, len(src)):]
	if n := len(lineEndOf(src, m.Span)); len(rest) >= n {
		rest = rest[n:]
	}
	if i := bytes.IndexAny(rest, "\r\n"); i >= 0 {
		rest = rest[:i]
	}
	switch {
	case isMute(rest) || aboveHeading.MatchString(m.Rest+"\n"+string(rest)):
		return empty + name
	case isItemBehind(m.Rest, rest):
		return name
	}
	return empty + name + empty
}

// item is how an item of a list begins.
var item = regexp.MustCompile(`^([> \t]*)(?:[*+-]|\d{1,9}[.)])(?:[ \t]|$)`)

// isItemBehind reports whether a line begins an item behind the one in which lines have the prefix rest.
func isItemBehind(rest string, line []byte) bool {
	marks := item.FindSubmatch(line)
	inItem := strings.TrimRight(rest, " \t")+" " < rest || rest != "" && !strings.Contains(rest, ">")
	return inItem && marks != nil && len(marks[1]) < len(rest)
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
	front, _ := frontMatter(t)
	return front == 0 && t.count() > 0 && beginsProperties(string(t.line(0)))
}

// lineEndOf is the line end behind a line, or behind the last of several, or the nearest
// one above if that is the last of the note and has none.
func lineEndOf(src []byte, line Span) string {
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
