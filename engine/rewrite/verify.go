package rewrite

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/headings"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/note/sanitize"
)

// buildAnswered puts the answers in the place of the markers that were found, and removes the comments
// under these markers and other comments about the dispatch's progress. The comments about other
// dispatches are kept; without comments the result is the same.
func buildAnswered(bared progress.Bared, doc note.Doc, found []int, answers []string, id string) (next []byte, edits []note.Edit, err error) {
	edits, answered := buildReplies(bared.Page, doc, found, answers)
	var raw []note.Edit
	told := make(map[note.Span]bool)
	for _, e := range edits {
		raw = append(raw, note.Edit{Span: bared.Raw(e.Span), New: e.New})
		for _, p := range bared.Under(e.Span) {
			told[p.Span] = true
		}
	}
	spans := make([]note.Span, len(raw))
	for i, e := range raw {
		spans[i] = e.Span
	}
	slices.SortFunc(spans, func(a, b note.Span) int { return cmp.Compare(a.Start, b.Start) })
	for _, p := range bared.Progress {
		if !isWithin(spans, p.Span) && (told[p.Span] || id != "" && p.ID == id) {
			raw = append(raw, note.Edit{Span: p.Span})
		}
	}
	if next, err = note.Apply(bared.Text, edits); err != nil {
		return nil, nil, fmt.Errorf("build the answered note: %w", err)
	}
	if err := verify(bared.Page, note.NewPage(next), edits, answered); err != nil {
		return nil, nil, err
	}
	next, err = editAround(bared.Source, raw, next)
	return next, edits, err
}

// isWithin reports whether one of spans, which are sorted and disjoint, holds s: a comment between the
// lines of a question is removed with them.
func isWithin(spans []note.Span, s note.Span) bool {
	i, _ := slices.BinarySearchFunc(spans, s.End, func(a note.Span, end int) int { return cmp.Compare(a.End, end) })
	return i < len(spans) && spans[i].Start <= s.Start
}

// buildReplies are the edits for the markers that were found, and which these are.
func buildReplies(page *note.Page, doc note.Doc, found []int, answers []string) (edits []note.Edit, answered []int) {
	var markers []note.Marker
	var given []string
	for i, at := range found {
		if at >= 0 {
			markers, given, answered = append(markers, doc.Markers[at]), append(given, answers[i]), append(answered, at)
		}
	}
	return sanitize.Replies(page, markers, headings.Fit(page.Text, given)), answered
}

// editAround carries out edits of a note with progress comments, which without them
// has to become next.
func editAround(src []byte, edits []note.Edit, next []byte) ([]byte, error) {
	whole, err := note.Apply(src, edits)
	if err != nil {
		return nil, fmt.Errorf("build the note: %w", err)
	}
	if !sameOutside(src, whole, edits) || !bytes.Equal(progress.Bare(whole).Text, next) {
		return nil, fmt.Errorf("%w: bytes outside the marker would change", ErrUnsafe)
	}
	return whole, nil
}

// makeDraft is what build, whose edits are given, puts into the note.
func makeDraft(src []byte, doc note.Doc, found []int, edits []note.Edit) Draft {
	d := Draft{Base: src, Blocks: make([]note.Block, len(found)), Replaced: make([]string, len(found))}
	for i, at := range found {
		if at >= 0 {
			m := doc.Markers[at]
			d.Blocks[i] = note.Block{Text: edits[0].New, Upper: []byte(m.Upper), Lower: []byte(m.Lower)}
			d.Replaced[i], edits = m.Text, edits[1:]
		}
	}
	return d
}

// verify parses the new text before any other program sees it: every byte outside the edits is the
// same, the markers are exactly the old ones without the answered, and each answer is a response
// block, as every older one still is.
func verify(page, next *note.Page, edits []note.Edit, answered []int) error {
	if !sameOutside(page.Text, next.Text, edits) {
		return fmt.Errorf("%w: bytes outside the marker would change", ErrUnsafe)
	}
	var want []string
	for i, m := range page.Doc().Markers {
		if !slices.Contains(answered, i) {
			want = append(want, note.Head(m.Text))
		}
	}
	var got []string
	for _, m := range next.Doc().Markers {
		got = append(got, note.Head(m.Text))
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("%w: %d markers should be left and there would be %d", ErrUnsafe, len(want), len(got))
	}
	if !page.KeepsBlocks(next, edits) {
		return fmt.Errorf("%w: an answer would not be a block of its own in the place of its line", ErrUnsafe)
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
