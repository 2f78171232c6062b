// Package fewer makes tables of tests smaller in the short form, which the gate runs under the race detector: cases of
// one test start the same goroutines. `go test ./...` has all of them, and so has the race bed.
package fewer

import (
	"maps"
	"slices"
	"testing"
)

// Cases returns all cases of a table, in the short form the first and the last one.
func Cases[C any](all []C) []C {
	if !testing.Short() || len(all) < 3 {
		return all
	}
	return []C{all[0], all[len(all)-1]}
}

// Named is Cases for a table by names, in their order.
func Named[C any](all map[string]C) map[string]C {
	some := make(map[string]C)
	for _, name := range Cases(slices.Sorted(maps.Keys(all))) {
		some[name] = all[name]
	}
	return some
}
