package recall

import "bytes"

// stem reduces an English word to what its inflections share, by the algorithm
// that Martin Porter published in 1980 with his two later corrections; it is
// the one inside SQLite's "porter" tokenizer. The result shares memory with
// word, which is overwritten. Words with other letters than a to z are left
// alone.
func stem(word []byte) []byte {
	if len(word) < 3 {
		return word
	}
	for _, c := range word {
		if c < 'a' || c > 'z' {
			return word
		}
	}
	w := plural(word)
	w = pastTense(w)
	if n := len(w) - 1; w[n] == 'y' && hasVowel(w[:n]) {
		w[n] = 'i'
	}
	w = replaceSuffix(w, derived, 0)
	w = replaceSuffix(w, adjectives, 0)
	w = replaceSuffix(w, endings, 1)
	return finalE(w)
}

type suffix struct{ from, to string }

// In each table a suffix stands before any other that it ends in.
var (
	derived = []suffix{
		{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
		{"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"},
		{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"},
		{"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"}, {"logi", "log"},
	}
	adjectives = []suffix{
		{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
	}
	endings = []suffix{
		{"al", ""}, {"ance", ""}, {"ence", ""}, {"er", ""}, {"ic", ""}, {"able", ""}, {"ible", ""}, {"ant", ""},
		{"ement", ""}, {"ment", ""}, {"ent", ""}, {"sion", "s"}, {"tion", "t"}, {"ou", ""}, {"ism", ""},
		{"ate", ""}, {"iti", ""}, {"ous", ""}, {"ive", ""}, {"ize", ""},
	}
)

// replaceSuffix applies the first rule whose suffix fits, if what the rule
// leaves has a measure above min.
func replaceSuffix(w []byte, rules []suffix, min int) []byte {
	for _, r := range rules {
		if bytes.HasSuffix(w, []byte(r.from)) {
			kept := len(w) - len(r.from)
			if r.from == "sion" || r.from == "tion" {
				kept++ // the s or t belongs to the stem and only permits the rule
				if measure(w[:kept]) > min {
					return w[:kept]
				}
				return w
			}
			if measure(w[:kept]) > min {
				return append(w[:kept], r.to...)
			}
			return w
		}
	}
	return w
}

func plural(w []byte) []byte {
	switch n := len(w); {
	case bytes.HasSuffix(w, []byte("sses")), bytes.HasSuffix(w, []byte("ies")):
		return w[:n-2]
	case bytes.HasSuffix(w, []byte("ss")) || w[n-1] != 's':
		return w
	default:
		return w[:n-1]
	}
}

func pastTense(w []byte) []byte {
	n := len(w)
	var kept int
	switch {
	case bytes.HasSuffix(w, []byte("eed")):
		if measure(w[:n-3]) > 0 {
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
	case doubled(w):
		if c := w[kept-1]; c != 'l' && c != 's' && c != 'z' {
			return w[:kept-1]
		}
	case measure(w) == 1 && short(w):
		return append(w, 'e')
	}
	return w
}

func finalE(w []byte) []byte {
	if n := len(w) - 1; n >= 0 && w[n] == 'e' {
		if m := measure(w[:n]); m > 1 || m == 1 && !short(w[:n]) {
			w = w[:n]
		}
	}
	if n := len(w) - 1; n >= 0 && w[n] == 'l' && doubled(w) && measure(w) > 1 {
		w = w[:n]
	}
	return w
}

// consonant reports whether w[i] is one; y is when nothing or a vowel precedes.
func consonant(w []byte, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !consonant(w, i-1)
	}
	return true
}

// measure counts the places where a vowel is followed by a consonant.
func measure(w []byte) int {
	n, vowel := 0, false
	for i := range w {
		c := consonant(w, i)
		if c && vowel {
			n++
		}
		vowel = !c
	}
	return n
}

func hasVowel(w []byte) bool {
	for i := range w {
		if !consonant(w, i) {
			return true
		}
	}
	return false
}

func doubled(w []byte) bool {
	n := len(w) - 1
	return n > 0 && w[n] == w[n-1] && consonant(w, n)
}

// short reports whether w ends consonant, vowel, consonant, the last none of w, x, y.
func short(w []byte) bool {
	n := len(w) - 1
	if n < 2 || !consonant(w, n) || consonant(w, n-1) || !consonant(w, n-2) {
		return false
	}
	return w[n] != 'w' && w[n] != 'x' && w[n] != 'y'
}
