// Package terms cuts text into the words that the index holds, and makes the
// query that looks for them: folding, stemming, stop words, and pairs of
// characters for scripts that put no spaces between words.
//
// Most callers need two calls: [Parse] makes a [Query] of what a person typed, and
// [Query.Mask] says which of its terms a text has. [Body.Add] and [IndexedName]
// make the words of a text that the index stores.
//
// # Promises
//
// The index and the queries are made of the same tokens, here and nowhere else.
// So the count of words that a passage matches agrees with the index by
// construction, and text of scripts without spaces can be searched.
//
// The room is pure: no I/O, no clock, no state between calls.
package terms

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWord bounds a token in bytes. Longer ones are hashes or embedded
// images, which would only make the index grow.
const maxWord = 64

// script sorts runes by how their words are found.
type script uint8

const (
	notWord script = iota // ends a word
	letter                // spelled with spaces between words
	han                   // this and the following: written without spaces, cut into pairs
	hiragana
	katakana
	joined
)

// token is one unit of the index.
type token struct {
	text       []byte // folded, not stemmed; only valid during the call
	start, end int    // bytes of the source text
	script     script
	tail       bool // last rune of a run that has no partner to the right
	alone      bool // the run is this one rune
}

// scanTokens calls emit for every token of text. A run of a script without
// spaces gives every pair of neighbours, and its last rune by itself, so that
// each rune of the run begins some token and one rune can be found by prefix.
func scanTokens(text string, emit func(token)) {
	var buf []byte
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf && !isPlain[text[i]] {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		s := scriptOf(r)
		if s == notWord {
			i += size
			continue
		}
		start := i
		for i += size; i < len(text); i += size {
			if size = 1; s == letter && text[i] < utf8.RuneSelf && isPlain[text[i]] {
				continue
			}
			if r, size = utf8.DecodeRuneInString(text[i:]); scriptOf(r) != s && !unicode.Is(unicode.Mn, r) {
				break
			}
		}
		if s != letter {
			emitPairs(text, start, i, s, emit)
			continue
		}
		if i-start <= maxWord {
			buf = appendFolded(buf[:0], text[start:i])
			if len(buf) > 0 {
				emit(token{text: buf, start: start, end: i, script: s})
			}
		}
	}
}

func emitPairs(text string, start, end int, s script, emit func(token)) {
	_, first := utf8.DecodeRuneInString(text[start:])
	alone := start+first == end
	for at := start; at < end; {
		_, one := utf8.DecodeRuneInString(text[at:])
		stop := at + one
		if stop < end {
			_, two := utf8.DecodeRuneInString(text[stop:])
			stop += two
		}
		emit(token{text: []byte(strings.ToLower(text[at:stop])), start: at, end: stop, script: s,
			tail: at+one == end, alone: alone})
		at += one
	}
}

// isPlain says which bytes are a letter or a digit of ASCII.
var isPlain = func() (table [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") {
		table[c] = true
	}
	return table
}()

func scriptOf(r rune) script {
	switch {
	case r < utf8.RuneSelf:
		if isPlain[r] {
			return letter
		}
		return notWord
	case r == utf8.RuneError:
		return notWord
	case r < 0x0e00:
	case 0x3041 <= r && r <= 0x309f:
		return hiragana
	case 0x30a1 <= r && r <= 0x30fe && r != '・', 0x31f0 <= r && r <= 0x31ff, 0xff66 <= r && r <= 0xff9f:
		return katakana
	case unicode.Is(unicode.Han, r) && unicode.IsLetter(r):
		return han
	case unicode.In(r, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		if unicode.IsPunct(r) {
			return notWord
		}
		return joined
	}
	if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
		return letter
	}
	return notWord
}

// appendFolded appends word in lower case and without diacritics.
func appendFolded(buf []byte, word string) []byte {
	for _, r := range word {
		if r < utf8.RuneSelf {
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			buf = append(buf, byte(r))
			continue
		}
		r = unicode.ToLower(r)
		if plain, ok := plainLetters[r]; ok {
			buf = append(buf, plain...)
		} else if r < 0x0300 || r > 0x036f { // combining marks of decomposed text
			buf = utf8.AppendRune(buf, r)
		}
	}
	return buf
}

