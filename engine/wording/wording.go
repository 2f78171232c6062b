// Package wording makes the parts of sentences for people, the same in all rooms.
//
//	wording.Count(2, "note")                       // 2 notes
//	wording.Shorten(wording.Line(d.Instruction), 80) // one line, without what a terminal obeys
package wording

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Count is a number of things, such as 1 note or 2 notes.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Number(n) + " " + what + "s"
}

// Words is how many words a text has. In scripts that put no spaces between words two letters are one, of Thai four.
func Words(text string) (n int) {
	for part := range strings.FieldsSeq(text) {
		quarters := 0
		for _, r := range part {
			switch {
			case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
				quarters += 2
			case unicode.Is(unicode.Thai, r):
				quarters++
			}
		}
		n += max(1, (quarters+3)/4)
	}
	return n
}

// Choose is yes or no, by a condition.
func Choose[T any](condition bool, yes, no T) T {
	if condition {
		return yes
	}
	return no
}

// Shorten cuts a text to at most n characters, the last of them an ellipsis.
func Shorten(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	all := []rune(text)
	cut := n - 1
	for at := cut; at > 3*n/4; at-- {
		if unicode.IsSpace(all[at]) {
			cut = at
			break
		}
	}
	isLoose := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:·…", r) }
	return strings.TrimRightFunc(string(all[:cut]), isLoose) + "…"
}

// ShortenPath cuts a path to at most n characters, an ellipsis in its middle: its end, with the name, stays longest.
func ShortenPath(text string, n int) string {
	all := []rune(text)
	if len(all) <= n {
		return text
	}
	name := utf8.RuneCountInString(text[strings.LastIndexByte(text, '/')+1:]) + 1
	if name > n-2 {
		name = 2 * n / 3
	}
	end := max(0, min(name, n-1))
	return string(all[:max(0, n-1-end)]) + "…" + string(all[len(all)-end:])
}

// HasWords reports whether a text has each word of a search, in any case and also as a part of a longer word.
func HasWords(text, query string) bool {
	text = strings.ToLower(text)
	for word := range strings.FieldsSeq(strings.ToLower(query)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// Line makes one line of a text from elsewhere: no line ends, tabs or invisible
// characters, which terminals and menus obey in their own ways, and no invalid UTF-8.
func Line(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\ufffd"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	}), " ")
}

// Lines is [Line] for each line of a text, which keeps its indent, and at most n characters in all.
func Lines(text string, n int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		plain := strings.TrimLeft(line, " ")
		lines[i] = line[:len(line)-len(plain)] + Line(plain)
	}
	return Shorten(strings.Join(lines, "\n"), n)
}

// Clip makes text from elsewhere fit for a sentence: one line of at most 200 characters,
// without a full stop at its end.
func Clip(text string) string { return strings.TrimSuffix(Shorten(Line(text), 200), ".") }

// Sentence makes a sentence of what is said without capital and full stop, so that it fits behind a colon too.
func Sentence(clause string) string {
	first, size := utf8.DecodeRuneInString(clause)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + clause[size:] + "."
}

// FirstLine is the first line of a text, such as the first of several problems.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
