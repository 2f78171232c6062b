package follow

import (
	"slices"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
)

// This file says which questions were held against all that may be the same, where what very many notes have is left out.

// findRare returns what reports whether one of the markers of a question was compared with all that may be the same: each of its
// keys is among these, and not crowded.
func findRare(keys []string, crowded map[string]bool) func(traces []note.Trace) bool {
	compared := setOf(keys)
	return func(traces []note.Trace) bool {
		return len(crowded) == 0 || slices.ContainsFunc(traces, func(t note.Trace) bool {
			return !slices.ContainsFunc(find.KeysBeside(t), func(key string) bool { return crowded[key] || !compared[key] })
		})
	}
}

// keysOfStrays are those of the claims that have one of the keys; without any they are all.
func keysOfStrays(strays []Stray, keys []string) (all []string) {
	among := setOf(keys)
	for _, s := range strays {
		for _, t := range Traces(s.Claims) {
			if beside := find.KeysBeside(t); len(keys) == 0 || slices.ContainsFunc(beside, func(key string) bool { return among[key] }) {
				all = append(all, beside...)
			}
		}
	}
	return all
}

func setOf(keys []string) map[string]bool {
	set := make(map[string]bool, len(keys))
	for _, key := range keys {
		set[key] = true
	}
	return set
}
