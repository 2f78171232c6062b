package terms

import (
	"math/bits"
	"strings"
)

// IsAbout reports whether a passage whose text has the terms said, and with its
// names the terms matched, may be shown as one that speaks of what q asks for.
func (q *Query) IsAbout(said, matched uint64) bool {
	all := uint64(1)<<len(q.Terms) - 1
	if subject := all &^ q.deciding; subject != 0 && matched&subject == 0 {
		return false // some decision, about something else
	}
	return said != 0 || matched == all
}

// UnknownWords returns the words, and names of two words, that no chunk holds, once the index has weighed them, but for light
// ones. A pair of runes is named only where none of the others is known either: it may belong to two words.
func (q *Query) UnknownWords() []string {
	var known, pairs uint64
	for i, t := range q.Terms {
		if t.IsKnown || t.IsLight {
			known |= 1 << i
		}
		if t.isPair {
			pairs |= 1 << i
		}
	}
	if known&pairs != 0 {
		known |= pairs
	}
	return append(q.MissingWords(known), q.brokenNames()...)
}

// A light word has so much of its weight; a pair of runes that no text has is mostly no word.
const (
	lightPart   = 0.15
	strangePart = 0.2
)

// Weigh gives a term the weight of a word that so many of all chunks hold.
func (t *Term) Weigh(weight float64, chunks int) {
	t.Weight, t.IsKnown = weight, chunks > 0 && !t.isDerived
	if t.IsLight {
		t.Weight *= lightPart
	}
	if t.isPair && !t.IsKnown {
		t.Weight *= strangePart
	}
}

// ShareOf is the part of the query's weight that mask has.
func (q *Query) ShareOf(mask uint64) float64 {
	var have, all float64
	for i, t := range q.Terms {
		all += t.Weight
		if mask&(1<<i) != 0 {
			have += t.Weight
		}
	}
	if all == 0 {
		return 0
	}
	return have / all
}

// heavyPart is the part of the greatest weight from which on a term is one of the weightiest.
const heavyPart = 0.7

// HasWeightiest reports whether mask has half of the terms, of these the weightiest, the nouns, and the act that is asked for, however
// light its word is: what says nothing of stopping does not tell how something is stopped. A word that is only found by others of its root, or by its
// parts, is never had: a text with one of them may be about something else.
func (q *Query) HasWeightiest(mask uint64) bool {
	most, tells := 0.0, false
	for _, t := range q.Terms {
		most, tells = max(most, t.Weight), tells || !t.IsLight
	}
	if !tells || 2*bits.OnesCount64(mask) < len(q.Terms) { // "how do I use this vault?"
		return false
	}
	for i, t := range q.Terms {
		if t.isParted || (t.isAct || t.isDeed || t.isNoun && !t.IsLight || t.Weight >= heavyPart*most) && mask&(1<<i) == 0 {
			return false
		}
	}
	return true
}

// HasDeed reports whether mask has a term by which a property names who did what is asked.
func (q *Query) HasDeed(mask uint64) bool {
	for i, t := range q.Terms {
		if t.isDeed && mask&(1<<i) != 0 {
			return true
		}
	}
	return false
}

// HasAct reports whether mask has the term for what the question asks how to do, or who does it.
func (q *Query) HasAct(mask uint64) bool { return q.act&mask != 0 }

// ShareNamed is the part of the query's weight that name has where all its words follow one another in the question;
// 0 where they do not.
func (q *Query) ShareNamed(question, name string) float64 {
	if words := joinTokens(name); words == " " || !strings.Contains(joinTokens(question), words) {
		return 0
	}
	return q.ShareOf(q.Mask(name))
}

// IsSame reports whether two texts have the same words in the same order.
func IsSame(a, b string) bool { return joinTokens(a) == joinTokens(b) }

// joinTokens are the stems of all words of a text with a space around each.
func joinTokens(text string) string {
	out := []byte{' '}
	scanTokens(text, func(t token) { out = append(append(out, stemWord(t.text)...), ' ') })
	return string(out)
}

// HasFavouredWord reports whether text has words of the kind that q asks for without
// naming them: those of a decision, those of a reason.
func (q *Query) HasFavouredWord(text string) bool {
	if !q.AsksDecision && !q.AsksReason {
		return false
	}
	found := false
	scanTokens(text, func(t token) {
		found = found || q.AsksDecision && statedWords[string(t.text)]
		found = found || q.AsksReason && reasonWords[string(stemWord(t.text))]
	})
	return found
}

// MissingWords returns the words of the terms that mask has no bit for. Pairs that
// overlap are one word again.
func (q *Query) MissingWords(mask uint64) []string {
	var words []string
	last := -2
	for i, t := range q.Terms {
		if mask&(1<<i) != 0 {
			continue
		}
		if n := len(words) - 1; last == i-1 && isOverlapping(words[n], t.Word) {
			_, first := splitRune(t.Word)
			words[n] += first
		} else {
			words = append(words, t.Word)
		}
		last = i
	}
	return words
}

// isOverlapping reports whether b is the pair that follows the run a.
func isOverlapping(a, b string) bool {
	head, rest := splitRune(b)
	return rest != "" && scriptOf([]rune(b)[0]) > letter && len([]rune(rest)) == 1 && strings.HasSuffix(a, head)
}

// splitRune parts the first rune from the rest.
func splitRune(s string) (head, rest string) {
	for i := range s {
		if i > 0 {
			return s[:i], s[i:]
		}
	}
	return s, ""
}
