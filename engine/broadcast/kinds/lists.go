package kinds

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
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

// countEach counts things of several kinds, without those that there are none of.
func countEach(names []string, counts ...int) string {
	var parts []string
	for i, n := range counts {
		if n > 0 {
			parts = append(parts, countThings(n, names[i]))
		}
	}
	if n := len(parts); n > 1 {
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return strings.Join(parts, "")
}

// countThings is a number of things.
func countThings(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprint(n, " ", what, "s")
}
