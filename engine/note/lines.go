package note

import (
	"bytes"
	"crypto/sha256"
	"fmt"
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
func (t text) lineAt(off int) int { return max(0, sort.SearchInts(t.starts, off+1)-1) }

func isBlank(line []byte) bool { return len(bytes.Trim(line, " \t")) == 0 }

// IsMute reports whether a line is blank in its quote: as a neighbour it identifies nothing.
func IsMute(line []byte) bool { return len(bytes.Trim(line, " \t>")) == 0 }

// Head is the first line of a marker's text: the one with the request.
func Head(text string) string {
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		return text[:i]
	}
	return text
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

// LineSpans returns where the lines of text are, without their ends.
func LineSpans(src []byte) []Span {
	t := newText(src)
	spans := make([]Span, t.count())
	for i := range spans {
		spans[i] = t.span(i)
	}
	return spans
}

// IsTag reports whether a line is the first or the last of a response block.
func IsTag(line string) bool {
	b := []byte(line)
	n, _ := tagAt(b[LooseMarks(b):])
	return n > 0
}

// mostNeighbour is how long a line may be that is remembered whole.
const mostNeighbour = 4 << 10

// Neighbour returns a line in the form that is remembered to find the text beside it again: a very long line becomes
// its beginning and its hash.
func Neighbour(line []byte) string {
	if len(line) <= mostNeighbour {
		return string(line)
	}
	return fmt.Sprintf("%s… %x", strings.ToValidUTF8(string(line[:200]), ""), sha256.Sum256(line))
}
