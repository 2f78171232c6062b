package part

import (
	"bytes"

	"github.com/yuin/goldmark/ast"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// unit is a part of a note before its lines are read.
type unit struct {
	name       string
	start, end int      // lines
	parent     ast.Node // the document, or the quote around it
	depth      int      // quotes around it
}

// unitOf returns what a question is about: in the innermost quote with lines of others, or else in the one around that.
func (r *reader) unitOf(m note.Marker) (unit, error) {
	asked := m.Line - 1
	type place struct {
		parent ast.Node
		end    int
	}
	around := []place{{r.root, len(r.spans) - 1}}
	for {
		in := around[len(around)-1]
		child, end := r.childAt(in.parent, asked, in.end)
		if child != nil && child.Kind() == ast.KindList {
			return unit{"list it stands in", r.lineOf(child.Pos()), end, in.parent, len(around) - 1}, nil
		}
		if child == nil || child.Kind() != ast.KindBlockquote {
			break
		}
		around = append(around, place{child, end})
	}
	for depth := len(around) - 1; depth >= 0; depth-- {
		in := around[depth]
		first := 0
		if depth > 0 {
			first = r.lineOf(in.parent.Pos())
		}
		above := asked - 1
		for above >= first && (r.isMute(above) || r.asks[above]) {
			above--
		}
		if above < first {
			continue
		}
		child, end := r.childAt(in.parent, above, in.end)
		if u, ok := r.unitAt(child, in.parent, min(end, asked-1), in.end); ok {
			u.depth = depth
			return u, nil
		}
		break
	}
	return unit{}, errNone
}

// unitAt is the unit that a block makes, which ends at end, in what ends at last.
func (r *reader) unitAt(block, in ast.Node, end, last int) (unit, bool) {
	if block == nil {
		return unit{}, false
	}
	u := unit{start: r.lineOf(block.Pos()), end: end, parent: in}
	switch b := block.(type) {
	case *ast.Paragraph:
		if u.name = "paragraph above"; u.start < end && delimiterRow().Match(r.lineBytes(u.start+1)) {
			u.name = "table above"
		}
	case *ast.List:
		u.name = "list above"
	case *ast.Blockquote:
		u.name = "quote above"
	case *ast.Heading:
		u.name, u.start, u.end = "section", r.lineOf(b.Pos())+1, last
		if !bytes.Contains(r.lineBytes(u.start-1), []byte("#")) || b.Lines().Len() > 0 && !isATX().Match(r.lineBytes(u.start-1)) {
			u.start += max(1, b.Lines().Len()) // its mark is the line below its text
		}
		for next := block.NextSibling(); next != nil; next = next.NextSibling() {
			if h, ok := next.(*ast.Heading); ok && h.Level <= b.Level {
				u.end = r.lineOf(h.Pos()) - 1
				break
			}
		}
	default:
		return u, false
	}
	return u, true
}

var (
	delimiterRow = lazyregexp.New(`^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)
	isATX        = lazyregexp.New(`^[ \t>]*#{1,6}(?:[ \t]|$)`)
)

// unitsIn are the units that the blocks of the document, or of a quote, make.
func (r *reader) unitsIn(in ast.Node, depth int) (units []unit) {
	last := len(r.spans) - 1
	if in != r.root {
		_, last = r.childAt(in.Parent(), r.lineOf(in.Pos()), last)
	}
	for c := in.FirstChild(); c != nil && c.Type() == ast.TypeBlock; c = c.NextSibling() {
		if u, ok := r.unitAt(c, in, r.endOf(c, last), last); ok {
			u.depth = depth
			units = append(units, u)
		}
	}
	return units
}

// childAt is the block below in that a line belongs to, and its last line; in ends at last.
func (r *reader) childAt(in ast.Node, at, last int) (found ast.Node, end int) {
	for c := in.FirstChild(); c != nil && c.Type() == ast.TypeBlock; c = c.NextSibling() {
		if r.lineOf(c.Pos()) <= at {
			found, end = c, r.endOf(c, last)
		}
	}
	return found, end
}

// endOf is the last line of a block in what ends at last.
func (r *reader) endOf(block ast.Node, last int) int {
	if next := block.NextSibling(); next != nil {
		last = r.lineOf(next.Pos()) - 1
	}
	first := r.lineOf(block.Pos())
	for last > first && r.isMute(last) {
		last--
	}
	return last
}
