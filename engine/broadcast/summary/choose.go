package summary

import (
	"slices"

	"vaultdispatcher/engine/wording"
)

// same is how alike two sentences are that say the same.
const same = 0.8

// Choose returns the sentences that tell most in so many words, in their order. At least one
// is chosen where there is any; the last one may be as much too long as the sum would be too
// short without it.
func (r *Ranking) Choose(words int) []int {
	var chosen []int
	nearest := make([]float64, len(r.Scores)) // to what is chosen
	taken := make([]bool, len(r.Scores))
	left := words
	for left > 0 {
		best, value := -1, 0.0
		for i, score := range r.Scores {
			v := (1-repetition)*score - repetition*nearest[i]
			if !taken[i] && nearest[i] < same && (best < 0 || v > value) {
				best, value = i, v
			}
		}
		if best < 0 {
			break
		}
		taken[best] = true
		n := wording.Words(r.sentences[best].Text)
		if n > left && n-left > left && len(chosen) > 0 {
			nearest[best] = 1
			continue
		}
		left -= n
		chosen = append(chosen, best)
		for i, v := range r.vectors {
			if !taken[i] {
				nearest[i] = max(nearest[i], v.times(r.vectors[best]))
			}
		}
	}
	slices.Sort(chosen)
	return chosen
}
