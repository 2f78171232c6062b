package page

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"vaultdispatcher/engine/note"
)

// Comments are never indexed and never quoted. Obsidian marks them with %%
// (https://help.obsidian.md/Editing+and+formatting/Basic+formatting+syntax), and its
// two views do not agree, as measured for TestQuoteShapes. In the editor each %%
// opens or closes a comment. The reading view knows comments within a line and those
// that begin a line, and shows any other %% as text. Text that either view hides is
// left out here. A %% that nothing closes and that does not begin its line is text,
// as in 100%%.

// Comments returns the spans of a note's comments, each from its first mark to its last. They are neither indexed nor
// quoted. No two spans touch.
func Comments(from *note.Page) []note.Span {
	if !bytes.Contains(from.Text, []byte("<!--")) && !bytes.Contains(from.Text, []byte("%%")) {
		return nil
	}
	return Read("", from).Comments
}

// withoutComments returns a line, or a part of one, without its comments. It keeps a line end.
func (p *Page) withoutComments(line note.Span) string {
	if len(p.Comments) == 0 {
		return p.text[line.Start:line.End]
	}
	whole := line.End
	for line.End > line.Start && (p.Source[line.End-1] == '\n' || p.Source[line.End-1] == '\r') {
		line.End--
	}
	at, _ := slices.BinarySearchFunc(p.Comments, line.Start, func(c note.Span, start int) int { return cmp.Compare(c.End, start) })
	var out strings.Builder
	for ; at < len(p.Comments) && p.Comments[at].Start < line.End; at++ {
		out.Write(p.Source[line.Start:max(line.Start, p.Comments[at].Start)])
		line.Start = min(line.End, max(line.Start, p.Comments[at].End))
	}
	out.Write(p.Source[line.Start:whole])
	return out.String()
}

// comment is the comment that a line is in.
type comment struct {
	html  bool // <!-- -->
	pair  bool // %% %%, as the editor pairs them
	block bool // %% %% from the beginning of a line, as the reading view sees it

	unclosed map[string]bool // marks that nothing further down closes
}

func (r *comment) isInside() bool { return r.html || r.pair || r.block }

// openComment takes a line that begins with the mark of a comment.
func (s *scanner) openComment(body string) {
	s.cur = -1
	if body[0] == '<' {
		s.comment.html = !strings.Contains(body[len("<!--"):], "-->")
		return
	}
	s.comment.pair = !strings.Contains(body[len("%%"):], "%%")
	s.comment.block = s.comment.pair
}

// openWithin begins a comment where line, the end of line i or all of it, opens
// one after other text and does not close it.
func (s *scanner) openWithin(i int, line string) {
	if !strings.Contains(line, "%%") && !strings.Contains(line, "<!--") {
		return
	}
	if code := findCode(line); code.certain && !s.isDoubtful {
		line = code.blanked
	}
	line = closedComments().ReplaceAllString(line, " ")
	html, pair := strings.Index(line, "<!--"), strings.Index(line, "%%")
	switch {
	case html >= 0 && (pair < 0 || html < pair) && s.hasEndBelow(i, "-->"):
		s.comment.html = true
	case pair >= 0 && s.hasEndBelow(i, "%%"):
		s.comment.pair = true
	default:
		return
	}
	s.endBlock()
}

// openAgain begins a comment behind the one that ended in line i.
func (s *scanner) openAgain(i int, ended string) {
	if _, rest, ok := strings.Cut(s.lineText(i), ended); ok {
		s.openWithin(i, rest)
	}
}

// recordComments adds the comments of line i to the page. remarked says that the line begins in a comment, which ends
// with the mark end.
func (s *scanner) recordComments(i int, remarked bool, end string) {
	line, from := s.lineText(i), 0
	if remarked {
		from = len(line)
		if !s.comment.isInside() || s.comment.endMark() != end {
			if at := strings.Index(line, end); at >= 0 {
				from = at + len(end)
			}
		}
		s.recordComment(i, 0, from)
	}
	code := findCode(line[from:])
	isDoubtful := s.isDoubtful || !code.certain
	s.isDoubtful = s.isDoubtful || code.isOpen
	mark := firstMark(line[from:])
	if mark < 0 {
		return // as of most lines
	}
	if isDoubtful {
		if remarked {
			mark = 0 // that it has ended is as doubtful
		}
		s.recordComment(i, from+mark, len(line))
		return
	}
	rest := code.blanked
	opened := len(rest)
	if s.comment.isInside() {
		if at := strings.Index(closedComments().ReplaceAllStringFunc(rest, blank), s.comment.beginMark()); at >= 0 {
			opened = at
		}
	}
	for _, m := range closedComments().FindAllStringIndex(rest[:opened], -1) {
		s.recordComment(i, from+m[0], from+m[1])
	}
	if opened < len(rest) {
		s.recordComment(i, from+opened, len(line))
	}
}

// blank is as much space as a text is long.
func blank(text string) string { return strings.Repeat(" ", len(text)) }

// recordComment adds a comment of line i, or lengthens the one that touches it or ends with the line above.
func (s *scanner) recordComment(i, from, to int) {
	list := s.p.Comments
	span := note.Span{Start: s.lines[i].Start + from, End: s.lines[i].Start + to}
	if n := len(list); n > 0 && (list[n-1].End == span.Start || from == 0 && i > 0 && list[n-1].End == s.lines[i-1].End) {
		list[n-1].End = span.End
		return
	}
	if from < to {
		s.p.Comments = append(list, span)
	}
}

// beginMark returns the mark that began the comment.
func (r *comment) beginMark() string {
	if r.html {
		return "<!--"
	}
	return "%%"
}

// endMark returns the mark that ends the comment.
func (r *comment) endMark() string {
	if r.html {
		return "-->"
	}
	return "%%"
}

// inComment takes a line that begins inside a comment.
func (s *scanner) inComment(i int, body string) {
	if s.comment.html {
		s.comment.html = !strings.Contains(body, "-->")
		return
	}
	n := strings.Count(body, "%%")
	body = bareLine(body)
	switch {
	case s.comment.block:
		s.comment.block = n == 0
	case strings.HasPrefix(body, "<!--"):
		s.comment.html = !strings.Contains(body, "-->")
	case strings.HasPrefix(body, "%%"):
		s.comment.block = n == 1 && s.hasEndBelow(i, "%%")
	}
	if n%2 == 1 {
		s.comment.pair = !s.comment.pair
	}
	if n > 0 && s.comment.pair && !s.comment.block {
		s.comment.pair = s.hasEndBelow(i, "%%")
	}
}

// hasEndBelow reports whether a line below i contains end.
func (s *scanner) hasEndBelow(i int, end string) bool {
	if s.comment.unclosed[end] {
		return false
	}
	if bytes.Contains(s.p.Source[s.lines[i].End:], []byte(end)) {
		return true
	}
	if s.comment.unclosed == nil {
		s.comment.unclosed = make(map[string]bool)
	}
	s.comment.unclosed[end] = true // nor further down: not looked for again
	return false
}
