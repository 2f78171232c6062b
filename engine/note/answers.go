package note

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
)

// Replies returns the edits that put answers into the places of their markers, in the same order. An edit is usually
// that of [Respond]. An answer can change the structure around a later line: a line that continued the marker's
// paragraph without its list ends the list when the marker is gone. If an answer would not be a block for that
// reason, each marker is read again with the answers above it in place.
func Replies(src []byte, markers []Marker, answers []string) []Edit {
	edits := make([]Edit, len(markers))
	for i, m := range markers {
		edits[i] = Respond(src, m, answers[i])
	}
	if len(edits) < 2 {
		return edits
	}
	if out, err := Apply(src, edits); err != nil || BlocksIntact(src, out, edits) {
		return edits
	}
	text, shift, own := src, 0, make(map[int]int)
	for _, m := range markers {
		own[m.Span.Start] = m.Ends - m.Line + 1
	}
	lines := func(m Marker) int {
		if n := own[m.Span.Start-shift]; n > 0 {
			return n
		}
		return m.Ends
	}
	for _, i := range orderByPosition(markers) {
		at := Span{markers[i].Span.Start + shift, markers[i].Span.End + shift}
		m := Marker{Span: at, Comments: markers[i].Comments, Name: markers[i].Name} // it may have become code, and its answer leaves its list as well
		for _, again := range ParseCut(text, lines).Markers {
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

// orderByPosition are the indices of markers as they follow in the note.
func orderByPosition(markers []Marker) []int {
	order := make([]int, len(markers))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(markers[a].Span.Start, markers[b].Span.Start) })
	return order
}

// BlocksIntact reports whether edits have added only whole response blocks to a note, and whether every block from
// before is still whole: both its comments are read as such, so that no code or quote continues behind it.
func BlocksIntact(src, next []byte, edits []Edit) bool {
	after := findCompleteBlocks(next)
	whole := func(start, end int) bool {
		i := sort.Search(len(after), func(i int) bool { return after[i].End >= end })
		return i < len(after) && after[i].Start <= start
	}
	for _, e := range edits {
		if start := shiftOffset(edits, e.Span.Start, false); !e.IsText && !whole(start, start+answerLength(e.New)) {
			return false
		}
	}
	for _, b := range findCompleteBlocks(src) {
		if !whole(shiftOffset(edits, b.Start, true), shiftOffset(edits, b.End, false)) {
			return false
		}
	}
	return true
}

// findCompleteBlocks are the response blocks of a note, from top to bottom, whose closing comment is
// one for Markdown too.
func findCompleteBlocks(src []byte) (blocks []Span) {
	n := readNote(markdown, src)
	for _, b := range n.doc.Blocks {
		last := n.text.starts[n.text.lineAt(b.End)]
		if i := bytes.LastIndex(src[last:b.End], []byte("<!--")); i >= 0 && isHTML(n.lay.solid, last+i) {
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
