package terms

import (
	"regexp"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// Kind is what a question asks for, as far as its first words tell.
type Kind uint8

// Kinds of questions. The answer to some is seen by its form.
const (
	Any Kind = iota
	Definition
	Listing
	Person
	Place
	Steps
	Number // the first measure
	Date
	Duration // or a length: "how long"
	Percentage
	Temperature
)

// numbers are those that a text may have, in digits or in words.
const numbers = `\d|[½¼¾]|\b(two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|half|once|twice|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|zwanzig|halbe?|einmal|zweimal|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|vingt|dos|tres|cuatro|cinco|ocho|nueve|diez)\b|[一二三四五六七八九十百千两]`

// someUnits are other words before a unit, and units those of time and length, of some only how they begin.
const (
	someUnits = `\b(an?|one|few|several|eine[rn]?|einige|mehrere|une?|plusieurs|quelques|varios)\b`
	units     = `(sec|min|h|std|tag|mon|an|m|[cmk]m)s?\b|second|sekunde|seconde|segundo|min[uü]t|hour|st[uü]nd|heure|hora|day|tage|täg|jour|día|week|w[oö]ch|semaine|semana|month|monat|mois|mes(es)?\b|year|jahr|jähr|année|año|met(er|re)|inch|f(ee|oo)t|(个|個)?(秒|分钟|小时|天|周|月|年)`
)

var kindRows = []struct {
	kind          Kind
	asked, reason func() *regexp.Regexp
}{
	{Steps, expression(`(?i)^\W*(how (do|does|to|can|should|must)|wie (kann|mache|macht|muss|geht|baue|repariere|\pL+ (ich|man|wir))|comment)\b|怎么|如何|步骤`), nil},
	{Definition, expression(`(?i)^\W*(what('s|’s| is| are| does)|was (ist|sind|bedeutet)|who (is|are)|wer (ist|sind)|qu'est-ce)\b|^什么是|是什么[？?]?$`), nil},
	{Duration, expression(`(?i)^\W*(how (long|much time)|wie (lange?|viel zeit)|(pendant )?combien de temps|cuánto tiempo)\b|多久`), expression(`(?i)(` + numbers + `|` + someUnits + `)[\W_]{0,3}(` + units + `)`)},
	{Percentage, expression(`(?i)^\W*((to|in|auf|bei|à) )?((what|which|welche[mrns]?|quel(le)?|qué|how many|how much|wie ?viele?) (percent|prozent|pourcentage|porcentaje))`), expression(`(?i)\d ?(%|percent|prozent|pour ?cent|por ciento)`)},
	{Temperature, expression(`(?i)^\W*(((at|to|in|auf|bei|à) )?(what|which|welche[mrs]?|quel(le)?|qué) temp[eé]ratur|(how|wie) (hot|warm|cold|hei(ß|ss)|kalt)\b|\pL+ temp[eé]ratur)`), expression(`(?i)\d ?(°|º|degrees|grad\b|degrés|grados)|\d ?(?-i:[CF])\b`)},
	{Number, expression(`(?i)^\W*(how (many|much|old|tall|big|far|high|often|heavy)|wie ?viele?|wie (alt|hoch|gro(ß|ss)|oft|weit|schwer|schnell)|combien|((at|to|in|auf|bei|à) )?(what|which|welche[mrs]?|quel(le)?|qué) (version|price|preis|prix|precio))\b|多少|几个|几`), expression(`(?i)` + numbers)},
	{Date, expression(`(?i)^\W*(when|wann|seit wann|quand|cuándo|((in|on|en|an) )?(what|which|welche[mrs]?|quel(le)?|qué) (year|day|date|jahr|tag|datum|année|jour|date|año|día|fecha))\b|什么时候|何时|哪年`),
		expression(`(?i)\b(1[89]|20)\d\d\b|\d[:./-]\d|\d ?(am|pm|uhr|年|月|点)|\b(mon|tues|wednes|thurs|fri|satur|sun)day|\b(montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|\b(january|february|march|april|(?-i:May)|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)\b`)},
	{Person, expression(`(?i)^\W*(who|whom|whose|wer|wem|wen|wessen|qui|quién)\b|谁`), expression(`\b\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+|\[\[\p{Lu}|·`)},
	{Place, expression(`(?i)^\W*(where|wo|woher|wohin|où)\b|哪里|在哪`), expression(`\b(in|at|on|behind|under|im|am|in der|auf|bei|à|dans) (the )?\p{L}|~?/\w+/|\[\[`)},
	{Listing, expression(`(?i)^\W*(which|what (are|were)|welche|quel(le)?s)\b|哪些`), nil},
}

// mostAsked is how long a question is, in bytes; what comes behind that is text around it.
const mostAsked = 400

// KindOf tells what a question asks for.
func KindOf(question string) Kind {
	question = question[:min(len(question), mostAsked)]
	for _, k := range kindRows {
		if k.asked().MatchString(question) {
			return k.kind
		}
	}
	return Any
}

var itemMarker = expression(`^[\s>]*(?:[-*+]|\d+[.)])\s`)

// IsMeasure reports whether such a question asks for a number, a date, or so much of a unit.
func (k Kind) IsMeasure() bool { return k >= Number }

// IsIn reports whether a text has what such a question asks for.
func (k Kind) IsIn(text string) bool {
	for _, row := range kindRows {
		if row.kind != k || row.reason == nil {
			continue
		}
		for line := range strings.Lines(text) {
			if row.reason().MatchString(line[len(itemMarker().FindString(line)):]) {
				return true
			}
		}
	}
	return false
}

var subject = expression(`(?i)^\W*(?:what|who|where|was|wer|wo|qui|où|qué|quién|dónde)(?:['’]?s| is| are| was| were| ist| sind| war| liegt| liegen| est| sont| es| son| está) (?:(?:an?|the|my|our|der|die|das|ein|eine|le|la|les|un|une|el|los|las) |l['’])?(\S.*?)\W*$|^\W*qu['’]est-ce qu(?:e |['’])(?:(?:le|la|les|un|une) |l['’])?(\S.*?)\W*$|^(?:什么是|谁是)(.+?)\W*$|^(.+?)(?:是什么|是谁|在哪里?)\W*$`)

// meaning asks for no more than what a word means.
var meaning = expression(`(?i)^\W*(?:(?:what(?:['’]?s| is| are)|was (?:ist|sind)|quelle est) )?(?:(?:the|a|die|la) )?(?:meaning|definition|bedeutung|définition|signification) (?:of|von|de[rs]?|du) ` + anArticle + `(\S.*?)\W*$|` +
	`^\W*what do(?:es)? ` + anArticle + `(\S.*?) mean\W*$|^\W*(?:was (?:bedeutet|bedeuten)|que (?:signifie|signifient)) ` + anArticle + `(\S.*?)\W*$`)

const anArticle = `(?:(?:(?:an?|the|der|die|das|ein|eine|le|la|les|un|une) |l['’])?(?:(?:word|term|wort|begriff|mot|terme) )?)`

// SubjectOf is the X of a question such as "what is X?", "who is X?", "where is X?" or "what does X mean?"; "" for other questions.
func SubjectOf(question string) string {
	for _, form := range []func() *regexp.Regexp{meaning, subject} {
		if m := form().FindStringSubmatch(question); m != nil {
			return strings.Join(m[1:], "")
		}
	}
	return ""
}

var expression = lazyregexp.New
