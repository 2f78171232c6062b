package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// beforeNouns are the words of the known languages that a noun follows: articles, and prepositions that no
// verb follows.
var beforeNouns = Set(`
a an the my our your his her their its these those any no all every each for of in on at with without from into about by like than through
der die das den dem des ein eine einen einem einer eines mein meine meinen meiner kein keine keinen im am zum zur beim vom fur uber mit von
le la les l un une du de d au aux mon ma mes notre nos votre vos leur leurs ce cet cette ces sur dans avec par chez entre selon
el los las unos unas del al mi mis tu tus su sus con
`)

// areWords join a question's first word to its subject: who is X?
var areWords = Set("is are was were s ist sind war waren est sont es son era")

// classWords come before what kind of answer is asked for: no note has to say that a name is a town.
var classWords = Set("which what welche welcher welches welchen welchem quel quelle quels quelles que cual cuales")

// months are parts of dates, which have other forms as well.
var months = Set(`
january february march april may june july august september october november december
januar februar marz mai juni juli oktober dezember
janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
`)

// manyWords come before what is counted.
var manyWords = map[string]bool{"how much": true, "how many": true, "wie viel": true, "wie viele": true, "combien de": true}

// askers are who asks, or a word beside which nobody else is named: behind "do I fry" comes what is fried, and "which wines did we
// like" asks about wines.
var askers = Set("i we you they ich wir man du je j on nous vous faut yo")

// plainAdjectives and words with adjectiveEndings say how the next word is, and name no thing.
var (
	plainAdjectives = Set(`
bad big black blue bright brown cheap clean cold common concrete cool dark deep double early entire extra fast fat fine flat fresh full
gray green grey half hard hot huge large late left little loud low major minor nice orange pale pink plain poor pure purple quick quiet
rare raw real red remote rich safe sharp short simple single slow small smart soft strong sweet tall thick thin tiny true warm weak white
wide wild wrong yellow young always never dozen hundred thousand million
ancien ancienne autre autres beau belle bon bonne bonnes bons dernier derniere dernieres derniers differents differentes gros grosse grand
grande grandes grands jeune jeunes mauvais mauvaise meilleur meilleure meilleurs moindre nouveau nouveaux nouvel nouvelle nouvelles petit
petite petites petits premier premiere premieres premiers principal principale principales principaux prochain prochaine seul seule simple
simples vieille vieux vrai vraie
`)
	adjectiveEndings = expression(`(?:y|ful|ous|al|ive|ic|[ai]ble|less|ish|ed|ing|er|est|[ai]n|ese|ern|ar|[ae]nt|ate|ile)$`)
)

// wordPlace is a word of a question and what is around it.
type wordPlace struct {
	language, text string
	list           []Term
	places         [][2]int
	isOther        []bool
	i              int
}

// gap is the text before word i.
func (p *wordPlace) gap(i int) string {
	switch {
	case i == 0:
		return ""
	case i >= len(p.list):
		return "."
	}
	return textBetween(p.text, p.places[i-1], p.places[i])
}

// at is word i without its accents and capitals.
func (p *wordPlace) at(i int) string { return folded(p.list[i].Word) }

// isSubject reports whether word i is a word of the subject that follows the one before it.
func (p *wordPlace) isSubject(i int) bool {
	return i < len(p.list) && !p.isOther[i] && strings.TrimSpace(p.gap(i)) == ""
}

func (p *wordPlace) isAsker(i int) bool { return askers[p.at(i)] }

func (p *wordPlace) isCounted() bool { return p.i == 2 && manyWords[p.at(0)+" "+p.at(1)] }

// isFree reports whether the word can be a noun by its place: a word of the subject inside a sentence.
func (p *wordPlace) isFree() bool {
	return !p.list[p.i].isPair && !p.isOther[p.i] && p.gap(p.i) != "" && !strings.ContainsAny(p.gap(p.i), ".?!:") && !months[p.at(p.i)]
}

// nounRules say by a word's place whether it names a thing. The first that fits is the only one.
var nounRules = []struct {
	fits func(*wordPlace) bool
	mark func(*wordPlace, *Term)
}{
	{isBeforeHyphen, func(*wordPlace, *Term) {}},
	{isClass, markClass},
	{func(p *wordPlace) bool { return isCapital(p.list[p.i].Word) }, markName},
	{func(p *wordPlace) bool { return p.isSubject(p.i + 1) }, markFollowed},
	{func(p *wordPlace) bool { return strings.Trim(p.gap(p.i), " '’") == "" }, markLast},
}

