package note

import (
	"bytes"
	"slices"
)

// Spelling is the reason of [Lookalikes].
const Spelling Reason = "spelling" // @Agent-, @agents-, @agent_ and the like

// Lookalikes finds the lines of a note that would be markers, were "@agent-"
// spelled rightly in them: with a capital letter, a space or a dash that is no
// hyphen, as keyboards and their corrections make them. None of them is in what
// [Parse] found. It answers the question why nothing happened; a note
// without such a line costs one pass over its bytes.
func Lookalikes(src []byte) []NearMiss {
	text := text{}
	var mended []byte
	lines := make(map[int]bool) // from 1, where something was mended
	for from, i := 0, 0; ; i++ {
		at := bytes.IndexByte(src[i:], '@')
		if at < 0 {
			if mended == nil {
				return nil
			}
			return findMended(text, append(mended, src[from:]...), lines)
		}
		i += at
		length := misspelledLength(src[i:])
		if length == 0 {
			continue
		}
		if text.src == nil {
			text = newText(src)
		}
		number := text.lineAt(i)
		if !isQuotePrefix(src[text.starts[number]:i]) {
			continue
		}
		mended = append(append(mended, src[from:i]...), needle...)
		lines[number+1] = true
		from = i + length
		i = from - 1
	}
}

// findMended returns the lines that became markers by being mended, or would have
// with one more repair of the text after the role.
func findMended(t text, mended []byte, lines map[int]bool) []NearMiss {
	known := make(map[int]bool)
	before := Parse(t.src)
	for _, m := range before.Misses {
		known[m.Line] = true
	}
	for _, m := range before.Markers {
		known[m.Line] = true
	}
	var misses []NearMiss
	add := func(line int) {
		if lines[line] && !known[line] {
			misses = append(misses, NearMiss{line, string(t.line(line - 1)), Spelling})
		}
	}
	after := Parse(mended)
	for _, m := range after.Markers {
		add(m.Line)
	}
	for _, m := range after.Misses {
		if m.Why == Colon || m.Why == NoSpace {
			add(m.Line)
		}
	}
	slices.SortFunc(misses, func(a, b NearMiss) int { return a.Line - b.Line })
	return misses
}

// isQuotePrefix reports whether before is nothing but quote and list markers, with a quote
// among them.
func isQuotePrefix(before []byte) bool {
	before = bytes.TrimPrefix(before, bom)
	return LooseMarks(before) == len(before) && bytes.IndexByte(before, '>') >= 0
}

// misspelledLength is the length of the misspelled "@agent-" at the beginning of b, in
// front of the first letter of a role: 0 if there is none, or if it is right.
func misspelledLength(b []byte) int {
	word := 1 + countSpaces(b[1:])
	if bytes.HasPrefix(b, needle) || len(b) < word+len("agent") || !bytes.EqualFold(b[word:word+len("agent")], []byte("agent")) {
		return 0
	}
	word += len("agent")
	for _, more := range []int{0, 1} { // an s
		if word+more >= len(b) || more == 1 && b[word]|0x20 != 's' {
			break
		}
		role := word + more + jointLength(b[word+more:])
		if role < len(b) && isLetter(b[role]) && (role > word+more || b[role] <= 'Z') {
			return role
		}
	}
	return 0
}

// joints are the characters that people write for the hyphen after "@agent".
var joints = [][]byte{
	[]byte("-"), []byte("_"), []byte(":"), []byte("."), []byte("/"),
	[]byte("\u2010"), []byte("\u2011"), []byte("\u2012"), []byte("\u2013"), []byte("\u2014"), []byte("\u2212"),
}

// jointLength is the length of one joint and the spaces around it, of spaces alone, or
// 0: the role may follow at once.
func jointLength(b []byte) int {
	n := countSpaces(b)
	for _, j := range joints {
		if bytes.HasPrefix(b[n:], j) {
			n += len(j)
			break
		}
	}
	return n + countSpaces(b[n:])
}
