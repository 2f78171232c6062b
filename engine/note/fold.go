package note

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold returns the lines of a question with uniform white space, so that the work of a formatter, or of an editor
// that trims lines, makes no difference. It keeps the marks of quotes and lists and every byte of a code span. It
// puts one space between other words.
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
			if n, _ := MeasureContainer(src[i:], 0); start && n > 0 {
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

// Trace is the memory of a marker: enough to find its lines again in a
// note that has changed since.
type Trace struct {
	Text          string // the exact lines, as [Marker.Text] has them
	Upper, Lower  string // their nearest non-blank neighbours
	Ordinal, Line int

	// Folds says that other white space is no other question; else every byte counts.
	Folds bool
}

// Block is an answer as it was put into a note.
type Block struct {
	Text         []byte // its lines, without the last line end
	Upper, Lower []byte // the marker's neighbours when it was replaced
}

// Trace returns what to remember of the marker.
func (m Marker) Trace() Trace {
	return Trace{Text: m.Text, Upper: m.Upper, Lower: m.Lower, Ordinal: m.Ordinal, Line: m.Line}
}

// CountLines is how many lines a marker's text has.
func CountLines(text string) int { return 1 + strings.Count(UnifyLineEnds(text), "\n") }

// RunLength is how often the first byte of b is repeated.
func RunLength(b []byte) int { return countLeading(b, func(c byte) bool { return c == b[0] }) }

// countLeading counts the bytes at the beginning of b that are in.
func countLeading(b []byte, in func(byte) bool) int {
	for i, c := range b {
		if !in(c) {
			return i
		}
	}
	return len(b)
}
