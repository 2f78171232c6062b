package fenced

import "bytes"

// Ticks tells which code spans are such to Logseq: those on one line, without
// a backtick in them (one at a time between two) or a stray one before them on that line.
type Ticks struct {
	end      int  // of the last code span
	hasStray bool // on the line of end
}

// IsPlain reports whether Logseq takes the code of src from behind open, its last tick before it, to end for code too.
// It is asked for all spans of a text, from first to last.
func (l *Ticks) IsPlain(src []byte, open, end int) bool {
	begin := open
	for begin > l.end && src[begin-1] == '`' {
		begin--
	}
	before := src[min(l.end, begin):begin]
	if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
		before, l.hasStray = before[i:], false
	}
	l.hasStray = l.hasStray || bytes.IndexByte(before, '`') >= 0
	text := src[open+1 : end]
	isPlain := !l.hasStray && bytes.IndexByte(text, '\n') < 0 &&
		(bytes.IndexByte(text, '`') < 0 || open+1-begin == 2 && !bytes.Contains(text, []byte("``")))
	l.hasStray = !isPlain
	l.end = end
	for l.end < len(src) && (src[l.end] == ' ' || src[l.end] == '\n') {
		l.end++
	}
	for range open + 1 - begin {
		if l.end < len(src) && src[l.end] == '`' {
			l.end++
		}
	}
	return isPlain
}
