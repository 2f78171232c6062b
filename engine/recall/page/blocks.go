package page

import "strings"

// addBlock opens a block with line i.
func (s *scanner) addBlock(k kind, i, indent int) {
	if k != item && indent == 0 {
		s.items = s.items[:0]
	}
	lead := -1
	for n := len(s.items); n > 0 && lead < 0; n-- {
		if outer := s.items[n-1]; s.p.Blocks[outer].depth < indent {
			lead = outer
		}
	}
	if n := len(s.p.Blocks) - 1; lead < 0 && n >= 0 && (k == item || k == row || k == fence) && s.isIntroduction(n) {
		lead = n
	}
	s.p.Blocks = append(s.p.Blocks, Block{
		kind: k, Span: s.lines[i], Line: i + 1, depth: indent, lead: lead, part: len(s.sections) - 1,
	})
	s.cur = len(s.p.Blocks) - 1
}

// isIntroduction reports whether block n, the last one, or the paragraph that
// introduced it, announces what follows.
func (s *scanner) isIntroduction(n int) bool {
	b := s.p.Blocks[n]
	if b.part != len(s.sections)-1 || b.kind != paragraph {
		return false
	}
	return endsInColon(s.p.text[b.Span.Start:b.Span.End])
}

// endsInColon reports whether a text announces what follows.
func endsInColon(text string) bool {
	text = strings.TrimRight(text, " \t\r\n*_")
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
}

// extendBlock makes line i part of the open block. A block that is too long for
// one passage continues in a new one.
func (s *scanner) extendBlock(i int) {
	b := &s.p.Blocks[s.cur]
	if b.Span.End-b.Span.Start < splitBytes {
		b.Span.End = s.lines[i].End
		return
	}
	next := *b
	next.Span, next.Line = s.lines[i], i+1
	if b.kind == quoted {
		next.head = s.p.codeHead(*b)
	}
	if s.ending != "" {
		next.kind, next.head, next.close = fence, s.opened, s.ending
	}
	s.p.Blocks = append(s.p.Blocks, next)
	s.cur = len(s.p.Blocks) - 1
}

// takeItem takes the first line of a list item.
func (s *scanner) takeItem(i int, body string, indent int) {
	outermost := -1
	if len(s.items) > 0 {
		outermost = s.p.Blocks[s.items[0]].lead // all items of a list share what introduces it
	}
	for n := len(s.items); n > 0 && s.p.Blocks[s.items[n-1]].depth >= indent; n = len(s.items) {
		s.items = s.items[:n-1]
	}
	s.addBlock(item, i, indent)
	if b := &s.p.Blocks[s.cur]; b.lead < 0 {
		b.lead = outermost
	}
	s.items = append(s.items, s.cur)
	if end := fenceEnd(strings.TrimLeft(body[itemWidth(body):], " \t")); end != "" {
		s.ending, s.opened = end, s.lines[i]
	}
}

// itemWidth is the length of a list marker with the space after it, 0 for none.
func itemWidth(body string) int {
	n := 0
	for n < len(body) && n < 9 && body[n] >= '0' && body[n] <= '9' {
		n++
	}
	switch {
	case n > 0 && n < len(body) && (body[n] == '.' || body[n] == ')'):
	case n == 0 && body != "" && strings.IndexByte("-*+", body[0]) >= 0:
	default:
		return 0
	}
	if n++; n == len(body) {
		return n
	}
	if body[n] == ' ' || body[n] == '\t' {
		return n + 1
	}
	return 0
}

// indentWidth returns the indentation of a line; a tab fills up to a multiple of 4.
func indentWidth(line string) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4 - n%4
		default:
			return n
		}
	}
	return n
}