// plainLetters maps the letters of Latin alphabets to what people type when
// their keyboard has no diacritics.
var plainLetters = spellOut(map[string]string{
	"a": "àáâãäåāăąǎǟǡǻȁȃȧạảấầẩẫậắằẳẵặḁ", "b": "ḃḅḇ", "c": "çćĉċčḉ", "d": "ďđḋḍḏḑḓð",
	"e": "èéêëēĕėęěȅȇȩẹẻẽếềểễệḕḗḙḛḝ", "f": "ḟ", "g": "ĝğġģǥǧǵḡ", "h": "ĥħȟḣḥḧḩḫẖ",
	"i": "ìíîïĩīĭįıǐȉȋḭḯỉị", "j": "ĵǰ", "k": "ķǩḱḳḵ", "l": "ĺļľŀłḷḹḻḽ", "m": "ḿṁṃ",
	"n": "ñńņňǹṅṇṉṋ", "o": "òóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱọỏốồổỗộớờởỡợṍṏṑṓ", "p": "ṕṗ",
	"r": "ŕŗřȑȓṙṛṝṟ", "s": "śŝşšșṡṣṥṧṩſẛ", "t": "ţťŧțṫṭṯṱẗ",
	"u": "ùúûüũūŭůűųưǔǖǘǚǜȕȗụủứừửữựṳṵṷṹṻ", "v": "ṽṿ", "w": "ŵẁẃẅẇẉẘ", "x": "ẋẍ",
	"y": "ýÿŷȳẏẙỳỵỷỹ", "z": "źżžẑẓẕ", "ae": "æǽǣ", "oe": "œ", "ss": "ß", "th": "þ",
	"е": "ё", "и": "й",
	"α": "ά", "β": "ϐ", "ε": "έϵ", "η": "ή", "θ": "ϑ", "ι": "ίϊΐ\u1fbe", "κ": "ϰ", "μ": "\u00b5", "ο": "ό", "π": "ϖ",
	"ρ": "ϱ", "σ": "ς", "υ": "ύϋΰ", "φ": "ϕ", "ω": "ώ",
})

func spellOut(table map[string]string) map[rune]string {
	out := make(map[rune]string)
	for plain, letters := range table {
		for _, r := range letters {
			out[r] = plain
		}
	}
	return out
}

// OtherForm parts the stem from the word itself in what the index holds for a word that
// is not its own stem. So all forms of a stem are beside one another.
const OtherForm = "\x00"

// Body is the text of a passage as the index has it: stems, with a word that is not
// its own stem behind it. A space follows each.
type Body struct {
	Text  []byte
	Words int
}

// Add indexes text, without stop words.
func (b *Body) Add(text string) {
	var buf [maxWord]byte
	scanTokens(text, func(t token) {
		if stopWords[string(t.text)] {
			return
		}
		b.Words++
		word := append(buf[:0], t.text...) // stem overwrites it
		root := stemWord(t.text)
		b.Text = append(b.Text, root...)
		if !bytes.Equal(root, word) {
			b.Text = append(append(b.Text, OtherForm...), word...)
		}
		b.Text = append(b.Text, ' ')
	})
}

// appendIndexed appends the tokens of text as the index holds them, separated by
// spaces, without stop words.
func appendIndexed(buf []byte, text string) []byte {
	scanTokens(text, func(t token) {
		if !stopWords[string(t.text)] {
			buf = append(append(buf, stemWord(t.text)...), ' ')
		}
	})
	return buf
}

// IndexedName is appendIndexed for titles and headings. A name of nothing but
// stop words keeps them: there are bands called The Who.
func IndexedName(text string) string {
	buf := appendIndexed(nil, text)
	if len(buf) == 0 {
		scanTokens(text, func(t token) { buf = append(append(buf, stemWord(t.text)...), ' ') })
	}
	return strings.TrimSuffix(string(buf), " ")
}

// HasWords reports whether text has anything that can be looked for.
func HasWords(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return scriptOf(r) != notWord }) >= 0
}
