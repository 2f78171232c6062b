package terms

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxTerms bounds a query; a mask has one bit per term.
const maxTerms = 64

// Term is one thing a query looks for.
type Term struct {
	Word      string   // as it was typed
	Forms     []string // tokens of the index, each as good as the other
	Exact     string   // the word as it is behind its stem in the index; "" where it is its own stem
	Weight    float64  // the fewer chunks hold it, the larger
	IsKnown   bool     // some chunk holds it
	IsLight   bool     // says next to nothing of what is asked about
	isParted  bool     // it is found by words of its root, or is a compound and found by its parts
	isPair    bool     // two runes of a script without spaces, which may belong to two words
	isStop    bool     // a stop word, in a query that has nothing else
	isNoun    bool     // names a thing, as far as the words beside it tell
	isPlaced  bool     // may name one, by its place alone
	isDerived bool     // names who or what does a thing, and is found by words for the deed alone
	surnameOf string   // the first word of a name that this is the second one of
	isBroken  bool     // no chunk holds both words of that name
	isAct     bool     // the question begins with it, or asks how that is done, or who does it
	isAsked   bool     // the question asks how it is done, or who does it, also where it is a plain act
	isObject  bool     // that is done to it
	isCounted bool     // the question asks how many there are
	isDone    bool     // the question asks how long or how much that is done
	isDeed    bool     // the question asks who did it, which a property may say
	IsPrefix  bool     // alts[0] is one rune of a script without spaces: any token that begins with it
}

// Query is user text made ready to be matched.
type Query struct {
	Terms         []Term
	NoteNames     []string // the names of a note that this text would be
	AsksDecision  bool     // asks what was decided
	deciding      uint64   // with these terms
	AsksReason    bool     // asks why
	AsksMeaning   bool     // asks what a word means, and no more
	asksWho       bool
	asksMost      bool
	asksDoing     bool   // asks what a thing does
	asksWhere     bool   // asks where something is done or kept
	language      string // of the text, as its small words tell: "en", "de", "fr" or ""
	act, object   uint64 // that are so
	counted       uint64
	measured      uint64 // what is done so long or so much
	actWord       string
	positions     map[string]int // stem -> term
	initials      [256]bool      // of the stems in positions
	hasPrefixes   bool
	onlyStopWords bool              // the query is made of stop words alone
	bits          map[string]uint64 // memory of bit; a query serves one search
}

// SearchWords returns the words of a query that are looked for, as they were typed.
// It is empty for text such as "summarise this".
func SearchWords(text string) []string {
	var words []string
	q := Parse(text)
	for _, t := range q.Terms {
		if w := strings.ToLower(t.Word); !q.isAsking(w) && !leadingWords[w] && !stopWords[w] {
			words = append(words, t.Word)
		}
	}
	return words
}

// Parse takes the words of text apart. It drops stop words, then words that
// only address the agent, but never all words: a pass that would leave nothing is
// not made.
func Parse(text string) *Query {
	q := &Query{bits: make(map[string]uint64), asksWho: KindOf(text) == Person, language: questionLanguage(text)} // there may be no word to use
	q.asksMost = asksMost().MatchString(text[:min(len(text), mostAsked)])
	q.AsksMeaning = meaning().MatchString(text[:min(len(text), mostAsked)])
	all, content, subject := q.sortWords(text)
	names := []string{joinStems(content), joinStems(subject), joinStems(all)}
	if parted := particles.Replace(text); parted != text {
		if a, c, s := q.sortWords(parted); len(a) > 0 {
			all, content, subject = a, c, s
		}
	}
	for _, list := range [][]Term{subject, content, all} {
		if len(list) > 0 && len(q.Terms) == 0 {
			q.Use(list)
		}
	}
	q.NoteNames = slices.Compact(names)
	return q
}

// sortWords takes text apart into all words, those that are no stop words, and of
// these the ones that are about the subject.
func (q *Query) sortWords(text string) (all, content, subject []Term) {
	leading, act := true, wordOf(text, whereActs(), noActs)
	measured := wordOf(text, measureActs(), noMeasureActs)
	if q.asksWhere = act >= 0; !q.asksWhere {
		act = wordOf(text, acts(), noActs)
	}
	var places [][2]int
	var isOther []bool // no word of the subject
	scanTokens(text, func(t token) {
		word := string(t.text)
		q.AsksReason = q.AsksReason || whyWords[word]
		if t.tail && !t.alone {
			return
		}
		asking := t.start != act && t.start != measured && q.isAsking(word) || leading && leadingWords[word]
		leading = leading && asking
		found := q.newTerm(text, t, t.start == act, t.start == measured)
		found.isAct = found.isAct || found.IsLight && len(all) == 0
		all, places = append(all, found), append(places, [2]int{t.start, t.end})
		isOther = append(isOther, found.isStop || asking || t.script == hiragana)
	})
	markNouns(q.language, text, all, places, isOther)
	markCounted(text, all, places, isOther)
	markObject(text, all, places, isOther, max(act, measured))
	for i, t := range all {
		if t.isStop {
			continue
		}
		content = append(content, t)
		if !isOther[i] {
			subject = append(subject, t)
		}
	}
	return all, content, subject
}

