package terms

import "bytes"

// stemWord reduces an English word to what its inflections share, by the algorithm
// that Martin Porter published in 1980, with his two later corrections
// (http://www.tartarus.org/~martin/PorterStemmer). SQLite's "porter" tokenizer has
// the same one; TestStemAgreesWithSQLite compares them. The result shares memory with
// word, which is overwritten. Words with other letters than a to z are left
// alone.
func stemWord(word []byte) []byte {
	if len(word) < 3 {
		return word
	}
	for _, c := range word {
		if c < 'a' || c > 'z' {
			return word
		}
	}
	w := cutPlural(word)
	w = cutPastTense(w)
	if n := len(w) - 1; w[n] == 'y' && hasVowel(w[:n]) {
		w[n] = 'i'
	}
	w = replaceSuffix(w, &derived, 0)
	w = replaceSuffix(w, &adjectives, 0)
	w = replaceSuffix(w, &endings, 1)
	return cutFinalE(w)
}

type suffix struct{ ending, replacement string }

// In each table a suffix comes before any other that it ends in.
var (
	derived = byLetter([]suffix{
		{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
		{"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"},
		{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"},
		{"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"}, {"logi", "log"},
	})
	adjectives = byLetter([]suffix{
		{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
	})
	endings = byLetter([]suffix{
		{"al", ""}, {"ance", ""}, {"ence", ""}, {"er", ""}, {"ic", ""}, {"able", ""}, {"ible", ""}, {"ant", ""},
		{"ement", ""}, {"ment", ""}, {"ent", ""}, {"sion", "s"}, {"tion", "t"}, {"ou", ""}, {"ism", ""},
		{"ate", ""}, {"iti", ""}, {"ous", ""}, {"ive", ""}, {"ize", ""},
	})
)

// byLetter sorts rules by the last letter but one of their suffixes: few words need more than a look there.
func byLetter(rules []suffix) (table ['z' + 1][]suffix) {
	for _, r := range rules {
		letter := r.ending[len(r.ending)-2]
		table[letter] = append(table[letter], r)
	}
	return table
}

// replaceSuffix applies the first rule whose suffix fits, if what the rule
// leaves has a measure above min.
func replaceSuffix(w []byte, rules *['z' + 1][]suffix, min int) []byte {
	for _, r := range rules[w[max(0, len(w)-2)]] {
		if bytes.HasSuffix(w, []byte(r.ending)) {
			kept := len(w) - len(r.ending)
			if r.ending == "sion" || r.ending == "tion" {
				kept++ // the s or t belongs to the stem and only permits the rule
				if countVowelRuns(w[:kept]) > min {
					return w[:kept]
				}
				return w
			}
			if countVowelRuns(w[:kept]) > min {
				return append(w[:kept], r.replacement...)
			}
			return w
		}
	}
	return w
}

func cutPlural(w []byte) []byte {
	switch n := len(w); {
	case bytes.HasSuffix(w, []byte("sses")), bytes.HasSuffix(w, []byte("ies")):
		return w[:n-2]
	case bytes.HasSuffix(w, []byte("ss")) || w[n-1] != 's':
		return w
	default:
		return w[:n-1]
	}
}

func cutPastTense(w []byte) []byte {
	n := len(w)
	var kept int
	switch {
	case bytes.HasSuffix(w, []byte("eed")):
		if countVowelRuns(w[:n-3]) > 0 {
			return w[:n-1]
		}
		return w
	case bytes.HasSuffix(w, []byte("ed")):
		kept = n - 2
	case bytes.HasSuffix(w, []byte("ing")):
		kept = n - 3
	default:
		return w
	}
	if !hasVowel(w[:kept]) {
		return w
	}
	w = w[:kept]
	switch {
	case bytes.HasSuffix(w, []byte("at")), bytes.HasSuffix(w, []byte("bl")), bytes.HasSuffix(w, []byte("iz")):
		return append(w, 'e')
	case endsDoubled(w):
		if c := w[kept-1]; c != 'l' && c != 's' && c != 'z' {
			return w[:kept-1]
		}
	case countVowelRuns(w) == 1 && endsShort(w):
		return append(w, 'e')
	}
	return w
}

func cutFinalE(w []byte) []byte {
	if n := len(w) - 1; n >= 0 && w[n] == 'e' {
		if m := countVowelRuns(w[:n]); m > 1 || m == 1 && !endsShort(w[:n]) {
			w = w[:n]
		}
	}
	if n := len(w) - 1; n >= 0 && w[n] == 'l' && endsDoubled(w) && countVowelRuns(w) > 1 {
		w = w[:n]
	}
	return w
}

// isConsonant reports whether w[i] is one. A y is one at the beginning and after a
// vowel.
func isConsonant(w []byte, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !isConsonant(w, i-1)
	}
	return true
}

// countVowelRuns counts the places where a vowel is followed by a consonant.
func countVowelRuns(w []byte) int {
	n, vowel := 0, false
	for i := range w {
		c := isConsonant(w, i)
		if c && vowel {
			n++
		}
		vowel = !c
	}
	return n
}

func hasVowel(w []byte) bool {
	for i := range w {
		if !isConsonant(w, i) {
			return true
		}
	}
	return false
}

func endsDoubled(w []byte) bool {
	n := len(w) - 1
	return n > 0 && w[n] == w[n-1] && isConsonant(w, n)
}

// endsShort reports whether w ends consonant, vowel, consonant, the last none of w, x, y.
func endsShort(w []byte) bool {
	n := len(w) - 1
	if n < 2 || !isConsonant(w, n) || isConsonant(w, n-1) || !isConsonant(w, n-2) {
		return false
	}
	return w[n] != 'w' && w[n] != 'x' && w[n] != 'y'
}
