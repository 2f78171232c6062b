package page

import (
	"bytes"
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

// Comments returns where the comments of a note stand, from the first mark to the last: those that are neither indexed nor
// quoted. None touches another.
func Comments(src []byte) []note.Span {
	if !bytes.Contains(src, []byte("<!--")) && !bytes.Contains(src, []byte("%%")) {
		return nil
	}
	p := &Page{Source: src}
	p.scanBlocks()
	return p.Comments
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
		s.in.html = !strings.Contains(body[len("<!--"):], "-->")
		return
	}
	s.in.pair = !strings.Contains(body[len("%%"):], "%%")
	s.in.block = s.in.pair
}

// openWithin begins a comment where line, the end of line i or all of it, opens
// one after other text and does not close it.
func (s *scanner) openWithin(i int, line string) {
	if !strings.Contains(line, "%%") && !strings.Contains(line, "<!--") {
		return
	}
	line = closedComments().ReplaceAllString(blankCode(line), " ")
	html, pair := strings.Index(line, "<!--"), strings.Index(line, "%%")
	switch {
	case html >= 0 && (pair < 0 || html < pair) && s.hasEndBelow(i, "-->"):
		s.in.html = true
	case pair >= 0 && s.hasEndBelow(i, "%%"):
		s.in.pair = true
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

// recordComments keeps where in line i comments stand. remarked says that it begins in one, which ends with the mark end.
func (s *scanner) recordComments(i int, remarked bool, end string) {
	line, from := s.lineText(i), 0
	if remarked {
		from = len(line)
		if !s.in.isInside() || s.in.endMark() != end {
			if at := strings.Index(line, end); at >= 0 {
				from = at + len(end)
			}
		}
		s.recordComment(i, 0, from)
	}
	if rest := line[from:]; !strings.Contains(rest, "%%") && !strings.Contains(rest, "<!--") {
		return // as of most lines
	}
	rest := blankCode(line[from:])
	opened := len(rest)
	if s.in.isInside() {
		if at := strings.Index(closedComments().ReplaceAllStringFunc(rest, blank), s.in.beginMark()); at >= 0 {
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

// blankCode returns a line with space in the place of its code. What begins first ends first: a backtick in a comment opens
// no code, and a mark of a comment in code is text.
func blankCode(line string) string {
	return codeOrComment().ReplaceAllStringFunc(line, func(m string) string {
		if m[0] == '`' {
			return blank(m)
		}
		return m
	})
}

// recordComment keeps one comment of line i, or goes on with the one above.
func (s *scanner) recordComment(i, from, to int) {
	list := s.p.Comments
	span := note.Span{Start: s.lines[i].Start + from, End: s.lines[i].Start + to}
	if from == 0 && i > 0 && len(list) > 0 && list[len(list)-1].End == s.lines[i-1].End {
		list[len(list)-1].End = span.End
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
	if s.in.html {
		s.in.html = !strings.Contains(body, "-->")
		return
	}
	n := strings.Count(body, "%%")
	body = bareLine(body)
	switch {
	case s.in.block:
		s.in.block = n == 0
	case strings.HasPrefix(body, "<!--"):
		s.in.html = !strings.Contains(body, "-->")
	case strings.HasPrefix(body, "%%"):
		s.in.block = n == 1 && s.hasEndBelow(i, "%%")
	}
	if n%2 == 1 {
		s.in.pair = !s.in.pair
	}
	if n > 0 && s.in.pair && !s.in.block {
		s.in.pair = s.hasEndBelow(i, "%%")
	}
}

// hasEndBelow reports whether a line below i contains end.
func (s *scanner) hasEndBelow(i int, end string) bool {
	if s.in.unclosed[end] {
		return false
	}
	if bytes.Contains(s.p.Source[s.lines[i].End:], []byte(end)) {
		return true
	}
	if s.in.unclosed == nil {
		s.in.unclosed = make(map[string]bool)
	}
	s.in.unclosed[end] = true // nor further down: not looked for again
	return false
}
