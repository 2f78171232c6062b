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

// FoldNeighbour is Fold of a line beside a marker; a very long one stays as it is.
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

// CutFolded reports whether the lines of text, folded, are the first ones of a marker's, and returns
// what the marker has below them.
func CutFolded(lines, folded string, count int) (rest string, ok bool) {
	first, rest, ok := CutLines(lines, count)
	return rest, ok && note.Fold(first) == folded
}

// CountLists says in how many lists a line may stand, as far as that can be seen in it: its own marks
// count, and what is in a list is indented by two columns at least.
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

// KeysBeside are the keys by which markers are found again in another note: by their first line and each of the neighbours, or
// by having none. A marker that stands beside one of those of a trace, or between both, shares one with it ([IsBeside],
// [IsBetween]). Either may go on in lines that are the neighbours of the other ([note.ParseCut]).
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

// Keys are those of markers, and their first lines ([note.FoldHead]), whatever stands beside them.
func Keys(traces ...note.Trace) []string {
	keys := KeysBeside(traces...)
	for _, t := range traces {
		keys = append(keys, note.FoldHead(t.Text))
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
