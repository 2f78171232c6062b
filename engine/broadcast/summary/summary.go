// Package summary is pure: it says which sentences of a text tell most of it.
//
//	r := summary.Rank(sentences, "Backups")
//	chosen := r.Choose(words)
//
// It adds up six scores of a sentence: LexRank (Erkan and Radev 2004, https://arxiv.org/abs/1109.2128) restarted at
// the words of the title, how near it is to the middle of all sentences, the words it shares with the title, whether
// it is the first of its section, how near it is to the beginning of its note, and words that announce what matters.
// Then it picks the best, each less the more it repeats those picked before (MMR).
//
// # Promises
//
// It changes no sentence and knows none that it was not given. The same sentences have the same
// ranks. It takes less than 20 ms for 200 sentences.
package summary

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"vaultdispatcher/engine/recall/terms"
)

// Sentence is one that may be chosen.
type Sentence struct {
	Text   string
	First  bool    // of its section
	Nth    int     // how many sentences of its note precede it
	Weight float64 // how near its source is to what was asked for, 0 to 1
}

// Weights of the scores. They were chosen on one half of the documents of .ci/summaries.
const (
	byLinks    = 0.3
	byMiddle   = 1.0
	byTitle    = 0.1
	byPlace    = 0.3
	byOpening  = 0.6
	byCue      = 0.3
	repetition = 0.3 // of MMR
	damping    = 0.85
	rounds     = 15
	near       = 0.05 // least similarity of two sentences that count as linked
)

// cues announce what matters.
var cues = terms.Set(`decided decision decide agreed conclusion conclude concludes result results summary summarise summarises therefore
	goal purpose aim aims propose proposes proposed proposal recommend recommends recommended describes introduces
	beschlossen entschieden ergebnis fazit ziel deshalb`)

// Ranking is how much each sentence tells.
type Ranking struct {
	Scores    []float64
	vectors   []vector
	sentences []Sentence
}

// vector has the weight of each word of a sentence, by the number of the word, in order.
type vector []entry

type entry struct {
	word   int
	weight float64
}

// Rank says how much each sentence tells of all of them.
func Rank(sentences []Sentence, title string) *Ranking {
	r := &Ranking{Scores: make([]float64, len(sentences)), sentences: sentences}
	if len(sentences) == 0 {
		return r
	}
	dictionary := make(map[string]int)
	counts := make([]map[int]int, len(sentences))
	for i, s := range sentences {
		counts[i] = countWords(s.Text, dictionary)
	}
	asked := countWords(title, dictionary)
	rarity := weighWords(counts, len(dictionary))
	for _, c := range counts {
		r.vectors = append(r.vectors, newVector(c, rarity))
	}
	inTitle := make([]float64, len(sentences))
	for i, c := range counts {
		inTitle[i] = shareOf(c, asked)
	}
	links, middle := r.rankByLinks(inTitle), r.nearMiddle()
	for i, s := range sentences {
		score := byLinks*links[i] + byMiddle*middle[i] + byTitle*inTitle[i] + byOpening/float64(1+s.Nth)
		if s.First {
			score += byPlace
		}
		if hasCue(s.Text) {
			score += byCue
		}
		if s.Weight > 0 {
			score *= s.Weight
		}
		r.Scores[i] = score
	}
	return r
}

// countWords counts the stems of a text, by their numbers in a dictionary that grows.
func countWords(text string, dictionary map[string]int) map[int]int {
	var b terms.Body
	b.Add(text)
	counts := make(map[int]int)
	for word := range bytes.FieldsSeq(b.Text) {
		stem, _, _ := bytes.Cut(word, []byte(terms.OtherForm))
		n, known := dictionary[string(stem)]
		if !known {
			n = len(dictionary)
			dictionary[string(stem)] = n
		}
		counts[n]++
	}
	return counts
}

func weighWords(counts []map[int]int, words int) []float64 {
	in := make([]int, words)
	for _, c := range counts {
		for w := range c {
			in[w]++
		}
	}
	rarity := make([]float64, words)
	for w, n := range in {
		rarity[w] = math.Log(float64(len(counts)+1) / float64(n+1))
	}
	return rarity
}

