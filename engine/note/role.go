package note

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// readRole returns the name of a role at the beginning of a text, a letter of any script and
// then letters, digits, _ and -, and its length there; none is 0. The name is in Unicode's
// composed form (NFC), whatever form the text has.
func readRole(text []byte) (name string, length int) {
	if first, _ := utf8.DecodeRune(text); !unicode.IsLetter(first) {
		return "", 0
	}
	return readName(text, "_-")
}

// readName is readRole for a name that may begin with any of its characters.
func readName(text []byte, signs string) (string, int) {
	length := 0
	for length < len(text) {
		r, size := utf8.DecodeRune(text[length:])
		isMark := length > 0 && unicode.In(r, unicode.Mn, unicode.Mc) // accents, and vowels of Indic scripts
		if r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.Is(unicode.Nd, r) && !isMark && !strings.ContainsRune(signs, r) {
			break
		}
		length += size
	}
	return norm.NFC.String(string(text[:length])), length
}

// IsRole reports whether a text is the name of a role and nothing else.
func IsRole(text string) bool {
	name, length := readRole([]byte(text))
	return length > 0 && length == len(text) && name == text && !isConfusable(name)
}

// foldRole returns the same text for all spellings of a role that differ in case only.
func foldRole(role string) string { return strings.ReplaceAll(strings.ToLower(role), "ς", "σ") }

// together are the scripts that people mix in one word.
var together = [][]*unicode.RangeTable{
	{unicode.Latin, unicode.Han, unicode.Hiragana, unicode.Katakana},
	{unicode.Latin, unicode.Han, unicode.Bopomofo},
	{unicode.Latin, unicode.Han, unicode.Hangul},
}

// isConfusable reports whether a name looks like one of other letters: it mixes alphabets, or has letters that are
// variants of others or look like them. It follows the highly restrictive level of
// https://www.unicode.org/reports/tr39/#Restriction_Level_Detection
func isConfusable(name string) bool {
	if norm.NFKC.String(name) != name || strings.ContainsAny(name, "ɑɡ") {
		return true
	}
	isIn := func(scripts ...*unicode.RangeTable) bool {
		return !strings.ContainsFunc(name, func(r rune) bool {
			return !unicode.In(r, scripts...) && !unicode.In(r, unicode.Common, unicode.Inherited)
		})
	}
	if slices.ContainsFunc(together, func(scripts []*unicode.RangeTable) bool { return isIn(scripts...) }) {
		return false
	}
	for _, script := range unicode.Scripts {
		if isIn(script) {
			return false
		}
	}
	return true
}
