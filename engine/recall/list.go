package recall

import "strings"

// add opens a block with line i.
func (s *scanner) add(k kind, i, indent int) {
	if k != item && indent == 0 {
		s.items = s.items[:0]
	}
	lead := -1
	for n := len(s.items); n > 0 && lead < 0; n-- {
		if outer := s.items[n-1]; s.p.blocks[outer].depth < indent {
			lead = outer
		}
	}
	if n := len(s.p.blocks) - 1; lead < 0 && n >= 0 && (k == item || k == row || k == fence) && s.introduces(n) {
		lead = n
	}
	s.p.blocks = append(s.p.blocks, block{
		kind: k, span: s.lines[i], line: i + 1, depth: indent, lead: lead, part: len(s.sections) - 1,
	})
	s.cur = len(s.p.blocks) - 1
}

// introduces reports whether block n, the last one, or the paragraph that
// introduced it, announces what follows.
func (s *scanner) introduces(n int) bool {
	b := s.p.blocks[n]
	if b.part != len(s.sections)-1 || b.kind != paragraph {
		return false
	}
	return strings.HasSuffix(strings.TrimSpace(string(s.p.src[b.span.Start:b.span.End])), ":")
}

// extend makes line i part of the open block. A block that has grown too long
// for one passage goes on in a new one.
func (s *scanner) extend(i int) {
	b := &s.p.blocks[s.cur]
	if b.span.End-b.span.Start < splitBytes {
		b.span.End = s.lines[i].End
		return
	}
	next := *b
	next.span, next.line = s.lines[i], i+1
	if s.until != "" {
		next.kind, next.head, next.close = fence, s.opened, s.until
	}
	s.p.blocks = append(s.p.blocks, next)
	s.cur = len(s.p.blocks) - 1
}

// item takes the first line of a list item.
func (s *scanner) item(i int, body string, indent int) {
	outermost := -1
	if len(s.items) > 0 {
		outermost = s.p.blocks[s.items[0]].lead // all items of a list share what introduces it
	}
	for n := len(s.items); n > 0 && s.p.blocks[s.items[n-1]].depth >= indent; n = len(s.items) {
		s.items = s.items[:n-1]
	}
	s.add(item, i, indent)
	if b := &s.p.blocks[s.cur]; b.lead < 0 {
		b.lead = outermost
	}
	s.items = append(s.items, s.cur)
	if end := fenceEnd(strings.TrimLeft(body[itemWidth(body):], " \t")); end != "" {
		s.until, s.opened = end, s.lines[i]
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

// columns is how far a line is indented; a tab goes to the next multiple of 4.
func columns(line string) int {
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

// fenceEnd is the run that ends the fence which body opens, "" if it opens none.
func fenceEnd(body string) string {
	if strings.HasPrefix(body, "$$") && !strings.Contains(body[2:], "$$") {
		return "$$"
	}
	for _, c := range []string{"`", "~"} {
		n := len(body) - len(strings.TrimLeft(body, c))
		if n >= 3 && (c == "~" || !strings.Contains(body[n:], c)) {
			return body[:n]
		}
	}
	return ""
}

func closesFence(body, end string) bool {
	if end == "$$" {
		return strings.HasSuffix(strings.TrimSpace(body), end)
	}
	return strings.HasPrefix(body, end) && strings.Trim(body, end[:1]+" \t") == ""
}
