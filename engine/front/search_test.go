package front

import (
	"fmt"
	"slices"
	"testing"

	"vaultdispatcher/engine/recall"
)

// A search of many vaults gives no more than was asked for, and none of them hides
// the others.
func TestBestOfManyVaults(t *testing.T) {
	var found []ranked
	for _, vault := range []string{"a", "b", "c"} {
		for rank := range 20 {
			found = append(found, ranked{vault, rank, recall.Passage{Share: map[string]float64{"a": 0.5, "b": 1, "c": 0.5}[vault]}})
		}
	}
	var got []string
	for _, p := range pickBest(found, 5) {
		got = append(got, fmt.Sprint(p.vault, p.rank))
	}
	if want := []string{"b0", "a0", "c0", "b1", "a1"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := pickBest(found[:3], 20); len(got) != 3 {
		t.Errorf("%d of 3", len(got))
	}
}
