package page

import (
	"bytes"
	"strings"

	"vaultdispatcher/engine/note"
)

// scanner walks the lines of a note once. It knows as much of markdown as
// quoting whole blocks requires. It changes no text, so a wrong guess about a block
// only makes a passage longer or shorter.
type scanner struct {
	p        *Page
	lines    []note.Span // without line ends
	sections [][]string  // heading paths; the first is the text above any heading
	headings []openHead
	cur      int       // block that the next line may continue, -1 for none
	items    []int     // items that enclose the next line, outermost first
	ending   string    // the mark that ends the fence the line is in; "" outside
	comment  comment   // the comment the line is in
	opened   note.Span // first line of the fence
	table    note.Span // header of the table the line is in
	rule     int       // line under that header, which is no row
	naming   []Block   // lines that name the note, or tag it

	isDoubtful bool // code that a line above has begun may end in the next line
}

type openHead struct {
	level int
	text  string
}

// scanBlocks fills p.blocks and returns the heading paths they refer to.
func (p *Page) scanBlocks(from *note.Page) [][]string {
	s := &scanner{p: p, sections: [][]string{nil}, cur: -1}
	s.lines, p.text = splitLines(p.Source), string(p.Source)
	hidden := s.hiddenLines(from)
	body := s.frontMatter(from)
	for i := range body {
		p.addReferences(s.lineText(i))
	}
	for i := body; i < len(s.lines); i++ {
		switch {
		case hidden[i]:
			s.endBlock()
		case s.rule == 0 || i != s.rule:
			text, remarked, end := s.ending == "" && !s.comment.isInside(), s.comment.isInside(), s.comment.endMark()
			s.scanLine(i)
			s.isDoubtful = s.isDoubtful && !s.partsCode(i)
			switch {
			case s.ending != "" || s.comment.isInside():
			case remarked:
				s.openAgain(i, end)
			case text:
				p.addReferences(s.lineText(i))
				s.openWithin(i, s.lineText(i))
			}
			if remarked || text && s.ending == "" {
				s.recordComments(i, remarked, end)
			}
		}
	}
	if len(s.p.Blocks) == 0 { // it says no more
		s.p.Blocks = s.naming
	}
	return s.sections
}

func splitLines(src []byte) []note.Span {
	lines := make([]note.Span, 0, bytes.Count(src, []byte{'\n'})+1)
	for at := 0; at < len(src); {
		end, next := len(src), len(src)
		if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
			end, next = at+n, at+n+1
		}
		if end > at && src[end-1] == '\r' {
			end--
		}
		lines = append(lines, note.Span{Start: at, End: end})
		at = next
	}
	return lines
}

func (s *scanner) lineText(i int) string { return s.p.text[s.lines[i].Start:s.lines[i].End] }

func (s *scanner) endBlock() { s.cur, s.table = -1, note.Span{} }

// scanLine takes line i.
func (s *scanner) scanLine(i int) {
	line := s.lineText(i)
	body := strings.TrimLeft(line, " \t")
	indent := indentWidth(line)
	if s.comment.isInside() {
		s.inComment(i, body)
		return
	}
	if s.ending != "" {
		s.inFence(i, body)
		return
	}
	if s.table != (note.Span{}) && strings.Contains(body, "|") {
		s.addBlock(row, i, indent)
		s.p.Blocks[len(s.p.Blocks)-1].head = s.table
		return
	}
	s.table = note.Span{}
	switch {
	case body == "":
		s.cur = -1
	case strings.HasPrefix(body, "<!--"), strings.HasPrefix(body, "%%"):
		s.openComment(body)
	case s.takeHeading(i, line, indent):
	case s.openFence(i, body, indent):
	case s.openTable(i, body):
	case body[0] == '>':
		if s.cur < 0 || !s.isQuote(indent) {
			s.addBlock(quoted, i, indent)
		} else {
			s.extendBlock(i)
		}
	case itemWidth(body) > 0:
		s.takeItem(i, body, indent)
	case note.IsBookkeeping(strings.TrimSpace(body)), s.outlineName(body, i):
	case s.cur >= 0 && (s.p.Blocks[s.cur].kind == paragraph || s.p.Blocks[s.cur].kind == item):
		s.extendBlock(i)
	default:
		s.addBlock(paragraph, i, indent)
	}
}

