package note

import (
	"cmp"
	"fmt"
	"slices"
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
