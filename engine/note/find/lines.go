package find

import (
	"sort"

	"vaultdispatcher/engine/note"
)

// FindLines finds the places where src holds the lines of block, one after the
// other and whole. Line ends and a byte order mark do not count, since an editor
// may have changed them; every other byte does. The spans are without the last
// line end and do not overlap.
func FindLines(src, block []byte) []note.Span {
	lines, wanted := note.LineSpans(src), linesOf(block)
	var found []note.Span
	if len(wanted) == 0 {
		return nil
	}
	for i := 0; i+len(wanted) <= len(lines); {
		if !holdsLines(src, lines[i:], wanted) {
			i++
			continue
		}
		last := i + len(wanted) - 1
		found = append(found, note.Span{Start: lines[i].Start, End: lines[last].End})
		i = last + 1
	}
	return found
}

// linesOf are the lines of a block that are looked for.
func linesOf(block []byte) []string {
	wanted := note.Lines(block)
	if len(wanted) == 0 {
		return nil
	}
	if end := block[len(block)-1]; end == '\n' || end == '\r' {
		wanted = append(wanted, "") // its last line is empty
	}
	return wanted
}

// holdsLines reports whether the first of the lines of src are those wanted.
func holdsLines(src []byte, lines []note.Span, wanted []string) bool {
	for n, want := range wanted {
		if string(src[lines[n].Start:lines[n].End]) != want {
			return false
		}
	}
	return true
}

// NearestLines returns the nearest lines that say something above and below a span of
// whole lines, "" where the note ends before there is one.
func NearestLines(src []byte, s note.Span) (before, after string) {
	lines := note.LineSpans(src)
	at := func(off int) int {
		return max(0, sort.Search(len(lines), func(i int) bool { return lines[i].Start > off })-1)
	}
	said := func(i int) string {
		line := src[lines[i].Start:lines[i].End]
		if note.IsMute(line) {
			return ""
		}
		return note.Neighbour(line)
	}
	for i := at(s.Start) - 1; i >= 0 && before == ""; i-- {
		before = said(i)
	}
	for i := at(s.End) + 1; i < len(lines) && after == ""; i++ {
		after = said(i)
	}
	return before, after
}
