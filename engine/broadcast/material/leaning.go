package material

import (
	"strings"
	"unicode"

	"vaultdispatcher/engine/lazyregexp"
)

// This file tells the sentences that say nothing without the one before them, or nothing that has happened.

var (
	// leans matches a sentence that is an example, or that points at what is above it.
	leans   = lazyregexp.New(`(?i)^(?:e\.?g\b|z\. ?b\.|p\. ?ex\b|again\b|as (?:said|noted|mentioned)\b|even better\b|first(?:ly)?(?:,|\sis\b)|in (?:these|such) (?:cases|situations)\b|the (?:latter|former|above)\b)|\b(?:of (?:the )?above|above (?:commands?|steps?|examples?|options?|settings?)|those (?:two|three)|these two|right here)\b`)
	example = lazyregexp.New(`(?i)^(?:e\.?g\b|z\. ?b\.|p\. ?ex\b|for example\b|zum beispiel\b|par exemple\b|(?:(?:some|an|ein|einige) )?(?:examples?|beispiele?|exemples?):?$)`)
	// blockRef matches a reference to a block of Logseq, whose text is elsewhere.
	blockRef = lazyregexp.New(`\(\([0-9a-f]{8}-[0-9a-f-]{27}\)\)`)
	// follows matches a sentence whose subject is that of the one before it; expletive one whose "it" means nothing.
	follows   = lazyregexp.New(`(?i)^(?:(?:it|they)(?:['’]|\s)|(?:this|that|these|those)\s(?:is|are|was|were|will|can|could|would|should|may|might|means?|makes?|allows?|lets?|gives?|has|have|does)\b|(?:dies|das|diese|sie)\s(?:ist|sind|war|waren|wird|werden|kann|können|macht|hat|haben)\b)`)
	expletive = lazyregexp.New(`(?i)^it(?:['’]s| is| was| may| might| can)?\s(?:seems?|looks?|sounds?|turns|takes|be|sound|seem|\pL+ (?:to|that)|(?:not )?(?:important|possible|necessary|easy|hard|useful|recommended|common))\b`)
)

var supposed = lazyregexp.New(`(?i)^(?:for example|zum beispiel|par exemple|por ejemplo|suppose|imagine)\b|\b(?:you(?:r|['’]\pL+)?|du|dein\pL*|vous|votre|tú|usted)\b`)

// IsSupposed reports whether a sentence tells what may be so, as an example or of its reader: "you have ten days left".
func IsSupposed(plain string) bool { return supposed().MatchString(plain) }

// andSoOn matches an item that says that there are more.
var andSoOn = lazyregexp.New(`(?i)^\W*(?:etc|usw|u\.? ?s\.? ?w|and (?:so on|so forth|(?:many )?(?:more|others))|und so weiter|et ainsi de suite|y así sucesivamente)?\W*$`)

// IsTopic reports whether an item of a list is one: it is not empty, no example nor what is above some, and does not stand elsewhere.
func IsTopic(plain string) bool {
	return !andSoOn().MatchString(plain) && !example().MatchString(plain) && !blockRef().MatchString(plain)
}

// leadsOn reports whether a text says no more than that others follow.
func leadsOn(text string) bool {
	plain := Plain(text)
	return strings.HasSuffix(plain, ":") || strings.HasSuffix(plain, "：")
}

// isInBrackets reports whether all words of a text are in brackets, as those of an expression in code are.
func isInBrackets(plain string) bool {
	depth := 0
	for _, r := range plain {
		switch {
		case r == '(' || r == '{':
			depth++
		case r == ')' || r == '}':
			depth--
		case depth <= 0 && unicode.IsLetter(r):
			return false
		}
	}
	return true
}

// followsOn reports whether a sentence is about what the one before it names. The first of a section has the heading before it.
func (s Sentence) followsOn() bool {
	return !s.First && follows().MatchString(s.Plain) && !expletive().MatchString(s.Plain)
}
