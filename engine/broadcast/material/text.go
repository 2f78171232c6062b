package material

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note/wikilink"
)

var (
	blockName = lazyregexp.New(`\s+\^[A-Za-z0-9-]+\s*$`)
	footnote  = lazyregexp.New(`(^|[^\[])\[\^[^\]\s]+\]`)
	picture   = lazyregexp.New(`!\[[^\[\]\n]*\]\([^()\n]*\)(?:\{:[^{}\n]*\})?`) // with Logseq's size
	mdLink    = lazyregexp.New(`\[([^\[\]\n]*)\]\((?:[^()\n]*|\(\([^()\n]*\)\))\)`)
	nearLink  = lazyregexp.New(`\[([^\[\]\n]*)\]\((?:[^()\[\]:\n]*|\(\([^()\n]*\)\))\)`) // leads from its own place
	tagHTML   = lazyregexp.New(`</?[A-Za-z][^<>\n]*>|<!--.*?-->`)
	strong    = lazyregexp.New(`(^|[^\pL\pN_])__([^_\n]+(?:_[^_\n]+)*)__($|[^\pL\pN_])`)
	marks     = strings.NewReplacer("**", "", "==", "", "~~", "", "`", "", "%%", "")
	emphasis  = lazyregexp.New(`(^|[\s("'])[*_]([^*_\n]+)[*_]($|[\s)"'.,;:!?])`)
	address   = lazyregexp.New(`https?://\S+`)
	codeSpan  = lazyregexp.New("(`+)([^`\n]+)`+")
)

// Plain is a text as it is read: without its markup. Text in code is read as it is.
func Plain(text string) string {
	if !strings.ContainsAny(text, "[<*_=~`%") {
		return strings.Join(strings.Fields(text), " ") // most text has no markup
	}
	var codes []string
	if strings.Contains(text, "`") {
		text = codeSpan().ReplaceAllStringFunc(text, func(found string) string {
			codes = append(codes, strings.TrimSpace(strings.Trim(found, "`")))
			return "\ufffc" // the sign of an object
		})
	}
	text = plainMarkup(text)
	for _, code := range codes {
		text = strings.Replace(text, "\ufffc", code, 1)
	}
	return strings.Join(strings.Fields(text), " ")
}

func plainMarkup(text string) string {
	text = wikilink.Replace(picture().ReplaceAllString(text, ""), func(l wikilink.Link) string {
		if l.IsEmbed {
			return ""
		}
		return cmp.Or(l.Label, strings.Trim(strings.ReplaceAll(l.To, "#", " › "), " ›"))
	})
	text = mdLink().ReplaceAllString(text, "$1")
	text = tagHTML().ReplaceAllString(text, "")
	text = strong().ReplaceAllString(text, "$1$2$3")
	return emphasis().ReplaceAllString(marks.Replace(text), "$1$2$3")
}

// Tidy is a text on one line without what has no meaning outside its place.
func Tidy(text string) string {
	if strings.Contains(text, "^") { // an expression costs more than to look whether it is needed
		text = footnote().ReplaceAllString(blockName().ReplaceAllString(strings.TrimSpace(text), ""), "$1")
	}
	if strings.Contains(text, "![") {
		text = picture().ReplaceAllString(text, "")
		text = wikilink.Replace(text, func(l wikilink.Link) string {
			if l.IsEmbed {
				return ""
			}
			return text[l.Start:l.End]
		})
	}
	if strings.Contains(text, "](") {
		text = nearLink().ReplaceAllString(text, "$1")
	}
	text = strings.Join(strings.Fields(text), " ")
	for _, mark := range []string{"**", "__", "==", "~~", "`"} {
		if strings.Count(text, mark)%2 == 1 {
			text = strings.ReplaceAll(text, mark, "")
		}
	}
	return text
}

// Unlinked is a text without its links to notes, but for those whose names are a day.
func Unlinked(text string) string {
	return wikilink.Replace(text, func(l wikilink.Link) string {
		if dayName().MatchString(l.To) {
			return l.To
		}
		return " "
	})
}

var wordStart = lazyregexp.New(`[\p{L}\p{N}]+`)

var dayName = lazyregexp.New(`^(?:(?:19|20)\d\d[-_][01]\d[-_][0-3]\d|\p{Lu}\p{Ll}{2,8} [0-3]?\d(?:st|nd|rd|th)?, (?:19|20)\d\d)$`)

// isSentence reports whether a text says something: it has words, and is neither a list of links,
// nor a bare address, nor a question or an introduction to what follows.
func isSentence(text, plain string) bool {
	if strings.Contains(text, "{%") || strings.HasPrefix(plain, "(") && !strings.HasSuffix(plain, ".)") && isInBrackets(plain) || isListed(text) || points().MatchString(plain) || begun().MatchString(plain) || isHeadline(text) || leans().MatchString(plain) || blockRef().MatchString(plain) {
		return false
	}
	if beside := mdLink().ReplaceAllString(text, ""); strings.Contains(text, "](") && len(wordStart().FindAllString(beside, 3)) < 3 {
		return false
	}
	if beside, links := wikilink.Remove(text), strings.Count(text, "[["); links > 0 && len(wordStart().FindAllString(beside, 3)) < 3 || links > 2 && len(Plain(beside)) < len(plain)/2 {
		return false
	}
	words := strings.Fields(formula().ReplaceAllString(address().ReplaceAllString(plain, ""), " x ")) // a formula is one word
	letters := 0
	wide := 0
	for _, r := range plain {
		if unicode.IsLetter(r) {
			letters++
		}
		if isWide(r) {
			wide++
		}
	}
	switch end, _ := utf8.DecodeLastRuneInString(plain); end {
	case ':', '：', '?', '？':
		return false // the text after it says it
	}
	return wide >= 6 || len(words) >= 4 && letters >= 12 && letters*2 > len(plain)/2
}

