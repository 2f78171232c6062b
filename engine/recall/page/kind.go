package page

import (
	"regexp"

	"vaultdispatcher/engine/lazyregexp"
)

// Kind is what a question asks for, as far as its first words tell.
type Kind uint8

// Kinds of questions. The answer to some is seen by its form.
const (
	Any Kind = iota
	Definition
	Listing
	Number
	Date
	Person
	Place
	Steps
)

var kindRows = []struct {
	kind         Kind
	asked, given func() *regexp.Regexp
}{
	{Steps, lazyregexp.New(`(?i)^\W*(how (do|does|to|can|should|must)|wie (kann|mache|macht|muss|geht|baue|repariere|\pL+ (ich|man|wir))|comment)\b|怎么|如何|步骤`), nil},
	{Definition, lazyregexp.New(`(?i)^\W*(what('s|’s| is| are| does)|was (ist|sind|bedeutet)|who (is|are)|wer (ist|sind)|qu'est-ce)\b|^什么是|是什么[？?]?$`), nil},
	{Number, lazyregexp.New(`(?i)^\W*(how (many|much|long|old|tall|big|far|high|often|heavy)|wie ?viele?|wie (lange|alt|hoch|gro(ß|ss)|oft|weit|schwer|schnell)|combien)\b|多少|几个|几|多久`),
		lazyregexp.New(`\d`)},
	{Date, lazyregexp.New(`(?i)^\W*(when|wann|seit wann|quand|(what|which|in which) (year|day|date))\b|什么时候|何时|哪年`),
		lazyregexp.New(`(?i)\b(1[89]|20)\d\d\b|\d[:./-]\d|\d ?(am|pm|uhr|年|月|点)|\b(mon|tues|wednes|thurs|fri|satur|sun)day|\b(montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|\b(january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)\b`)},
	{Person, lazyregexp.New(`(?i)^\W*(who|whom|whose|wer|wem|wen|wessen|qui)\b|谁`), lazyregexp.New(`\b\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+|\[\[\p{Lu}|·`)},
	{Place, lazyregexp.New(`(?i)^\W*(where|wo|woher|wohin|où)\b|哪里|在哪`), lazyregexp.New(`\b(in|at|on|behind|under|im|am|in der|auf|bei|à|dans) (the )?\p{L}|~?/\w+/|\[\[`)},
	{Listing, lazyregexp.New(`(?i)^\W*(which|what (are|were)|welche|quel(le)?s)\b|哪些`), nil},
}

// KindOf tells what a question asks for.
func KindOf(question string) Kind {
	for _, k := range kindRows {
		if k.asked().MatchString(question) {
			return k.kind
		}
	}
	return Any
}

// IsIn reports whether a text has what such a question asks for.
func (k Kind) IsIn(text string) bool {
	for _, row := range kindRows {
		if row.kind == k && row.given != nil {
			return row.given().MatchString(text)
		}
	}
	return false
}
