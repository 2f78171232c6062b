package note

import "bytes"

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
			before = string(line)
		}
	}
	for i := t.lineAt(s.End) + 1; i < t.count() && after == ""; i++ {
		if line := t.line(i); !isMute(line) {
			after = string(line)
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
