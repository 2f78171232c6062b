package recall

import "math/bits"

// reach is how many tokens apart two neighbouring terms may stand.
const reach = 3

// neighbours says which terms stand in text shortly after the term that stands
// before them in the query, one bit for each.
func (q *query) neighbours(text string) (mask uint64) {
	if len(q.terms) < 2 {
		return 0
	}
	var last [reach]uint64
	n := 0
	scanTokens(text, func(t token) {
		bit := q.bit(t.text)
		for _, before := range last {
			mask |= bit & (before << 1)
		}
		last[n%reach] = bit
		n++
	})
	return mask
}

// joined is the share of neighbouring terms that mask says are neighbours.
func (q *query) joined(mask uint64) float64 {
	if len(q.terms) < 2 {
		return 0
	}
	return float64(bits.OnesCount64(mask)) / float64(len(q.terms)-1)
}
