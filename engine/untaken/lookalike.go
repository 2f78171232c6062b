package untaken

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/note"
)

// spelling is the reason of a line whose "@agent-" is misspelled: @Agent-, @agents-, @agent_ and the like.
const spelling note.Reason = "spelling"

// indented is the reason of a line whose > is none, because it stands too far to the right below other text.
const indented note.Reason = "indented"

// findLookalikes finds the lines of a note that would be markers, were "@agent-"
// spelled rightly in them: with a capital letter, a space or a dash that is no
// hyphen, as keyboards and their corrections make them. None of them is in what
// [note.Parse] found.
func findLookalikes(src []byte) (misses []note.NearMiss) {
	if bytes.IndexByte(src, '@') < 0 {
		return nil
	}
	lines := note.Lines(src)
	mended := make(map[int]string) // misspelled lines as they should be, from 1
	dashed := make(map[int]bool)   // those with a dash right before the role
	for i, line := range lines {
		at := strings.IndexByte(line, '@')
		if at < 0 || !isQuotePrefix(line[:at]) {
			continue
		}
		if length := misspelledLength(line[at:]); length > 0 {
			mended[i+1] = line[:at] + note.MarkerStart + line[at+length:]
			last, _ := utf8.DecodeLastRuneInString(line[:at+length])
			dashed[i+1] = dash().MatchString(string(last))
		}
	}
	if len(mended) == 0 {
		return nil
	}
	before := note.Parse(src)
	for _, m := range before.Misses {
		delete(mended, m.Line)
	}
	for _, m := range before.Markers {
		delete(mended, m.Line)
	}
	add := func(line int) {
		if mended[line] != "" {
			misses = append(misses, note.NearMiss{Line: line, Text: lines[line-1], Why: spelling})
		}
	}
	after := note.Parse(replaceLines(lines, mended))
	for _, m := range after.Markers {
		add(m.Line)
	}
	for _, m := range after.Misses { // one more repair behind the role makes a marker of it
		if m.Why == note.Colon || m.Why == note.NoSpace || m.Why == note.Empty && dashed[m.Line] {
			add(m.Line)
		}
	}
	slices.SortFunc(misses, func(a, b note.NearMiss) int { return a.Line - b.Line })
	return misses
}

// replaceLines is a note of lines, some of which, counted from 1, are others.
func replaceLines(lines []string, others map[int]string) []byte {
	var b bytes.Buffer
	for i, line := range lines {
		if other := others[i+1]; other != "" {
			line = other
		}
		b.WriteString(line + "\n")
	}
	return b.Bytes()
}

// isQuotePrefix reports whether before is nothing but quote and list markers, with a quote
// among them.
func isQuotePrefix(before string) bool {
	return note.LooseMarks([]byte(before)) == len(before) && strings.Contains(before, ">")
}

// misspelledLength is the length of the misspelled "@agent-" at the beginning of a text, in
// front of the first letter of a role: 0 if there is none, or if it is right.
func misspelledLength(text string) int {
	word := len(text) - len(strings.TrimLeft(text[1:], " \t"))
	if strings.HasPrefix(text, note.MarkerStart) || len(text) < word+len("agent") || !strings.EqualFold(text[word:word+len("agent")], "agent") {
		return 0
	}
	word += len("agent")
	for _, more := range []int{0, 1} { // an s
		if word+more >= len(text) || more == 1 && text[word]|0x20 != 's' {
			break
		}
		role := word + more + len(joints().FindString(text[word+more:]))
		first, _ := utf8.DecodeRuneInString(text[role:])
		if unicode.IsLetter(first) && (role > word+more || first <= 'Z') {
			return role
		}
	}
	return 0
}
