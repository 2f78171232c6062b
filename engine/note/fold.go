package note

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold returns the lines of a question without what a formatter, or an editor that trims lines,
// does to their white space. The marks of quotes and lists stay, and so does every byte of a code
// span; between other words stands one space.
func Fold(text string) string {
	text = UnifyLineEnds(text)
	src, code := []byte(text), codeSpans(text)
	var b strings.Builder
	start, space := true, false // among the marks of a line; behind a space
	for i := 0; i < len(src); {
		if len(code) == 0 || i < code[0].Start {
			if src[i] == '\n' {
				b.WriteByte('\n')
				start, space, i = true, false, i+1
				continue
			}
			if n, _ := measureContainer(src[i:], 0); start && n > 0 {
				b.WriteString(strings.Trim(text[i:i+n], " \t"))
				i += n
				continue
			}
		}
		start = false
		r, size := utf8.DecodeRune(src[i:])
		if len(code) > 0 && i == code[0].Start {
			size, code = code[0].End-i, code[1:]
		} else if unicode.IsSpace(r) {
			space, i = true, i+size
			continue
		}
		if space {
			b.WriteByte(' ')
		}
		b.WriteString(text[i : i+size])
		space, i = false, i+size
	}
	return b.String()
}

// FoldHead is Fold of the first line.
func FoldHead(text string) string { return Fold(Head(text)) }

// codeSpans are the code spans of a text, as CommonMark finds them in a paragraph.
func codeSpans(text string) (spans []Span) {
	var runs []Span
	ofLength := make(map[int][]int) // by how many backticks they have, in order
	for i := strings.IndexByte(text, '`'); i >= 0 && i < len(text); {
		n := RunLength([]byte(text[i:]))
		runs, ofLength[n] = append(runs, Span{i, i + n}), append(ofLength[n], len(runs))
		next := strings.IndexByte(text[i+n:], '`')
		if next < 0 {
			break
		}
		i += n + next
	}
	for i := 0; i < len(runs); i++ {
		start, n := runs[i].Start, runs[i].End-runs[i].Start
		if escapes := len(text[:start]) - len(strings.TrimRight(text[:start], `\`)); escapes%2 == 1 {
			start, n = start+1, n-1
		}
		same := ofLength[n]
		for len(same) > 0 && same[0] <= i {
			same = same[1:]
		}
		if ofLength[n] = same; len(same) > 0 {
			spans, i = append(spans, Span{start, runs[same[0]].End}), same[0]
		}
	}
	return spans
}

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
	return Fold(line)
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
	return rest, ok && Fold(first) == folded
}

// CountLists says in how many lists a line may stand, as far as that can be seen in it: its own marks
// count, and what is in a list is indented by two columns at least.
func CountLists(line string) (least, most int) {
	gap, quoted := 0, false
	for i, at := 0, 0; i < len(line); {
		n, width := measureContainer([]byte(line[i:]), at)
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

// Trace is the memory of a marker: enough to find its lines again in a
// note that has changed since.
type Trace struct {
	Text          string // the exact lines, as [Marker.Text] has them
	Before, After string // their nearest non-blank neighbours
	Ordinal, Line int

	// Folds says that other white space is no other question; else every byte counts.
	Folds bool
}

// Block is an answer as it was put into a note.
type Block struct {
	Text          []byte // its lines, without the last line end
	Before, After []byte // the marker's neighbours when it was replaced
}

// Trace returns what to remember of the marker.
func (m Marker) Trace() Trace {
	return Trace{Text: m.Text, Before: m.Before, After: m.After, Ordinal: m.Ordinal, Line: m.Line}
}

// IsBeside reports whether a marker has a neighbour of the trace. The edges of the
// note are no neighbours.
func (t Trace) IsBeside(m Marker) bool {
	return m.Before != "" && SameLine(m.Before, t.Before) || m.After != "" && SameLine(m.After, t.After)
}

// IsBetween reports whether a marker has both neighbours of the trace.
func (t Trace) IsBetween(m Marker) bool {
	return SameLine(m.Before, t.Before) && SameLine(m.After, t.After)
}

// CountLines is how many lines a marker's text has.
func CountLines(text string) int { return 1 + strings.Count(UnifyLineEnds(text), "\n") }

// RunLength is how often the first byte of b is repeated.
func RunLength(b []byte) int {
	n := 1
	for n < len(b) && b[n] == b[0] {
		n++
	}
	return n
}
