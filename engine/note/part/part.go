// Package part is pure text. It finds the part of a note that a question may have replaced: the paragraph, list,
// table or quote right above it, the list around it, or the section whose heading is right above it.
//
// [Find] returns the part with its text as an agent is shown it, [Fit] reads what the agent replied, and [Part.Edits] makes of
// that the edits of the note.
//
// # Promises
//
// An edit never touches kept text: questions and answers, comments, code, formulas, HTML, fields, definitions, names
// of blocks, footnotes and pictures. An agent is shown a number for each, such as ⟦1⟧. A text without one of them, or
// with one more, or in another order, does not fit. An edit never touches text outside the part either, and an
// unchanged line keeps its bytes.
package part

import (
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// Part is a part of a note that may be replaced.
type Part struct {
	Name string // in words, behind "the": "paragraph above"
	Text string // the text for an agent: lines by LF, without the marks of quotes around them, numbers for kept text

	Prefix string // of each line, for the quotes around it

	lines []line
	fixed []string // the kept text of each number
	eol   string
}

// line is a line of a part, or several that stay.
type line struct {
	raw   int       // where it begins
	span  note.Span // of its text, behind the prefix
	text  string    // as it is shown
	stays bool      // all of it
}

// most is how large a part may be, and what takes its place.
const most = 64 << 10

// Why a question has no part.
var (
	errNone     = errors.New("no paragraph, list, table or quote is right above the question, and no heading")
	errEmpty    = errors.New("the section has no text that may be replaced")
	errUnread   = errors.New("the part above the question cannot be read: it is nested too deep, is no UTF-8, or has the signs ⟦ ⟧")
	errTooLarge = errors.New("the part above the question has more than 64 KiB")
	errLazy     = errors.New("a line of the quote lacks its mark >")
)

// Find returns the part of a note that a question may have replaced. Where another part than this one, and one alone, has the text
// known, the question was asked about that one: it is returned.
func Find(page *note.Page, m note.Marker, known string) (Part, error) {
	r, err := newReader(page)
	if err != nil {
		return Part{}, err
	}
	u, err := r.unitOf(m)
	if err != nil {
		return Part{}, err
	}
	s, err := r.cut(u)
	if known == "" || err == nil && s.Text == known {
		return s, err
	}
	var same []Part
	for _, u := range r.unitsIn(u.parent, u.depth) {
		if other, err := r.cut(u); err == nil && other.Text == known {
			same = append(same, other)
		}
	}
	if len(same) == 1 {
		return same[0], nil
	}
	return s, err
}

// Bytes are those of the part.
func (s Part) Bytes(src []byte) []byte { return src[s.Span().Start:s.Span().End] }

// Span is where the part is.
func (s Part) Span() note.Span {
	return note.Span{Start: s.lines[0].raw, End: s.lines[len(s.lines)-1].span.End}
}

// inQuotes is the prefix of a line in as many quotes.
func inQuotes(depth int) string { return strings.Repeat("> ", depth) }

// quoteMark is that of one quote at the beginning of a line.
var quoteMark = lazyregexp.New(`^ {0,3}>[ \t]?`)

// cut reads the lines of a unit.
func (r *reader) cut(u unit) (Part, error) {
	for u.start <= u.end && (r.isMute(u.start) || r.stays(u.start)) {
		u.start++
	}
	for u.end >= u.start && (r.isMute(u.end) || r.stays(u.end)) {
		u.end--
	}
	if u.start > u.end {
		return Part{}, errEmpty
	}
	s := Part{Name: u.name, Prefix: inQuotes(u.depth), eol: r.lineEnd(u)}
	if r.spans[u.end].End-r.spans[u.start].Start > most {
		return s, errTooLarge
	}
	var texts []string
	for i := u.start; i <= u.end; i++ {
		l := line{raw: r.spans[i].Start, span: r.spans[i], stays: r.stays(i)}
		for l.stays && i < u.end && r.stays(i+1) {
			i++
			l.span.End = r.spans[i].End
		}
		if l.stays {
			l.text = s.keep(string(r.src[l.raw:l.span.End]))
		} else if err := r.showLine(&s, &l, u.depth); err != nil {
			return s, err
		}
		s.lines, texts = append(s.lines, l), append(texts, l.text)
	}
	s.Text = strings.Join(texts, "\n")
	return s, nil
}

// showLine makes the text of a line that may be replaced.
func (r *reader) showLine(s *Part, l *line, depth int) error {
	text := string(r.src[l.span.Start:l.span.End])
	for range depth {
		mark := quoteMark().FindString(text)
		if mark == "" {
			return errLazy
		}
		text, l.span.Start = text[len(mark):], l.span.Start+len(mark)
	}
	if !utf8.ValidString(text) || strings.ContainsAny(text, "⟦⟧\x00") {
		return errUnread
	}
	from := 0
	for _, part := range r.keptIn(l.span) {
		l.text += text[from:part.Start] + s.keep(text[part.Start:part.End])
		from = part.End
	}
	l.text += text[from:]
	return nil
}

// lineEnd is the line end of new lines.
func (r *reader) lineEnd(u unit) string {
	if strings.HasPrefix(string(r.src[r.spans[u.start].End:min(len(r.src), r.spans[u.start].End+3)]), "\r\r\n") {
		return "\r\n"
	}
	return note.LineEnd(r.src, r.spans[u.start])
}

// sign is the number of a kept text.
var sign = regexp.MustCompile(`⟦(\d+)⟧`)

// keep returns the number for a kept text.
func (s *Part) keep(text string) string {
	s.fixed = append(s.fixed, text)
	return signOf(len(s.fixed))
}