// newVector is the direction of a sentence: of length 1.
func newVector(counts map[int]int, rarity []float64) vector {
	v := make(vector, 0, len(counts))
	sum := 0.0
	for w, n := range counts {
		v = append(v, entry{w, float64(n) * rarity[w]})
	}
	slices.SortFunc(v, func(a, b entry) int { return a.word - b.word })
	for _, e := range v {
		sum += e.weight * e.weight
	}
	if sum > 0 {
		for i := range v {
			v[i].weight /= math.Sqrt(sum)
		}
	}
	return v
}

// times is how alike two vectors are, 0 to 1.
func (v vector) times(o vector) (sum float64) {
	for i, j := 0, 0; i < len(v) && j < len(o); {
		switch {
		case v[i].word < o[j].word:
			i++
		case v[i].word > o[j].word:
			j++
		default:
			sum += v[i].weight * o[j].weight
			i, j = i+1, j+1
		}
	}
	return sum
}

// shareOf is the part of the asked words that a sentence has.
func shareOf(counts, asked map[int]int) float64 {
	if len(asked) == 0 {
		return 0
	}
	n := 0
	for w := range asked {
		if counts[w] > 0 {
			n++
		}
	}
	return float64(n) / float64(len(asked))
}

func hasCue(text string) bool {
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if cues[strings.Trim(word, `.,;:!?"'()*_`)] {
			return true
		}
	}
	return false
}

// rankByLinks is LexRank, begun anew at the sentences that have words of the title.
func (r *Ranking) rankByLinks(restart []float64) []float64 {
	n := len(r.vectors)
	links, sums := r.linkSentences()
	total := 0.0
	start := make([]float64, n)
	for i, share := range restart {
		start[i] = 0.1 + share
		total += start[i]
	}
	rank := make([]float64, n)
	for i := range start {
		start[i] /= total
		rank[i] = start[i]
	}
	for range rounds {
		next := make([]float64, n)
		lost := 0.0
		for i, list := range links {
			if sums[i] == 0 {
				lost += rank[i]
				continue
			}
			for _, e := range list {
				next[e.word] += damping * rank[i] * e.weight / sums[i]
			}
		}
		for i := range next {
			next[i] += (1 - damping + damping*lost) * start[i]
		}
		rank = next
	}
	return toOne(rank)
}

// linkSentences lists for each sentence the others that are like it, and how much in all.
func (r *Ranking) linkSentences() (links []vector, sums []float64) {
	n := len(r.vectors)
	links, sums = make([]vector, n), make([]float64, n)
	having := make(map[int]vector) // by word: the sentences that have it
	for i, v := range r.vectors {
		alike := make(map[int]float64)
		for _, e := range v {
			for _, o := range having[e.word] {
				alike[o.word] += e.weight * o.weight
			}
			having[e.word] = append(having[e.word], entry{i, e.weight})
		}
		for _, j := range sortedKeys(alike) {
			if like := alike[j]; like >= near {
				links[i], links[j] = append(links[i], entry{j, like}), append(links[j], entry{i, like})
				sums[i], sums[j] = sums[i]+like, sums[j]+like
			}
		}
	}
	return links, sums
}

func sortedKeys(m map[int]float64) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// nearMiddle is how near each sentence is to the middle of all.
func (r *Ranking) nearMiddle() []float64 {
	sum := make(map[int]float64)
	for _, v := range r.vectors {
		for _, e := range v {
			sum[e.word] += e.weight
		}
	}
	list := make([]float64, len(r.vectors))
	for i, v := range r.vectors {
		for _, e := range v {
			list[i] += e.weight * sum[e.word]
		}
	}
	return toOne(list)
}

// toOne scales a list so that its largest number is 1.
func toOne(list []float64) []float64 {
	top := slices.Max(list)
	if top > 0 {
		for i := range list {
			list[i] /= top
		}
	}
	return list
}
