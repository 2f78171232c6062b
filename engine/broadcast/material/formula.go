package material

import (
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// formula is one as Obsidian reads it: no blank within its signs, and no digit behind, as prices have.
var formula = lazyregexp.New(`\$\$([^$]+)\$\$|\$([^\s$](?:[^$\n]*[^\s$])?)\$(?:$|[^0-9$])`)

// closing ends a formula that begins with such a sign.
var closing = map[string]string{"$": "$", "$$": "$$", `\(`: `\)`, `\[`: `\]`}

// EachPart is a text of its words, changed, and of its formulas, with such signs before them: inline ones, and those on
// lines of their own.
func EachPart(text string, words func(string) string, inline, block string) string {
	var b strings.Builder
	put := func(part string) {
		if strings.HasPrefix(part, " ") {
			b.WriteByte(' ')
		}
		if b.WriteString(words(part)); strings.HasSuffix(part, " ") {
			b.WriteByte(' ')
		}
	}
	for m := formula().FindStringSubmatchIndex(text); m != nil; m = formula().FindStringSubmatchIndex(text) {
		put(text[:m[0]])
		sign, from, to, end := block, m[2], m[3], m[1]
		if from < 0 {
			sign, from, to = inline, m[4], m[5]
			end = to + 1
		}
		b.WriteString(sign + text[from:to] + closing[sign])
		text = text[end:]
	}
	put(text)
	return strings.TrimSpace(b.String())
}

// PlainQuestion is a question without its markup; its formulas stay.
func PlainQuestion(text string) string {
	words := func(part string) string { return Plain(WithoutBrackets(part)) }
	return strings.Trim(EachPart(text, words, "$", "$$"), " :")
}

// WithoutBrackets is a text whose links are their words.
func WithoutBrackets(text string) string { return brackets.Replace(text) }

var brackets = strings.NewReplacer("[", "", "]", "", "|", " ", "^", "")
