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

// SumScores makes one list of several that are in the order of the chunks. It uses lists up.
func SumScores(lists [][]Scored) []Scored {
	if len(lists) == 0 {
		return nil
	}
	all := 0
	for _, list := range lists {
		all += len(list)
	}
	var out, other []Scored                                                      // in turn, each holds all that a round makes
	for lists = append(lists, nil); len(lists) > 2; lists = append(lists, nil) { // so that the last has another too
		if out, other = other[:0], out; out == nil {
			out = make([]Scored, 0, all)
		}
		made := lists[:0]
		for i := 0; i+1 < len(lists); i += 2 {
			from := len(out)
			out = appendSums(out, lists[i], lists[i+1])
			made = append(made, out[from:])
		}
		lists = made
	}
	return lists[0]
}

// appendSums merges two lists; values of one chunk are added up.
func appendSums(out, a, b []Scored) []Scored {
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
