package rewrite

import (
	"bytes"
	"slices"
	"strings"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/note/merge"
	"vaultdispatcher/engine/note/progress"
)

// undoParts restores the parts of a note whose markers are back already. If a person has changed other
// lines of a part since, it keeps those; if they have changed the written text, it returns
// [ErrEdited].
func undoParts(src []byte, places []Place) ([]byte, error) {
	if !slices.ContainsFunc(places, func(p Place) bool { return p.Edit != nil && p.Edit.New != nil }) {
		return src, nil
	}
	bared := progress.Bare(src)
	markers := bared.Doc().Markers
	found := matchPlaces(markers, Job{Places: places})
	var all []note.Edit
	for i, p := range places {
		if p.Edit == nil || p.Edit.New == nil {
			continue
		}
		if found[i] < 0 {
			return nil, ErrUnsafe
		}
		edits, ok := p.Edit.revert(bared.Text, markers[found[i]].Line-1)
		if !ok {
			return nil, ErrEdited
		}
		all = append(all, edits...)
	}
	return applyText(bared, all)
}

// revert returns the edits that put back what the part was in the note of now, whose line asks about it.
func (e Edit) revert(text []byte, asks int) (edits []note.Edit, ok bool) {
	run, found := e.findRun(text, e.New)
	if _, back := e.findRun(text, e.Old); !found && back {
		return nil, true
	}
	if found && bytes.Equal(text[run.Start:run.End], e.New) {
		return lineEdits(run.Start, e.New, e.Old), true
	}
	at := len(note.LineSpans(text[:run.Start]))
	lines, was, now := note.LineSpans(text), note.LineSpans(e.Old), note.Lines(e.New)
	gone, come, ok := merge.Changed(now, note.Lines(e.Old))
	for i, j := 0, 0; ok && (i < len(now) || j < len(was)); {
		if i < len(now) && j < len(was) && !gone[i] && !come[j] {
			i, j = i+1, j+1
			continue
		}
		i2, j2 := i, j
		for i2 < len(now) && gone[i2] {
			i2++
		}
		for j2 < len(was) && come[j2] {
			j2++
		}
		from := at + i
		if !found {
			if from, ok = findHunk(note.Lines(text), now, i, i2, asks); !ok {
				return nil, false
			}
		}
		one := note.Edit{IsText: true}
		switch end := from + i2 - i; {
		case i < i2 && j < j2:
			one.Span, one.New = note.Span{Start: lines[from].Start, End: lines[end-1].End}, e.Old[was[j].Start:was[j2-1].End]
		case i < i2 && i > 0:
			one.Span = note.Span{Start: lines[from-1].End, End: lines[end-1].End}
		case i < i2:
			one.Span = note.Span{Start: lines[from].Start, End: lines[end].Start}
		case i > 0:
			one.Span, one.New = note.Span{Start: lines[from-1].End, End: lines[from-1].End}, e.Old[was[j-1].End:was[j2-1].End]
		default:
			one.Span, one.New = note.Span{Start: lines[from].Start, End: lines[from].Start}, e.Old[was[j].Start:was[j2].Start]
		}
		edits, i, j = append(edits, one), i2, j2
	}
	return edits, ok
}

// findRun returns where a text holds the lines of a part between neighbours that it had; of several places the one with more of them.
func (e Edit) findRun(text, lines []byte) (run note.Span, found bool) {
	best := 0
	for _, one := range find.FindLines(text, lines) {
		if score := scoreNeighbours(text, one, note.Block{Upper: []byte(e.Upper), Lower: []byte(e.Lower)}); score >= best {
			run, found, best = one, score > best, score
		}
	}
	return run, found
}

// mostAway is how many lines more than a part has what is left of it may be away from its question.
const mostAway = 20

// findHunk returns from where on a text has the lines from i to end of a part, which it does not have as a whole, with lines that
// were beside them.
func findHunk(text, lines []string, i, end, asks int) (at int, found bool) {
	for around := 6; around > 0; around-- {
		n := 0
		for before := max(0, around-3); before <= min(3, around); before++ {
			from, to := i-before, end+around-before
			if from < 0 || to > len(lines) || strings.TrimSpace(strings.Join(lines[from:i], "")+strings.Join(lines[end:to], "")) == "" {
				continue
			}
			for first := range len(text) - (to - from) + 1 {
				if slices.Equal(text[first:first+to-from], lines[from:to]) {
					if n == 0 || first+before != at {
						n++
					}
					at = first + before
				}
			}
		}
		if n > 0 {
			return at, n == 1 && max(at-asks, asks-at) <= len(lines)+mostAway
		}
	}
	return 0, false
}

// lineEdits are the edits that make bytes at an offset other ones, whole lines at once.
func lineEdits(at int, now, was []byte) (edits []note.Edit) {
	a, b := linesWithEnds(now), linesWithEnds(was)
	gone, come, ok := merge.Changed(a, b)
	for i, j := 0, 0; i < len(a) || j < len(b); {
		e := note.Edit{Span: note.Span{Start: at}, IsText: true}
		for ; i < len(a) && (!ok || gone[i]); i++ {
			at += len(a[i])
		}
		for ; j < len(b) && (!ok || come[j]); j++ {
			e.New = append(e.New, b[j]...)
		}
		if e.Span.End = at; at > e.Span.Start || len(e.New) > 0 {
			edits = append(edits, e)
		}
		if i < len(a) && j < len(b) {
			at, i, j = at+len(a[i]), i+1, j+1
		}
	}
	return edits
}

// linesWithEnds cuts bytes into lines, each with its end.
func linesWithEnds(text []byte) (lines []string) {
	from := 0
	for i, s := range note.LineSpans(text) {
		if i > 0 {
			lines, from = append(lines, string(text[from:s.Start])), s.Start
		}
	}
	return append(lines, string(text[from:]))
}
