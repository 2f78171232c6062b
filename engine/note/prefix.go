package note

import (
	"bytes"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// prefixes says for each marker what stands before the lines of its answer. The
// quote that a marker alone makes up is dropped: the answer takes its place among
// the text around it. A quote that also holds other lines is somebody's quote or
// callout, and the answer stays in it. Quotes and lists around it stay always.
func (l *layout) prefixes(markers []Marker) {
	q := quotes{layout: l, marker: make(map[int]bool), shared: make(map[ast.Node]bool)}
	for _, m := range markers {
		q.marker[m.Line-1] = true
	}
	q.visit(l.root)
	for i := range markers {
		m := &markers[i]
		at := bytes.Index(l.text.src[m.Span.Start:], needle)
		p := l.text.src[m.Span.Start : m.Span.Start+at]
		chain := l.stand[m.Span.Start+at].chain
		last := bytes.LastIndexByte(p, '>')
		first := string(p[:last+1])
		if i := ownerIndex(chain, bytes.Count(p, []byte(">"))); i < 0 || !q.shared[chain[i]] {
			first = string(p[:outer(p, last, chain)])
		}
		if strings.HasSuffix(first, ">") {
			first += " " // or the quote would take the answer's own first space
		}
		m.First, m.Rest = first, indent(first)
	}
}

// ownerIndex is where the n-th quote of a chain stands, or -1: the quote whose
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

// indent turns the first line's prefix into that of every further line: list
// markers become as many spaces, and so the lines belong to the same item.
func indent(first string) string {
	b := []byte(first)
	for i, c := range b {
		if c != '>' && c != '\t' {
			b[i] = ' '
		}
	}
	return string(b)
}

// outer is how much of prefix p belongs to the containers around the quote whose
// marker is at last. Spaces between them and the quote go with it: what they
// indent is the quote, and kept they would turn lines of the answer into code.
func outer(p []byte, last int, chain []ast.Node) int {
	columns := columnsOf(p)
	want, next := 0, 0
	for _, c := range chain {
		switch c := c.(type) {
		case *ast.ListItem:
			want += c.Offset
		case *ast.Blockquote:
			i := bytes.IndexByte(p[next:], '>')
			if i < 0 || next+i >= last {
				return boundary(p, columns, want, last)
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

// boundary is the byte at column want if only space lies between it and last;
// otherwise everything up to last is kept.
func boundary(p []byte, columns []int, want, last int) int {
	i := sort.SearchInts(columns[:last+1], want)
	if i <= last && columns[i] == want && blank(p[i:last]) {
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
// than it stands in.
type extent struct {
	first, last int // lines from 0; first > last if there are none
	other       int
	gap         bool // blank lines between others
}

func (q *quotes) visit(n ast.Node) extent {
	e := extent{first: q.text.count(), last: -1}
	switch n.Kind() {
	case ast.KindBlockquote, ast.KindFencedCodeBlock, ast.KindThematicBreak:
		q.add(&e, n.Pos())
	}
	lines := n.Lines()
	for i := range lines.Len() {
		q.add(&e, lines.At(i).Start)
	}
	if h, ok := n.(*ast.Heading); ok && lines.Len() > 0 && q.underlined(h) {
		e.other = max(e.other, q.depth(e.last))
	}
	for c := n.FirstChild(); c != nil && c.Type() == ast.TypeBlock; c = c.NextSibling() {
		e.join(q.visit(c))
	}
	if n.Kind() == ast.KindBlockquote {
		q.shared[n] = e.gap || e.other >= quoteDepth(n)
	}
	return e
}

// add counts the line at offset off.
func (q *quotes) add(e *extent, off int) {
	if off < 0 || off >= len(q.text.src) {
		return
	}
	line := q.text.at(off)
	one := extent{first: line, last: line}
	if !q.marker[line] {
		one.other = q.depth(line)
	}
	e.join(one)
}

func (e *extent) join(o extent) {
	e.other = max(e.other, o.other)
	e.gap = e.gap || o.gap
	if o.first > o.last {
		return
	}
	if e.first <= e.last && o.first > e.last+1 {
		e.gap = true
	}
	e.first, e.last = min(e.first, o.first), max(e.last, o.last)
}

// depth is how many quote markers line i begins with.
func (q *quotes) depth(i int) int {
	line := q.text.line(i)
	return bytes.Count(line[:LooseMarks(line)], []byte(">"))
}

// underlined says whether a heading's mark is the line below it.
func (q *quotes) underlined(h *ast.Heading) bool {
	at := h.Lines().At(0).Start
	return !bytes.HasSuffix(bytes.TrimRight(q.text.src[q.text.starts[q.text.at(at)]:at], " \t"), []byte("#"))
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
