package find

import (
	"slices"
	"strings"

	"vaultdispatcher/engine/note"
)

// mostCompared is how long a line may be whose white space is no difference between neighbours.
const mostCompared = 4 << 10

// SameLine reports whether two lines differ in their white space at most.
func SameLine(a, b string) bool {
	return a == b || a != "" && b != "" && FoldNeighbour(a) == FoldNeighbour(b)
}

// FoldNeighbour returns [note.Fold] of a line beside a marker, and a very long line unchanged.
func FoldNeighbour(line string) string {
	if len(line) > mostCompared {
		return line
	}
	return note.Fold(line)
}

// CutLines returns the first count lines of a text, and what is below them with its line end; false where it has fewer.
func CutLines(text string, count int) (first, rest string, ok bool) {
	for i := range text {
		if text[i] == '\n' {
			if count--; count == 0 {
				return text[:i], text[i:], true
			}
		}
	}
	return text, "", count == 1
}

// CutFolded reports whether the lines of text, folded, are the first ones of a marker, and returns the marker's rest.
func CutFolded(lines, folded string, count int) (rest string, ok bool) {
	first, rest, ok := CutLines(lines, count)
	return rest, ok && note.Fold(first) == folded
}

// CountLists returns the least and the most number of lists around a line, as far as the line shows it: its own marks
// count, and a line in a list is indented by two columns at least.
func CountLists(line string) (least, most int) {
	gap, quoted := 0, false
	for i, at := 0, 0; i < len(line); {
		n, width := note.MeasureContainer([]byte(line[i:]), at)
		if n == 0 {
			break
		}
		if line[i] == ' ' || line[i] == '\t' {
			gap += width
		} else {
			if quoted {
				gap--
			}
			if most += max(0, gap) / 2; gap > 3 || gap > 1 && line[i] != '>' {
				least++ // in none it would be code, and items are hardly indented
			}
			if gap, quoted = 0, line[i] == '>'; !quoted {
				least, most, gap = least+1, most+1, -4
			}
		}
		i, at = i+n, at+width
	}
	return least, most
}

// IsBeside reports whether a marker has a neighbour of the trace. The edges of the
// note are no neighbours.
func IsBeside(m note.Marker, t note.Trace) bool {
	return m.Upper != "" && SameLine(m.Upper, t.Upper) || m.Lower != "" && SameLine(m.Lower, t.Lower)
}

// IsBetween reports whether a marker has both neighbours of the trace.
func IsBetween(m note.Marker, t note.Trace) bool {
	return SameLine(m.Upper, t.Upper) && SameLine(m.Lower, t.Lower)
}

// KeysBeside returns the keys that find markers again in another note: the first line with each neighbour, or alone.
// A marker that has one or both neighbours of a trace shares a key with it ([IsBeside], [IsBetween]). The further
// lines of either may be neighbours of the other ([note.Page.Cut]).
func KeysBeside(traces ...note.Trace) (keys []string) {
	for _, t := range traces {
		head := note.Neighbour([]byte(note.FoldHead(t.Text)))
		if t.Upper == "" && t.Lower == "" {
			keys = append(keys, head+"\nalone")
		}
		if t.Upper != "" {
			keys = append(keys, head+"\nbelow "+FoldNeighbour(t.Upper))
		}
		if t.Lower != "" {
			keys = append(keys, head+"\nabove "+FoldNeighbour(t.Lower))
		}
		for _, line := range strings.Split(note.UnifyLineEnds(t.Text), "\n")[1:] {
			if !note.IsMute([]byte(line)) {
				keys = append(keys, head+"\nabove "+FoldNeighbour(note.Neighbour([]byte(line))))
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Keys returns the keys of markers, and their first lines ([note.FoldHead]) with any neighbours.
func Keys(traces ...note.Trace) []string {
	keys := KeysBeside(traces...)
	for _, t := range traces {
		keys = append(keys, note.FoldHead(t.Text))
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
