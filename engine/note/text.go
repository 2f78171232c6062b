package note

import (
	"bytes"
	"sort"
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
	i := 0
	if bytes.HasPrefix(src, bom) {
		i = len(bom)
	}
	for i < len(src) {
		t.starts = append(t.starts, i)
		i += lineLen(src[i:])
	}
	return t
}

// lineLen is the length of the first line of b with its line end.
func lineLen(b []byte) int {
	n := bytes.IndexByte(b, '\n')
	if n < 0 {
		n = len(b)
	} else {
		n++
	}
	if cr := bytes.IndexByte(b[:n], '\r'); cr >= 0 && (cr+1 >= n || b[cr+1] != '\n') {
		return cr + 1
	}
	return n
}

// base is where the text begins: behind the byte order mark.
func (t text) base() int {
	if bytes.HasPrefix(t.src, bom) {
		return len(bom)
	}
	return 0
}

func (t text) count() int { return len(t.starts) }

// span is line i, counted from 0, without its line end.
func (t text) span(i int) Span {
	end := t.next(i)
	start := t.starts[i]
	if end > start && t.src[end-1] == '\n' {
		end--
	}
	if end > start && t.src[end-1] == '\r' {
		end--
	}
	return Span{start, end}
}

// next is where the line after line i begins.
func (t text) next(i int) int {
	if i+1 < len(t.starts) {
		return t.starts[i+1]
	}
	return len(t.src)
}

func (t text) line(i int) []byte {
	s := t.span(i)
	return t.src[s.Start:s.End]
}

// at is the line that holds the byte at offset off, from 0.
func (t text) at(off int) int {
	return max(0, sort.SearchInts(t.starts, off+1)-1)
}

// eol is the line end that line i has, or the one its note uses when line i is
// the last and has none.
func (t text) eol(i int) string {
	for ; i >= 0; i-- {
		if end := t.span(i).End; end < t.next(i) {
			return string(t.src[end:t.next(i)])
		}
	}
	return "\n"
}

func blank(line []byte) bool { return len(bytes.Trim(line, " \t")) == 0 }
