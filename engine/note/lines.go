package note

import (
	"bytes"
	"sort"
	"strings"
)

var bom = []byte("\xEF\xBB\xBF")

// text is a note cut into lines. A line ends with LF, CRLF or a lone CR, as in
// every editor a note may have met. A byte order mark belongs to no line.
type text struct {
	src    []byte
	starts []int // where each line begins, rising
}

func newText(src []byte) text {
	t := text{src: src}
	for i := t.textStart(); i < len(src); {
		t.starts = append(t.starts, i)
		end := len(src)
		if lf := bytes.IndexByte(src[i:], '\n'); lf >= 0 {
			end = i + lf + 1
		}
		t.cutAtCR(i, end)
		i = end
	}
	return t
}

// cutAtCR finds the lines that lone CRs make of one that begins at i, is already
// among the starts, and ends, line end included, before end.
func (t *text) cutAtCR(i, end int) {
	for i < end {
		cr := bytes.IndexByte(t.src[i:end], '\r')
		if cr < 0 {
			break
		}
		i += cr + 1
		if i < end && t.src[i] != '\n' {
			t.starts = append(t.starts, i)
		}
	}
}

// textStart is where the text begins: behind the byte order mark.
func (t text) textStart() int {
	if bytes.HasPrefix(t.src, bom) {
		return len(bom)
	}
	return 0
}

func (t text) count() int { return len(t.starts) }

// span is line i, counted from 0, without its line end.
func (t text) span(i int) Span {
	end := t.nextStart(i)
	start := t.starts[i]
	if end > start && t.src[end-1] == '\n' {
		end--
	}
	if end > start && t.src[end-1] == '\r' {
		end--
	}
	return Span{start, end}
}

// nextStart is where the line after line i begins.
func (t text) nextStart(i int) int {
	if i+1 < len(t.starts) {
		return t.starts[i+1]
	}
	return len(t.src)
}

func (t text) line(i int) []byte {
	s := t.span(i)
	return t.src[s.Start:s.End]
}

// lineAt is the line that holds the byte at offset off, from 0.
func (t text) lineAt(off int) int {
	return max(0, sort.SearchInts(t.starts, off+1)-1)
}

func isBlank(line []byte) bool { return len(bytes.Trim(line, " \t")) == 0 }

// isMute reports whether a line is blank in its quote: as a neighbour it identifies nothing.
func isMute(line []byte) bool { return len(bytes.Trim(line, " \t>")) == 0 }

// Head is the first line of a marker's text: the one with the request.
func Head(text string) string {
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		return text[:i]
	}
	return text
}

// Runs finds the places where src holds the lines of block, one after the
// other and whole. Line ends and a byte order mark do not count, since an editor
// may have changed them; every other byte does. The spans are without the last
// line end and do not overlap.
func Runs(src, block []byte) []Span {
	t, b := newText(src), newText(block)
	var found []Span
	if b.count() == 0 {
		return nil
	}
	if block[len(block)-1] == '\n' || block[len(block)-1] == '\r' {
		b.starts = append(b.starts, len(block)) // its last line is empty
	}
	for i := 0; i+b.count() <= t.count(); {
		if !t.holdsLines(i, b) {
			i++
			continue
		}
		last := i + b.count() - 1
		found = append(found, Span{t.starts[i], t.span(last).End})
		i = last + 1
	}
	return found
}

// holdsLines reports whether t holds the lines of b from line i on.
func (t text) holdsLines(i int, b text) bool {
	for n := range b.count() {
		if !bytes.Equal(t.line(i+n), b.line(n)) {
			return false
		}
	}
	return true
}

// Around returns the nearest lines that say something above and below a span of
// whole lines, "" where the note ends before there is one.
func Around(src []byte, s Span) (before, after string) {
	t := newText(src)
	if t.count() == 0 {
		return "", ""
	}
	for i := t.lineAt(s.Start) - 1; i >= 0 && before == ""; i-- {
		if line := t.line(i); !isMute(line) {
			before = Neighbour(line)
		}
	}
	for i := t.lineAt(s.End) + 1; i < t.count() && after == ""; i++ {
		if line := t.line(i); !isMute(line) {
			after = Neighbour(line)
		}
	}
	return before, after
}

// Lines cuts text into its lines, without their ends.
func Lines(src []byte) []string {
	t := newText(src)
	lines := make([]string, t.count())
	for i := range lines {
		lines[i] = string(t.line(i))
	}
	return lines
}

// IsTag reports whether a line is the first or the last of a response block.
func IsTag(line string) bool {
	b := []byte(line)
	n, _ := tagAt(b[LooseMarks(b):])
	return n > 0
}
