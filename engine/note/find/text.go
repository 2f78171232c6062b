package find

import "vaultdispatcher/engine/note"

// Text is a text in which many blocks of lines are looked for: each costs about as much as it is long, however long the text is.
type Text struct {
	src        []byte
	lines      []note.Span
	equal      map[string]run
	successors []int // of each line the next one that says the same
}

// run are the lines of a text that say the same.
type run struct{ first, last, count int }

// NewText returns a text to look into. It must not be changed.
func NewText(src []byte) *Text {
	t := &Text{src: src, lines: note.LineSpans(src)}
	t.equal, t.successors = make(map[string]run, len(t.lines)), make([]int, len(t.lines))
	whole := string(src) // the keys are parts of it
	for i, s := range t.lines {
		r, known := t.equal[whole[s.Start:s.End]]
		if known {
			t.successors[r.last] = i
		} else {
			r.first = i
		}
		r.last, r.count = i, r.count+1
		t.equal[whole[s.Start:s.End]] = r
	}
	return t
}

// FindLines is [FindLines] in the text.
func (t *Text) FindLines(block []byte) (found []note.Span) {
	wanted := linesOf(block)
	if len(wanted) == 0 {
		return nil
	}
	rarest, at := run{}, 0 // of the lines of the block, and which of them it is
	for n, line := range wanted {
		r := t.equal[line]
		if r.count == 0 {
			return nil
		}
		if n == 0 || r.count < rarest.count {
			rarest, at = r, n
		}
	}
	i, end := rarest.first, 0
	for range rarest.count {
		if from := i - at; from >= end && from+len(wanted) <= len(t.lines) && holdsLines(t.src, t.lines[from:], wanted) {
			end = from + len(wanted)
			found = append(found, note.Span{Start: t.lines[from].Start, End: t.lines[end-1].End})
		}
		i = t.successors[i]
	}
	return found
}
