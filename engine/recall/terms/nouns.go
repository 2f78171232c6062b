package terms

import (
	"slices"
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

// markNouns finds the words of a question that name a thing: written with a capital inside a sentence, or
// the last word after an article or a preposition. An adjective does not count: another word of the subject follows it.
// Words that may be nouns by their place alone are marked too: what kind of thing the asker has, the word before the last one, in French
// the first one, and the last one behind what the asker does. isOther says which words of the text are no words of the subject.
func markNouns(language, text string, list []Term, places [][2]int, isOther []bool) {
	gap := func(i int) string { // before word i
		switch {
		case i == 0:
			return ""
		case i >= len(list):
			return "."
		}
		return text[places[i-1][1]:places[i][0]]
	}
	isNext := func(i int) bool { return i < len(list) && !isOther[i] && strings.TrimSpace(gap(i)) == "" }
	isAsker := func(t Term) bool { return askers[folded(t.Word)] }
	for i := range list {
		t := &list[i]
		if t.isPair || isOther[i] || gap(i) == "" || strings.ContainsAny(gap(i), ".?!:") || months[folded(t.Word)] {
			continue
		}
		last := folded(list[i-1].Word)
		isCounted := i == 2 && manyWords[folded(list[0].Word)+" "+last]
		switch {
		case gap(i+1) == "-":
		case classWords[last], isCounted:
			t.isPlaced = (i == 1 && !KindOf(text).IsMeasure() || isCounted) && slices.ContainsFunc(list[i+1:min(i+3, len(list))], isAsker)
		case isCapital(t.Word):
			t.isNoun = true
			isName := i > 1 && isNext(i) && !isOther[i-1] && !months[last] && isCapital(list[i-1].Word) && !isCapital(list[i-2].Word)
			if isName && (language == "en" || language == "fr") { // other languages have it for more than names
				t.surnameOf = list[i-1].Word
			}
		case isNext(i + 1):
			isFirst := language == "fr" && !plainAdjectives[folded(t.Word)]
			isBeforeLast := language == "en" && !isNext(i+2) && !isAdjective(folded(t.Word))
			t.isPlaced = beforeNouns[last] && (isFirst || isBeforeLast)
		case strings.Trim(gap(i), " '’") == "":
			t.isNoun = beforeNouns[last] || i == 2 && len(list) == 3 && areWords[last]
			t.isPlaced = i > 1 && !isOther[i-1] && !isCapital(list[i-1].Word) && isAsker(list[i-2])
		}
	}
}

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