// isQuote reports whether the block above is a quote, or an item that begins with one and has a line of this indent.
func (s *scanner) isQuote(indent int) bool {
	b := s.p.Blocks[s.cur]
	text := strings.TrimLeft(s.p.text[b.Span.Start:b.Span.End], " \t")
	return b.kind == quoted || b.kind == item && indent > b.depth && strings.HasPrefix(strings.TrimLeft(text[itemWidth(text):], " \t"), ">")
}

// inFence takes a line of a fence.
func (s *scanner) inFence(i int, body string) {
	if s.cur < 0 { // something hidden parted it
		s.addBlock(fence, i, 0)
		b := &s.p.Blocks[s.cur]
		b.head, b.close = s.opened, s.ending
	} else {
		s.extendBlock(i)
	}
	if closesFence(body, s.ending) {
		s.ending = ""
		if s.p.Blocks[s.cur].kind == fence {
			s.cur = -1
		}
	}
}

// takeHeading takes a heading with # signs or one underlined with = or -.
func (s *scanner) takeHeading(i int, line string, indent int) bool {
	body := strings.TrimSpace(line)
	if indent > 3 {
		return false
	}
	level := len(body) - len(strings.TrimLeft(body, "#"))
	if level >= 1 && level <= 6 && (len(body) == level || body[level] == ' ' || body[level] == '\t') {
		text := strings.TrimSpace(body[level:])
		if cut := strings.TrimRight(text, "#"); cut == "" || cut != text && strings.HasSuffix(cut, " ") {
			text = strings.TrimSpace(cut)
		}
		s.openSection(i, level, text)
		return true
	}
	if body == "" || strings.Trim(body, "=") != "" && (strings.Trim(body, "-") != "" || len(body) < 3) {
		return strings.Trim(body, "*_- ") == "" && len(body) >= 3 && s.endList()
	}
	if s.cur < 0 || s.p.Blocks[s.cur].kind != paragraph || s.p.Blocks[s.cur].Span != s.lines[i-1] {
		return body[0] == '-' && s.endList()
	}
	text := strings.TrimSpace(s.lineText(i - 1))
	s.p.Blocks = s.p.Blocks[:s.cur]
	if body[0] == '=' {
		s.openSection(i, 1, text)
	} else {
		s.openSection(i, 2, text)
	}
	return true
}

// endList ends the list above a thematic break.
func (s *scanner) endList() bool {
	s.endBlock()
	s.items = s.items[:0]
	return true
}

func (s *scanner) openSection(i, level int, text string) {
	s.endList()
	for n := len(s.headings); n > 0 && s.headings[n-1].level >= level; n = len(s.headings) {
		s.headings = s.headings[:n-1]
	}
	s.headings = append(s.headings, openHead{level, text})
	var path []string
	for _, h := range s.headings {
		path = append(path, h.text)
	}
	s.sections = append(s.sections, path)
	s.p.parts = append(s.p.parts, part{i + 1, path})
}

// openFence takes the first line of code or mathematics. Inside a list item it
// belongs to the item.
func (s *scanner) openFence(i int, body string, indent int) bool {
	end := fenceEnd(body)
	if end == "" {
		return false
	}
	if s.cur < 0 || s.p.Blocks[s.cur].kind != item || indent <= s.p.Blocks[s.cur].depth {
		s.addBlock(fence, i, indent)
		b := &s.p.Blocks[s.cur]
		b.head, b.close = b.Span, end
	} else {
		s.extendBlock(i)
	}
	s.ending, s.opened = end, s.lines[i]
	return true
}

func (s *scanner) openTable(i int, body string) bool {
	if i+1 >= len(s.lines) || !strings.Contains(body, "|") || itemWidth(body) > 0 && body[0] != '|' {
		return false
	}
	under := strings.TrimSpace(s.lineText(i + 1))
	if strings.Trim(under, "|:- \t") != "" || !strings.Contains(under, "-") || !strings.Contains(under, "|") {
		return false
	}
	s.cur = -1
	s.table = note.Span{Start: s.lines[i].Start, End: s.lines[i+1].End}
	s.rule = i + 1
	return true
}
