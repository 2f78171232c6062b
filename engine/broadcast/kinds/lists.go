package kinds

import (
	"cmp"
	"slices"
	"strings"

	"vaultdispatcher/engine/wording"
)

// bestOf are those of chosen with the highest scores, in their order.
func bestOf(scores []float64, chosen []int, most int) []int {
	best := slices.Clone(chosen)
	slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	best = best[:min(most, len(best))]
	slices.Sort(best)
	return best
}

// leaveOut are those of list that are not in others.
func leaveOut(list, others []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(i int) bool { return slices.Contains(others, i) })
}

// countEach returns the counts of things of several kinds as text, without those of zero.
func countEach(names []string, counts ...int) string {
	var parts []string
	for i, n := range counts {
		if n > 0 {
			parts = append(parts, wording.Count(n, names[i]))
		}
	}
	if n := len(parts); n > 1 {
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return strings.Join(parts, "")
}
