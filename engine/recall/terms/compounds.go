package terms

import "strings"

// leastPart is how many letters a word of a compound has at least.
const leastPart = 4

// linking are the letters that German puts between the words of a compound.
var linking = []string{"", "s", "n", "en", "es", "er"}

// Part finds known words with the root of term i, which no text has, or cuts it into two known words if it can. A
// search then finds each of them in place of the term.
func (q *Query) Part(i int, isKnown func(form string) bool) {
	t := &q.Terms[i]
	word := t.Exact
	if word == "" {
		word = t.Forms[0]
	}
	if t.isPair || t.IsLight {
		return
	}
	if forms := q.otherForms(word, isKnown); len(forms) > 0 {
		t.isDerived = t.isNoun && q.namesDoer(word)
		q.findBy(i, forms...)
		return
	}
	if q.language == "fr" { // it writes no words together
		return
	}
	for at := leastPart; at <= len(word)-leastPart; at++ {
		last := stem(word[at:])
		if !isKnown(last) {
			continue
		}
		for _, between := range linking {
			first, ok := strings.CutSuffix(word[:at], between)
			if ok && len(first) >= leastPart && isKnown(stem(first)) {
				q.findBy(i, stem(first), last)
				return
			}
		}
	}
}

// findBy adds forms to those that term i is found by.
func (q *Query) findBy(i int, forms ...string) {
	t := &q.Terms[i]
	t.isParted, t.Forms = true, append(t.Forms[:1:1], forms...)
	for _, form := range forms {
		if _, taken := q.positions[form]; !taken {
			q.addStem(form, i)
		}
	}
	clear(q.bits)
}

func stem(word string) string { return string(stemWord([]byte(word))) }
