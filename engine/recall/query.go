package recall

import (
	"slices"
	"strings"
)

// maxTerms bounds a query; a mask has one bit per term.
const maxTerms = 64

// term is one thing a query looks for.
type term struct {
	word   string   // as it was typed
	alts   []string // tokens of the index, each as good as the other
	form   string   // the word as the index has it besides its stem; "" where it is its own stem
	weight float64  // what it tells: more the fewer chunks hold it
	stop   bool     // a stop word, in a query that has nothing else
	prefix bool     // alts[0] is one rune of a script without spaces: any token that begins with it
}

// query is user text made ready to be matched.
type query struct {
	terms    []term
	keys     []string       // the names of a note that this text would be
	decision bool           // asks what was decided
	deciding uint64         // with these terms
	reason   bool           // asks why
	at       map[string]int // stem -> term
	prefixes bool
	stops    bool              // the query is made of stop words alone
	bits     map[string]uint64 // memory of bit; a query serves one search
}

// Words returns the words of a query that are looked for, as they were typed.
// It is empty for text such as "summarise this".
func Words(text string) []string {
	var words []string
	q := parseQuery(text)
	for _, t := range q.terms {
		if w := strings.ToLower(t.word); !askingWords[w] && !leadingWords[w] && !stopWords[w] {
			words = append(words, t.word)
		}
	}
	return words
}

// parseQuery takes the words of text apart. Stop words go, then words that only
// address the one who answers, but never all words: the first pass that would
// leave nothing is not made.
func parseQuery(text string) *query {
	q := &query{bits: make(map[string]uint64)} // there may be no word to use
	all, content, subject := q.sort(text)
	names := []string{joinStems(content), joinStems(subject), joinStems(all)}
	if parted := particles.Replace(text); parted != text {
		if a, c, s := q.sort(parted); len(a) > 0 {
			all, content, subject = a, c, s
		}
	}
	for _, list := range [][]term{subject, content, all} {
		if len(list) > 0 && len(q.terms) == 0 {
			q.use(list)
		}
	}
	q.keys = slices.Compact(names)
	return q
}

// sort takes text apart into all words, those that are no stop words, and of
// these the ones that are about the subject.
func (q *query) sort(text string) (all, content, subject []term) {
	leading := true
	scanTokens(text, func(t token) {
		if whyWords[string(t.text)] {
			q.reason = true
		}
		if t.tail && !t.alone {
			return
		}
		stop, asking := stopWords[string(t.text)], askingWords[string(t.text)] || leading && leadingWords[string(t.text)]
		leading = leading && asking
		found := term{word: text[t.start:t.end], stop: stop, prefix: t.alone && t.script != letter}
		word := string(t.text)
		found.alts = []string{string(stem(t.text))}
		if found.alts[0] != word {
			found.form = asItStands + word
		}
		all = append(all, found)
		if stop {
			return
		}
		content = append(content, found)
		if !asking && t.script != hiragana {
			subject = append(subject, found)
		}
	})
	return all, content, subject
}

func joinStems(terms []term) string {
	var words []string
	for _, t := range terms {
		words = append(words, t.alts[0])
	}
	return strings.Join(words, " ")
}

// use makes list the terms of q: each once, at most maxTerms.
func (q *query) use(list []term) {
	q.at, q.bits = make(map[string]int), make(map[string]uint64)
	q.terms, q.prefixes, q.deciding = nil, false, 0
	for _, t := range list {
		if _, twice := q.at[t.alts[0]]; twice || len(q.terms) == maxTerms {
			continue
		}
		if decisionWords[t.alts[0]] {
			q.decision = true
			q.deciding |= 1 << len(q.terms)
			t.alts = t.alts[:1:1]
			for w := range statedStems {
				if w != t.alts[0] {
					t.alts = append(t.alts, w)
				}
			}
			slices.Sort(t.alts[1:])
		}
		for _, a := range t.alts {
			q.at[a] = len(q.terms)
		}
		q.prefixes = q.prefixes || t.prefix
		q.stops = q.stops || t.stop
		q.terms = append(q.terms, t)
	}
}

// match returns the expression that finds a term. Tokens hold letters, digits
// and marks only, so quoting them is enough.
func (t term) match() string {
	if t.prefix {
		return `"` + t.alts[0] + `" *`
	}
	return `"` + strings.Join(t.alts, `" OR "`) + `"`
}

// mask says which terms of q occur in text, one bit for each.
func (q *query) mask(text string) uint64 {
	var mask uint64
	scanTokens(text, func(t token) {
		if q.prefixes && t.script != letter {
			mask |= q.prefixMask(t.text)
		}
		mask |= q.bit(t.text)
	})
	return mask
}

// bit is the bit of the term that a token stands for, 0 if it is none's.
func (q *query) bit(tok []byte) uint64 {
	if bit, known := q.bits[string(tok)]; known {
		return bit
	}
	return q.learn(string(tok))
}

func (q *query) learn(word string) (bit uint64) {
	root := string(stem([]byte(word)))
	i, ok := q.at[root]
	switch {
	case !ok:
	case stopWords[word] && !q.stops: // its stem may be that of a name: "in" of "Ines"
	case root == q.terms[i].alts[0] || statedWords[word]:
		bit = 1 << i
	}
	q.bits[word] = bit
	return bit
}

func (q *query) prefixMask(tok []byte) uint64 {
	var mask uint64
	for i, t := range q.terms {
		if t.prefix && strings.HasPrefix(string(tok), t.alts[0]) {
			mask |= 1 << i
		}
	}
	return mask
}

// about reports whether a passage whose text has the terms said, and with its
// names the terms matched, may be shown as one that speaks of what q asks for.
func (q *query) about(said, matched uint64) bool {
	all := uint64(1)<<len(q.terms) - 1
	if subject := all &^ q.deciding; subject != 0 && matched&subject == 0 {
		return false // some decision, about something else
	}
	return said != 0 || matched == all
}

// share is the part of the query's weight that mask has.
func (q *query) share(mask uint64) float64 {
	var have, all float64
	for i, t := range q.terms {
		all += t.weight
		if mask&(1<<i) != 0 {
			have += t.weight
		}
	}
	if all == 0 {
		return 0
	}
	return have / all
}

// favours reports whether text has words of the kind that q asks for without
// naming them: those of a decision, those of a reason.
func (q *query) favours(text string) bool {
	if !q.decision && !q.reason {
		return false
	}
	found := false
	scanTokens(text, func(t token) {
		found = found || q.decision && statedWords[string(t.text)]
		found = found || q.reason && reasonWords[string(stem(t.text))]
	})
	return found
}

// lacking returns the words of the terms that mask has no bit for. Pairs that
// overlap are one word again.
func (q *query) lacking(mask uint64) []string {
	var words []string
	last := -2
	for i, t := range q.terms {
		if mask&(1<<i) != 0 {
			continue
		}
		if n := len(words) - 1; last == i-1 && overlaps(words[n], t.word) {
			_, first := splitRune(t.word)
			words[n] += first
		} else {
			words = append(words, t.word)
		}
		last = i
	}
	return words
}

// overlaps reports whether b is the pair that follows the run a.
func overlaps(a, b string) bool {
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
