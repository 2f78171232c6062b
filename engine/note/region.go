package note

import (
	"bytes"
	"sort"
	"strings"
)

// region is a stretch of a note in which no line is a marker, and why.
type region struct {
	Span
	why Reason
}

// within looks for the region that holds off; list is sorted and disjoint.
func within(list []region, off int) (Reason, bool) {
	i := sort.Search(len(list), func(i int) bool { return list[i].End > off })
	if i < len(list) && list[i].Start <= off {
		return list[i].why, true
	}
	return "", false
}

// frontMatter is the length in lines of the properties at the top of a note, 0
// without any, and whether they switch the note off. Without a closing line
// there are none: the first line is then a thematic break.
func frontMatter(t text) (lines int, off bool) {
	if t.count() == 0 || string(bytes.TrimRight(t.line(0), " \t")) != "---" {
		return 0, false
	}
	for i := 1; i < t.count(); i++ {
		line := string(bytes.TrimRight(t.line(i), " \t"))
		if line == "---" || line == "..." {
			return i + 1, off
		}
		off = off || switchedOff(line)
	}
	return 0, false
}

func switchedOff(property string) bool {
	value, ok := strings.CutPrefix(property, "wiki:")
	if !ok || value == "" || value[0] != ' ' && value[0] != '\t' {
		return false
	}
	value, _, _ = strings.Cut(value, " #")
	switch strings.ToLower(strings.Trim(value, " \t\"'")) {
	case "off", "false", "no":
		return true
	}
	return false
}

const (
	tagName = "agent-response"
	openTag = "<!-- agent-response -->"
	endTag  = "<!-- /agent-response -->"
)

// tagAt reads a comment of a response block at the beginning of b: its length, 0
// if there is none, and whether it is the closing one. Formatters change spaces
// and people change case, so both are free.
func tagAt(b []byte) (length int, closing bool) {
	i := len("<!--")
	if !bytes.HasPrefix(b, []byte("<!--")) {
		return 0, false
	}
	i += spaces(b[i:])
	if i < len(b) && b[i] == '/' {
		closing = true
		i++
		i += spaces(b[i:])
	}
	if len(b) < i+len(tagName) || !strings.EqualFold(string(b[i:i+len(tagName)]), tagName) {
		return 0, false
	}
	i += len(tagName)
	i += spaces(b[i:])
	if !bytes.HasPrefix(b[i:], []byte("-->")) {
		return 0, false
	}
	return i + len("-->"), closing
}

func spaces(b []byte) int { return len(b) - len(bytes.TrimLeft(b, " \t")) }

// responses finds the response blocks: an opening comment that html says is one,
// and the next closing comment in whatever structure it stands. A block without
// an end runs to the end of the note, and unclosed is its line, from 1.
func responses(t text, html []region) (blocks []Span, unclosed int) {
	opened, from := -1, t.base()
	for i := t.base(); ; {
		n := bytes.Index(t.src[i:], []byte("<!--"))
		if n < 0 {
			break
		}
		i += n
		length, closing := tagAt(t.src[i:])
		switch {
		case length == 0:
			i += len("<!--")
			continue
		case opened < 0 && !closing && i >= from && isHTML(html, i):
			opened = i
		case opened >= 0 && closing:
			end := t.span(t.at(i)).End
			blocks = append(blocks, Span{t.starts[t.at(opened)], end})
			opened, from = -1, end
		}
		i += length
	}
	if opened >= 0 {
		line := t.at(opened)
		return append(blocks, Span{t.starts[line], len(t.src)}), line + 1
	}
	return blocks, 0
}

func isHTML(list []region, off int) bool {
	why, ok := within(list, off)
	return ok && (why == Comment || why == HTML)
}

// marks finds what only note apps know: comments between %% and formulas between
// $$. It looks at text that is neither code nor HTML (solid) nor in a response
// block. A comment without an end runs to the end of the note, as it does in the
// app; so does a formula that begins its line. Within a line a formula ends in
// its paragraph, or the $$ is money.
func marks(t text, from int, solid []region, blocks []Span) []region {
	s := marking{text: t, solid: solid, blocks: blocks}
	for i := from; i < len(t.src); {
		i = s.step(i)
		if i >= len(t.src) && s.inline {
			i = s.takeBack()
		}
	}
	if s.open != 0 {
		s.out = append(s.out, region{Span{s.start, len(t.src)}, markReason(s.open)})
	}
	return s.out
}

// marking is the state of marks.
type marking struct {
	text
	out    []region
	solid  []region // those ahead
	blocks []Span

	open   byte // '%' or '$' while inside, else 0
	start  int  // where it was opened
	inline bool // a formula inside a line
	again  struct {
		solid  []region
		blocks []Span
	} // the lists as they were at start
}

// step looks at the byte at i and returns the offset to go on from.
func (s *marking) step(i int) int {
	if end := s.skip(i); end > i {
		return end
	}
	c := s.src[i]
	switch {
	case c == '\\':
		return i + 2
	case c == '\n' && s.inline && s.pauses(i+1):
		return s.takeBack()
	case c != '%' && c != '$':
		return i + 1
	}
	n := run(s.src[i:])
	if !turns(c, n) || s.open != 0 && s.open != c {
		return i + n
	}
	if s.open == c {
		s.out = append(s.out, region{Span{s.start, i + n}, markReason(c)})
		s.open, s.inline = 0, false
		return i + n
	}
	s.open, s.start = c, i
	s.inline = c == '$' && !s.begins(i)
	s.again.solid, s.again.blocks = s.solid, s.blocks
	return i + n
}

// takeBack forgets a $$ that turned out to be text. What it may have hidden is
// looked at again, at most once per paragraph.
func (s *marking) takeBack() int {
	s.open, s.inline = 0, false
	s.solid, s.blocks = s.again.solid, s.again.blocks
	return s.start + 2
}

// skip is the end of the solid region or the block that holds i, or 0. Both
// lists lose what lies behind i, so the whole pass is linear.
func (s *marking) skip(i int) int {
	for len(s.blocks) > 0 && s.blocks[0].End <= i {
		s.blocks = s.blocks[1:]
	}
	if len(s.blocks) > 0 && s.blocks[0].Start <= i {
		return s.blocks[0].End
	}
	for len(s.solid) > 0 && s.solid[0].End <= i {
		s.solid = s.solid[1:]
	}
	if len(s.solid) > 0 && s.solid[0].Start <= i {
		return s.solid[0].End
	}
	return 0
}

// pauses says whether the line at i holds no text.
func (s *marking) pauses(i int) bool {
	line := s.src[i : i+lineLen(s.src[i:])]
	return containers(line) == len(bytes.TrimRight(line, "\r\n"))
}

// begins says whether nothing but containers stands before off on its line.
func (s *marking) begins(off int) bool {
	line := s.src[s.starts[s.at(off)]:off]
	return containers(line) == len(line)
}

// run is how often the first byte of b is repeated.
func run(b []byte) int {
	n := 1
	for n < len(b) && b[n] == b[0] {
		n++
	}
	return n
}

// turns says whether a run of n bytes c changes between inside and outside.
func turns(c byte, n int) bool {
	if c == '$' {
		return n == 2
	}
	return n/2%2 == 1
}

func markReason(c byte) Reason {
	if c == '$' {
		return Math
	}
	return Comment
}

// containers is the length of what may be quote and list markers at the
// beginning of a line: a generous reading for questions of appearance.
func containers(line []byte) int {
	return len(line) - len(bytes.TrimLeft(line, " \t>*+-.)0123456789"))
}
