package note

import (
	"math/rand/v2"
	"slices"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

// What says that a marker may be that of a trace is among the keys of both.
func TestKeysOfWhatStandsBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.Take(t), 0))
	line := func() string { return []string{"", "a", "a  ", " a", "b", "b `x  y`", "b `x y`"}[r.IntN(7)] }
	for range 5000 {
		ask := []string{"> @agent-Miner a", ">  @agent-Miner  a", "> @agent-Miner b\n> on"}
		m := Marker{Text: ask[r.IntN(3)], Before: line(), After: line()}
		trace := Trace{Text: ask[r.IntN(3)], Before: line(), After: line()}
		shares := slices.ContainsFunc(KeysBeside(m.Trace()), func(key string) bool { return slices.Contains(Keys(trace), key) })
		if fits := FoldHead(m.Text) == FoldHead(trace.Text) && (trace.IsBeside(m) || trace.IsBetween(m)); fits && !shares {
			t.Errorf("%+v stands beside %+v, and they share no key: %q, %q", m, trace, KeysBeside(m.Trace()), Keys(trace))
		}
	}
}