var (
	points   = lazyregexp.New(`(?i)^\(?(?:(?:see|siehe|voir|véase)\s|(?:here (?:are|is)|here's|hier (?:sind|ist)|voici)\s)`)                  // to another place
	begun    = lazyregexp.New(`(?i)\b(?:because|weil|parce que|porque|as follows|wie folgt|comme suit|the following(?: [\pL-]+){0,4})[.,]?$`) // and a list continues it
	headline = lazyregexp.New(`^(?:\*\*[^*]+\*\*|__[^_]+__)$`)
)

// isHeadline reports whether a text is bold and a few words: it is that of the text behind it.
func isHeadline(text string) bool {
	return headline().MatchString(text) && countLetters(Plain(text)) < fewWords
}

// label matches the label before a list of names.
var label = lazyregexp.New(`^[*_]+[^*_]+:[*_]+\s+`)

// isListed reports whether a text is a label with names behind it, such as those of the languages of a page.
func isListed(text string) bool {
	at := label().FindStringIndex(text)
	if at == nil {
		return false
	}
	for name := range strings.SplitSeq(text[at[1]:], ",") {
		if len(strings.Fields(name)) > 2 {
			return false
		}
	}
	return true
}

// fewWords are those of a phrase such as `1 tsp of salt`.
const fewWords = 6

// isPhrase reports whether a text of a list says nothing by itself: it is short. One of a word more needs a
// stop.
func isPhrase(plain string) bool {
	words := countLetters(plain)
	return !strings.ContainsFunc(plain, isWide) && (words < fewWords-1 || words < fewWords && !strings.ContainsAny(plain[len(plain)-1:], ".!"))
}

// isWide reports whether a letter is of a script that puts no spaces between words.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// abbreviations end in a full stop that ends no sentence.
var abbreviations = map[string]bool{
	"e.g": true, "i.e": true, "etc": true, "vs": true, "dr": true, "mr": true, "mrs": true, "ms": true, "prof": true,
	"st": true, "no": true, "nr": true, "fig": true, "cf": true, "approx": true, "ca": true, "inc": true, "ltd": true,
	"z.b": true, "d.h": true, "bzw": true, "usw": true, "u.a": true, "p": true, "pp": true, "vol": true, "al": true,
}

// longest is the longest sentence that is quoted, in bytes.
const longest = 600

// Split cuts a text into its sentences; an empty line ends one.
func Split(text string) []string {
	if before, after, ok := strings.Cut(text, "\n\n"); ok {
		return append(Split(before), Split(after)...)
	}
	text = Tidy(text)
	var list []string
	add := func(s string) {
		if s = Tidy(s); s == "" || len(s) > longest {
			return
		}
		if n := len(list); n > 0 && isHeadline(list[n-1]) && len(list[n-1])+len(s) < longest {
			list[n-1] += " " + s
			return
		}
		list = append(list, s)
	}
	start, depth := 0, 0
	for i, r := range text {
		switch r {
		case '[', '(':
			depth++
		case ']', ')':
			depth = max(0, depth-1)
		case '.', '!', '?', '。', '！', '？', '…':
			end := i + utf8.RuneLen(r)
			if end <= start || depth > 0 && strings.IndexAny(text[end:], "])") < 200 && strings.ContainsAny(text[end:], "])") {
				continue
			}
			if cut := endOfSentence(text, start, end, r); cut > 0 {
				add(text[start:cut])
				start = cut
			}
		}
	}
	if start < len(text) {
		add(text[start:])
	}
	return list
}

// endOfSentence returns the end of the sentence that has a stop up to end, or 0 if the sentence continues.
func endOfSentence(text string, start, end int, stop rune) int {
	rest := text[end:]
	closing := len(rest) - len(strings.TrimLeft(rest, "\"'”’»)]*_.!?"))
	after := rest[closing:]
	if isFullWidth(stop) {
		return end + closing
	}
	if after == "" {
		return len(text)
	}
	if after[0] != ' ' {
		return 0
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " \"'“„«([*_`"))
	if unicode.IsLower(next) {
		return 0
	}
	if stop == '.' {
		word := text[start : end-1]
		word = strings.ToLower(strings.TrimLeft(word[strings.LastIndexByte(word, ' ')+1:], "(\"'[*_"))
		if abbreviations[word] || utf8.RuneCountInString(word) == 1 && isInitial(text[end-2]) || isNumber(word) && len(word) <= 2 && unicode.IsDigit(next) {
			return 0
		}
		if isNumber(word) && len(word) <= 2 && start+len(word)+1 == end {
			return 0 // the number of an item
		}
	}
	return end + closing
}

// isInitial reports whether a letter alone is that of a name, and not a unit such as g.
func isInitial(letter byte) bool { return letter >= 'A' && letter <= 'Z' }

func isFullWidth(r rune) bool { return r == '。' || r == '！' || r == '？' }

func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }
