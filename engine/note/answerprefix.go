package note

import (
	"bytes"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// setPrefixes sets for each marker the prefix of the lines of its answer. It drops a quote that consists of the
// marker alone: the answer replaces it in the text around it. A quote or callout that also holds other lines remains,
// and the answer is in it. Quotes and lists around it always remain.
func (l *layout) setPrefixes(markers []Marker) {
	q := quotes{layout: l, marker: make(map[int]bool), shared: make(map[ast.Node]bool)}
	for _, m := range markers {
		for line := m.Line; line <= m.Ends; line++ {
			q.marker[line-1] = true
		}
	}
	q.visitNode(l.root)
	for i := range markers {
		m := &markers[i]
		at := bytes.Index(l.text.src[m.Span.Start:], needle)
		p := l.text.src[m.Span.Start : m.Span.Start+at]
		chain := l.stand[m.Span.Start+at].chain
		last := bytes.LastIndexByte(p, '>')
		m.Lists = 0
		for _, c := range chain {
			if _, ok := c.(*ast.ListItem); ok {
				m.Lists++
			}
		}
		first := string(p[:last+1])
		if i := ownerIndex(chain, bytes.Count(p, []byte(">"))); i < 0 || !q.shared[chain[i]] {
			first = string(p[:outerLength(p, last, chain)])
		}
		if strings.HasSuffix(first, ">") {
			first += " " // or the quote would take the answer's own first space
		}
		m.First, m.Rest = first, indentRest(first)
	}
}

// ownerIndex is the index of the n-th quote of a chain, or -1: the quote whose
// marker is the last on a line with n of them. A lazy line has fewer than its
// paragraph is deep.
func ownerIndex(chain []ast.Node, n int) int {
	for i, c := range chain {
		if c.Kind() == ast.KindBlockquote {
			if n--; n == 0 {
				return i
			}
		}
	}
	return -1
}

// indentRest turns the first line's prefix into that of every further line: list
// markers become as many spaces, and so the lines belong to the same item.
func indentRest(first string) string {
	b := []byte(first)
	for i, c := range b {
		if c != '>' && c != '\t' {
			b[i] = ' '
		}
	}
	return string(b)
}

// outerLength is how much of prefix p belongs to the containers around the quote whose
// marker is at last. Spaces between them and the quote go with it: they indent the
// quote; kept, they would turn lines of the answer into code.
func outerLength(p []byte, last int, chain []ast.Node) int {
	columns := columnsOf(p)
	want, next := 0, 0
	for _, c := range chain {
		switch c := c.(type) {
		case *ast.ListItem:
			want += c.Offset
		case *ast.Blockquote:
			i := bytes.IndexByte(p[next:], '>')
			if i < 0 || next+i >= last {
				return findBoundary(p, columns, want, last)
			}
			next += i + 1
			want = columns[next]
			if p[next] == ' ' || p[next] == '\t' {
				want++
			}
		}
	}
	return last
}

// columnsOf is the column at which each byte of p begins, tabs being four wide.
func columnsOf(p []byte) []int {
	columns := make([]int, len(p)+1)
	for i, c := range p {
		columns[i+1] = columns[i] + 1
		if c == '\t' {
			columns[i+1] = columns[i] + 4 - columns[i]%4
		}
	}
	return columns
}

// findBoundary is the byte at column want if there is only space between it and last;
// otherwise everything up to last is kept.
func findBoundary(p []byte, columns []int, want, last int) int {
	i := sort.SearchInts(columns[:last+1], want)
	if i <= last && columns[i] == want && isBlank(p[i:last]) {
		return i
	}
	return last
}

// quotes finds out which quotes hold lines that are no markers.
type quotes struct {
	*layout
	marker map[int]bool      // by line, from 0
	shared map[ast.Node]bool // quotes with other lines
}

// extent is what a part of the tree covers: its lines and the deepest line that
// is no marker, counted in quote markers. A lazy line belongs to fewer quotes
// than its place suggests.
type extent struct {
	first, last int // lines from 0; first > last for no lines
	foreign     int
	gap         bool // blank lines between others
}

func (q *quotes) visitNode(n ast.Node) extent {
	e := extent{first: q.text.count(), last: -1}
	switch n.Kind() {
	case ast.KindBlockquote, ast.KindFencedCodeBlock, ast.KindThematicBreak:
		q.addLine(&e, n.Pos())
	}
	lines := n.Lines()
	for i := range lines.Len() {
		q.addLine(&e, lines.At(i).Start)
	}
	if h, ok := n.(*ast.Heading); ok && lines.Len() > 0 && q.isUnderlined(h) {
		e.foreign = max(e.foreign, q.countQuotes(e.last))
	}
	for c := n.FirstChild(); c != nil && c.Type() == ast.TypeBlock; c = c.NextSibling() {
		e.joinExtent(q.visitNode(c))
	}
	if n.Kind() == ast.KindBlockquote {
		q.shared[n] = e.gap || e.foreign >= quoteDepth(n)
	}
	return e
}

// addLine counts the line at offset off.
func (q *quotes) addLine(e *extent, off int) {
	if off < 0 || off >= len(q.text.src) {
		return
	}
	line := q.text.lineAt(off)
	one := extent{first: line, last: line}
	if !q.marker[line] {
		one.foreign = q.countQuotes(line)
	}
	e.joinExtent(one)
}

func (e *extent) joinExtent(o extent) {
	e.foreign = max(e.foreign, o.foreign)
	e.gap = e.gap || o.gap
	if o.first > o.last {
		return
	}
	if e.first <= e.last && o.first > e.last+1 {
		e.gap = true
	}
	e.first, e.last = min(e.first, o.first), max(e.last, o.last)
}

// countQuotes is how many quote markers line i begins with.
func (q *quotes) countQuotes(i int) int {
	line := q.text.line(i)
	return bytes.Count(line[:LooseMarks(line)], []byte(">"))
}

// isUnderlined reports whether a heading's mark is the line below it.
func (q *quotes) isUnderlined(h *ast.Heading) bool {
	at := h.Lines().At(0).Start
	return !bytes.HasSuffix(bytes.TrimRight(q.text.src[q.text.starts[q.text.lineAt(at)]:at], " \t"), []byte("#"))
}

func quoteDepth(n ast.Node) int {
	depth := 0
	for ; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindBlockquote {
			depth++
		}
	}
	return depth
}