// newTerm is the term of a token of text, which may be what the question asks to have done, or what it asks the measure of.
func (q *Query) newTerm(text string, t token, isAct, isMeasured bool) Term {
	word := string(t.text)
	found := Term{Word: text[t.start:t.end], IsPrefix: t.alone && t.script != letter, isPair: t.script != letter, isAsked: isAct}
	found.isStop = stopWords[word] || isElided(word, text[t.end:])
	found.Forms = []string{string(stemWord(t.text))}
	if found.Forms[0] != word {
		found.Exact = word
	}
	isKept := q.asksWhere && isAct && keptActs[word]
	found.IsLight = lightWords[found.Forms[0]] || isKept
	if found.isStop && isAct && !q.asksWhere {
		q.asksDoing, q.actWord = true, word
	}
	found.isDone = isMeasured && !found.isStop
	found.isAct = found.isDone || isAct && !plainActs[word] && !isKept
	return found
}

func (q *Query) isAsking(word string) bool {
	return askingWords[word] || foreignWords[word] && q.language != "en"
}

// elided are what is left of French words before a vowel: the l of l'été.
var elided = Set("c d j l m n qu s t")

// isElided reports whether a word is one of elided, by the apostrophe in rest.
func isElided(word, rest string) bool {
	return elided[word] && (strings.HasPrefix(rest, "'") || strings.HasPrefix(rest, "’"))
}

// WhyNothing says why a search has found nothing where the query tells.
func WhyNothing(query string, found int) []string {
	if q := Parse(query); found > 0 || !q.onlyStopWords {
		return nil
	}
	return []string{"words such as “" + strings.TrimSpace(query) + "” are in every note and are not searched by themselves; add a word of what you look for"}
}

func joinStems(terms []Term) string {
	var words []string
	for _, t := range terms {
		words = append(words, t.Forms[0])
	}
	return strings.Join(words, " ")
}

// Use makes list the terms of q: each once, at most maxTerms.
func (q *Query) Use(list []Term) {
	q.positions, q.initials, q.bits = make(map[string]int), [256]bool{}, make(map[string]uint64)
	q.Terms, q.hasPrefixes, q.deciding, q.act, q.object, q.counted, q.measured = nil, false, 0, 0, 0, 0, 0
	for _, t := range list {
		if _, twice := q.positions[t.Forms[0]]; twice || len(q.Terms) == maxTerms {
			continue
		}
		if decisionWords[t.Forms[0]] {
			q.AsksDecision = true
			q.deciding |= 1 << len(q.Terms)
			t.Forms = t.Forms[:1:1]
			for w := range statedStems {
				if w != t.Forms[0] {
					t.Forms = append(t.Forms, w)
				}
			}
			slices.Sort(t.Forms[1:])
		}
		if t.isAsked {
			q.act, q.actWord = 1<<len(q.Terms), folded(t.Word)
		}
		if t.isCounted {
			q.counted |= 1 << len(q.Terms)
		}
		if t.isDone {
			q.measured |= 1 << len(q.Terms)
		}
		if t.isObject {
			q.object |= 1 << len(q.Terms)
		}
		for _, d := range deeds {
			if t.isDeed = q.asksWho && d.asked[t.Forms[0]]; t.isDeed {
				t.Forms = append(t.Forms[:1:1], d.stems...)
				break
			}
		}
		for _, a := range t.Forms {
			q.addStem(a, len(q.Terms))
		}
		q.hasPrefixes = q.hasPrefixes || t.IsPrefix
		q.onlyStopWords = q.onlyStopWords || t.isStop
		q.Terms = append(q.Terms, t)
	}
}

// addStem has a term found by a stem.
func (q *Query) addStem(stem string, term int) {
	q.positions[stem], q.initials[stem[0]] = term, true
}

// Mask says which terms of q occur in text, one bit for each.
func (q *Query) Mask(text string) uint64 {
	var mask uint64
	scanTokens(text, func(t token) {
		if q.hasPrefixes && t.script != letter {
			mask |= q.prefixMask(t.text)
		}
		mask |= q.termBit(t.text)
	})
	return mask
}

// Places returns the ranges of text that terms of q take, in order: start and end in bytes. No two ranges touch.
func (q *Query) Places(text string) (places [][2]int) {
	scanTokens(text, func(t token) {
		end := t.end
		if q.termBit(t.text) == 0 {
			if t.script == letter || q.prefixMask(t.text) == 0 {
				return
			}
			_, size := utf8.DecodeRuneInString(text[t.start:]) // a prefix is one character
			end = t.start + size
		}
		if n := len(places); n > 0 && t.start <= places[n-1][1] {
			places[n-1][1] = max(end, places[n-1][1])
			return
		}
		places = append(places, [2]int{t.start, end})
	})
	return places
}

// termBit returns the bit of the term that a token matches, or 0. A stem begins as its word does, so most words of a note
// need not be stemmed.
func (q *Query) termBit(tok []byte) uint64 {
	if !q.initials[tok[0]] {
		return 0
	}
	if bit, known := q.bits[string(tok)]; known {
		return bit
	}
	return q.learnWord(string(tok))
}

func (q *Query) learnWord(word string) (bit uint64) {
	root := string(stemWord([]byte(word)))
	i, ok := q.positions[root]
	switch {
	case !ok:
	case stopWords[word] && !q.onlyStopWords: // its stem may be that of a name: "in" of "Ines"
	case root == q.Terms[i].Forms[0] || statedWords[word] || q.Terms[i].isDeed || q.Terms[i].isParted:
		bit = 1 << i
	}
	q.bits[word] = bit
	return bit
}

func (q *Query) prefixMask(tok []byte) uint64 {
	var mask uint64
	for i, t := range q.Terms {
		if t.IsPrefix && strings.HasPrefix(string(tok), t.Forms[0]) {
			mask |= 1 << i
		}
	}
	return mask
}
