package secret

import (
	"html"
	"strconv"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// seen is a text as a reader would see it in the end, and where each of its bytes begins in the text as it is.
type seen struct {
	text    string
	offsets []int // one more than the text has bytes
}

// depth is how often a text may have been put into another one.
const depth = 4

// escape is one character in another dress: of JSON and program text, of addresses, of HTML.
var escape = lazily(`\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\[/"'\\]|%[0-9A-Fa-f]{2}|&#?[0-9A-Za-z]{1,8};`)

// see undresses a text.
func see(text string) seen {
	s := seen{text, make([]int, len(text)+1)}
	for i := range s.offsets {
		s.offsets[i] = i
	}
	for range depth {
		s = s.replaceAll(invisible().FindAllStringIndex(s.text, -1), func(string) string { return "" })
		s = s.replaceAll(escape().FindAllStringIndex(s.text, -1), unescape)
	}
	return s
}

// invisible has no shape: format characters, joiners, the byte order mark.
var invisible = lazily(`[\p{Cf}\x{034f}\x{115f}\x{1160}\x{2800}\x{3164}\x{fe00}-\x{fe0f}\x{ffa0}]+`)

// unescape returns the character that an escape stands for, or the byte of one.
func unescape(word string) string {
	code := func(digits string) uint64 {
		n, _ := strconv.ParseUint(digits, 16, 32) // the expression takes nothing else
		return n
	}
	switch {
	case word[0] == '&':
		return html.UnescapeString(word)
	case word[0] == '%':
		return string([]byte{byte(code(word[1:]))})
	case word[1] == 'x':
		return string([]byte{byte(code(word[2:]))})
	case word[1] == 'u':
		return string(rune(code(word[2:])))
	}
	return word[1:]
}

// replaceAll replaces parts of a text and remembers where they were.
func (s seen) replaceAll(places [][]int, replace func(string) string) seen {
	if len(places) == 0 {
		return s
	}
	var text strings.Builder
	from, kept := make([]int, 0, len(s.offsets)), 0
	keep := func(end int) {
		text.WriteString(s.text[kept:end])
		from = append(from, s.offsets[kept:end]...)
	}
	for _, p := range places {
		keep(p[0])
		kept = p[1]
		word := replace(s.text[p[0]:p[1]])
		text.WriteString(word)
		for range len(word) {
			from = append(from, s.offsets[p[0]])
		}
	}
	keep(len(s.text))
	return seen{text.String(), append(from, s.offsets[len(s.text)])}
}

var lazily = lazyregexp.New
