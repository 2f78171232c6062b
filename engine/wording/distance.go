package wording

import "strings"

// EditDistance counts the letters that differ between two words: inserted, deleted, replaced, or swapped with their
// neighbour, each at most once (https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance#Optimal_string_alignment_distance).
// It returns most where there are that many or more.
func EditDistance(a, b string, most int) int {
	s, t := []rune(a), []rune(b)
	if max(len(s)-len(t), len(t)-len(s)) >= most {
		return most
	}
	var above []int
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		next := make([]int, len(t)+1)
		next[0] = i + 1
		for j := range t {
			change := 1
			if s[i] == t[j] {
				change = 0
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, row[j]+change)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				next[j+1] = min(next[j+1], above[j-1]+1)
			}
		}
		above, row = row, next
	}
	return min(row[len(t)], most)
}

// Nearest returns the one of names that a misspelt name is probably meant to be: the one that differs in the fewest
// letters, and in at most two and a third of them. It returns "" without such a name, or with several. It ignores the
// name *.
func Nearest(name string, names []string) (meant string) {
	name = strings.ToLower(name)
	least := max(1, min(2, len(name)/3)) + 1
	for _, n := range names {
		if n == "*" {
			continue
		}
		switch d := EditDistance(name, strings.ToLower(n), least+1); {
		case d < least:
			least, meant = d, n
		case d == least && !strings.EqualFold(n, meant):
			meant = ""
		}
	}
	return meant
}
