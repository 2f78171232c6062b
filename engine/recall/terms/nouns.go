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
le la les l un une du de d au aux mon ma mes notre nos votre vos leur leurs ce cet cette ces sur dans avec
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

// markNouns finds the words of a question that name a thing: written with a capital inside a sentence, or
// the last word after an article or a preposition. An adjective does not count: another word of the subject follows it.
// isOther says which words of the text are no words of the subject.
func markNouns(text string, list []Term, places [][2]int, isOther []bool) {
	for i := range list {
		t := &list[i]
		if t.isPair || isOther[i] {
			continue
		}
		before := ""
		if i > 0 {
			before = text[places[i-1][1]:places[i][0]]
		}
		if before == "" || strings.ContainsAny(before, ".?!:") || months[folded(t.Word)] {
			continue
		}
		last, after := folded(list[i-1].Word), ""
		if i+1 < len(list) {
			after = text[places[i][1]:places[i+1][0]]
		}
		first, _ := utf8.DecodeRuneInString(t.Word)
		switch {
		case classWords[last], after == "-":
		case unicode.IsUpper(first):
			t.isNoun = true
		case i+1 < len(list) && !isOther[i+1] && strings.TrimSpace(after) == "": // it describes the next one
		case strings.Trim(before, " '’") == "":
			t.isNoun = beforeNouns[last] || i == 2 && len(list) == 3 && areWords[last]
		}
	}
}

func folded(word string) string { return string(appendFolded(nil, word)) }

// UnknownNouns returns the nouns of the question that no chunk holds, once the index has weighed them.
func (q *Query) UnknownNouns() (words []string) {
	for _, t := range q.Terms {
		if t.isNoun && !t.IsKnown && !t.IsLight {
			words = append(words, t.Word)
		}
	}
	return words
}