// markNouns finds the words of a question that name a thing: written with a capital inside a sentence, or
// the last word after an article or a preposition. An adjective does not count: another word of the subject follows it.
// Words that may be nouns by their place alone are marked too. isOther says which words of the text are no words of the subject.
func markNouns(language, text string, list []Term, places [][2]int, isOther []bool) {
	p := wordPlace{language, text, list, places, isOther, 0}
	for p.i = range list {
		for _, rule := range nounRules {
			if p.isFree() && rule.fits(&p) {
				rule.mark(&p, &list[p.i])
				break
			}
		}
	}
}

func isBeforeHyphen(p *wordPlace) bool { return p.gap(p.i+1) == "-" }

func isClass(p *wordPlace) bool { return classWords[p.at(p.i-1)] || p.isCounted() }

// markClass marks what kind of thing the asker has.
func markClass(p *wordPlace, t *Term) {
	isAsked := p.isCounted() || p.i == 1 && !KindOf(p.text).IsMeasure()
	for i := p.i + 1; isAsked && i < min(p.i+3, len(p.list)); i++ {
		t.isPlaced = t.isPlaced || p.isAsker(i)
	}
}

// markName marks a word with a capital, and whether it is the second one of a name.
func markName(p *wordPlace, t *Term) {
	t.isNoun = true
	hasSurnames := p.language == "en" || p.language == "fr" // other languages have capitals for more than names
	isSecond := p.i > 1 && p.isSubject(p.i) && !p.isOther[p.i-1] && !months[p.at(p.i-1)]
	if hasSurnames && isSecond && isCapital(p.list[p.i-1].Word) && !isCapital(p.list[p.i-2].Word) {
		t.surnameOf = p.list[p.i-1].Word
	}
}

// markFollowed marks the word before the last one, and in French the first one.
func markFollowed(p *wordPlace, t *Term) {
	word := p.at(p.i)
	isFirst := p.language == "fr" && !plainAdjectives[word]
	isBeforeLast := p.language == "en" && !p.isSubject(p.i+2) && !isAdjective(word)
	t.isPlaced = beforeNouns[p.at(p.i-1)] && (isFirst || isBeforeLast)
}

// markLast marks the last word, also behind what the asker does.
func markLast(p *wordPlace, t *Term) {
	before := p.at(p.i - 1)
	t.isNoun = beforeNouns[before] || p.i == 2 && len(p.list) == 3 && areWords[before]
	t.isPlaced = p.i > 1 && !p.isOther[p.i-1] && !isCapital(p.list[p.i-1].Word) && p.isAsker(p.i-2)
}

// textBetween is what is between the places of two words; pairs of runes overlap.
func textBetween(text string, a, b [2]int) string { return text[min(a[1], b[0]):b[0]] }

func isCapital(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first)
}

func isAdjective(word string) bool {
	return plainAdjectives[word] || adjectiveEndings().MatchString(word)
}

func folded(word string) string { return string(appendFolded(nil, word)) }

// placedPart is how much of the question's weight a word has at least that only its place makes a noun.
const placedPart = 0.4

// UnknownNouns returns the nouns of the question that no chunk holds, and the names of two words that none holds both of, once the index
// has weighed them.
func (q *Query) UnknownNouns() (words []string) {
	all := 0.0
	for _, t := range q.Terms {
		all += t.Weight
	}
	for _, t := range q.Terms {
		if (t.isNoun || t.isPlaced && t.Weight >= placedPart*all) && !t.IsKnown && !t.IsLight {
			words = append(words, t.Word)
		}
	}
	return append(words, q.brokenNames()...)
}

// CheckNames looks at each name of two known words whose first one is the rarer: is there a chunk with both? Of an Apple Watch
// is asked, and not of some watch; but Aunt Marta may be called Marta.
func (q *Query) CheckNames(areTogether func(a, b *Term) bool) {
	for i := range q.Terms {
		t := &q.Terms[i]
		first, ok := q.positions[stem(folded(t.surnameOf))]
		t.isBroken = ok && t.IsKnown && q.Terms[first].IsKnown && q.Terms[first].Weight > t.Weight && !areTogether(&q.Terms[first], t)
	}
}

func (q *Query) brokenNames() (names []string) {
	for _, t := range q.Terms {
		if t.isBroken {
			names = append(names, t.surnameOf+" "+t.Word)
		}
	}
	return names
}
