package note

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
)

// Edit replaces the bytes of one span of a note by New.
type Edit struct {
	Span   Span
	New    []byte
	IsText bool // New is a person's text anew, and no response block
}

// Apply carries out edits, given in any order, and returns the new note; it does not change src. It keeps every byte
// outside the spans. It refuses all edits if two overlap or one is outside the note.
func Apply(src []byte, edits []Edit) ([]byte, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
	})
	size, end := len(src), 0
	for _, e := range sorted {
		s := e.Span
		if s.Start < 0 || s.End < s.Start || s.End > len(src) {
			return nil, fmt.Errorf("editing the note: bytes %d to %d are not in its %d bytes", s.Start, s.End, len(src))
		}
		if s.Start < end {
			return nil, fmt.Errorf("editing the note: two edits want byte %d", s.Start)
		}
		size += len(e.New) - (s.End - s.Start)
		end = s.End
	}
	out := make([]byte, 0, size)
	end = 0
	for _, e := range sorted {
		out = append(out, src[end:e.Span.Start]...)
		out = append(out, e.New...)
		end = e.Span.End
	}
	return append(out, src[end:]...), nil
}

// Replies returns the edits that put answers into the places of their markers, in the same order. An edit is usually
// that of [Respond]. An answer can change the structure around a later line: a line that continued the marker's
// paragraph without its list ends the list when the marker is gone. If an answer would not be a block for that
// reason, each marker is read again with the answers above it in place.
func Replies(page *Page, markers []Marker, answers []string) []Edit {
	src, edits := page.Text, make([]Edit, len(markers))
	for i, m := range markers {
		edits[i] = Respond(src, m, answers[i])
	}
	if len(edits) < 2 {
		return edits
	}
	if out, err := Apply(src, edits); err != nil || page.KeepsBlocks(NewPage(out), edits) {
		return edits
	}
	text, shift, own, order := src, 0, make(map[int]int), make([]int, len(markers))
	for i, m := range markers {
		own[m.Span.Start], order[i] = m.Ends-m.Line+1, i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(markers[a].Span.Start, markers[b].Span.Start) })
	lines := func(m Marker) int {
		if n := own[m.Span.Start-shift]; n > 0 {
			return n
		}
		return m.Ends
	}
	for _, i := range order {
		at := Span{markers[i].Span.Start + shift, markers[i].Span.End + shift}
		m := Marker{Span: at, Comments: markers[i].Comments, Name: markers[i].Name} // it may have become code, and its answer leaves its list as well
		for _, again := range NewPage(text).Cut(lines).Markers {
			if again.Span.Start == at.Start {
				m = again
				m.Span = at
			}
		}
		edits[i].New = Respond(text, m, answers[i]).New
		next, err := Apply(text, []Edit{{Span: at, New: edits[i].New}})
		if err != nil {
			return edits
		}
		text, shift = next, shift+len(next)-len(text)
	}
	return edits
}

// KeepsBlocks reports whether edits have added only whole response blocks to a note, and whether every block from
// before is still whole: both its comments are read as such, so that no code or quote continues behind it.
func (p *Page) KeepsBlocks(next *Page, edits []Edit) bool {
	after := next.read().findCompleteBlocks()
	whole := func(start, end int) bool {
		i := sort.Search(len(after), func(i int) bool { return after[i].End >= end })
		return i < len(after) && after[i].Start <= start
	}
	for _, e := range edits {
		if start := shiftOffset(edits, e.Span.Start, false); !e.IsText && !whole(start, start+answerLength(e.New)) {
			return false
		}
	}
	for _, b := range p.read().findCompleteBlocks() {
		if !whole(shiftOffset(edits, b.Start, true), shiftOffset(edits, b.End, false)) {
			return false
		}
	}
	return true
}

// findCompleteBlocks are the response blocks of a note, from top to bottom, whose closing comment is
// one for Markdown too.
func (n *reading) findCompleteBlocks() (blocks []Span) {
	for _, b := range n.doc.Blocks {
		last := n.text.starts[n.text.lineAt(b.End)]
		if i := bytes.LastIndex(n.text.src[last:b.End], []byte("<!--")); i >= 0 && isHTML(n.lay.solid, last+i) {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// shiftOffset is where an offset is once edits are carried out: above what one of them puts right there, or below that.
func shiftOffset(edits []Edit, off int, below bool) int {
	to := off
	for _, e := range edits {
		if e.Span.Start < off || below && e.Span == (Span{off, off}) {
			to += len(e.New) - (e.Span.End - e.Span.Start)
		}
	}
	return to
}
