package postings

import (
	"cmp"
	"slices"
)

// Scored is a chunk with its weighted occurrences of one term, or with its score.
type Scored struct {
	Chunk Chunk
	Value float64
}

// SumScores makes one list of several that are in the order of the chunks.
func SumScores(lists [][]Scored) []Scored {
	for len(lists) > 1 {
		var pairs [][]Scored
		for i := 1; i < len(lists); i += 2 {
			pairs = append(pairs, addScores(lists[i-1], lists[i]))
		}
		lists = append(pairs, lists[len(lists)&^1:]...)
	}
	if len(lists) == 0 {
		return nil
	}
	return lists[0]
}

// addScores merges two lists; values of one chunk are added up.
func addScores(a, b []Scored) []Scored {
	out := make([]Scored, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Chunk < b[0].Chunk:
			out, a = append(out, a[0]), a[1:]
		case a[0].Chunk > b[0].Chunk:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, Scored{a[0].Chunk, a[0].Value + b[0].Value})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// HaveCommon reports whether two lists that are in the order of the chunks share one.
func HaveCommon(a, b []Scored) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Chunk < b[0].Chunk:
			a = a[1:]
		case a[0].Chunk > b[0].Chunk:
			b = b[1:]
		default:
			return true
		}
	}
	return false
}

// TopScored returns the n best of list, the best first.
func TopScored(list []Scored, n int) []Scored {
	better := func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Chunk, b.Chunk))
	}
	top := make([]Scored, 0, n+1)
	for _, s := range list {
		if len(top) == n && better(s, top[n-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, s, better)
		top = slices.Insert(top, at, s)
		top = top[:min(len(top), n)]
	}
	return top
}
