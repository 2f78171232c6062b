package rewrite

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"vaultdispatcher/engine/note"
)

// build puts the answers in the place of the markers that were found.
func build(src []byte, doc note.Doc, found []int, answers []string) ([]byte, error) {
	var edits []note.Edit
	var answered []int
	for i, at := range found {
		if at >= 0 {
			answered = append(answered, at)
			edits = append(edits, note.Respond(src, doc.Markers[at], answers[i]))
		}
	}
	next, err := note.Apply(src, edits)
	if err != nil {
		return nil, fmt.Errorf("build the answered note: %w", err)
	}
	return next, verify(src, next, doc, edits, answered)
}

// draft is what build puts into the note.
func draft(src []byte, doc note.Doc, found []int, answers []string) Draft {
	d := Draft{Base: src, Blocks: make([]Block, len(found))}
	for i, at := range found {
		if at >= 0 {
			m := doc.Markers[at]
			d.Blocks[i] = Block{Text: note.Respond(src, m, answers[i]).New, Before: []byte(m.Before), After: []byte(m.After)}
		}
	}
	return d
}

// verify reads the new text with a parser's eyes before anybody else does: every
// byte outside the edits is the same, and the markers are exactly the old ones
// without the answered.
func verify(src, next []byte, doc note.Doc, edits []note.Edit, answered []int) error {
	if !sameOutside(src, next, edits) {
		return fmt.Errorf("%w: bytes outside the marker would change", ErrUnsafe)
	}
	var want []string
	for i, m := range doc.Markers {
		if !slices.Contains(answered, i) {
			want = append(want, m.Text)
		}
	}
	var got []string
	for _, m := range note.Parse(next).Markers {
		got = append(got, m.Text)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("%w: %d markers should be left and there would be %d", ErrUnsafe, len(want), len(got))
	}
	return nil
}

// sameOutside walks both texts from edit to edit.
func sameOutside(src, next []byte, edits []note.Edit) bool {
	edits = slices.SortedFunc(slices.Values(edits), func(a, b note.Edit) int {
		return cmp.Compare(a.Span.Start, b.Span.Start)
	})
	for i := len(edits) - 1; i >= 0; i-- {
		e := edits[i]
		tail := src[e.Span.End:]
		if !bytes.HasSuffix(next, tail) {
			return false
		}
		next = next[:len(next)-len(tail)]
		if !bytes.HasSuffix(next, e.New) {
			return false
		}
		next = next[:len(next)-len(e.New)]
		src = src[:e.Span.Start]
	}
	return bytes.Equal(src, next)
}
