package find

import (
	"math/rand/v2"
	"slices"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/testdata/testseed"
)

// What says that a marker may be that of a trace is among the keys of both.
func TestKeysOfWhatStandsBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.Take(t), 0))
	line := func() string { return []string{"", "a", "a  ", " a", "b", "b `x  y`", "b `x y`"}[r.IntN(7)] }
	for range 5000 {
		ask := []string{"> @agent-Miner a", ">  @agent-Miner  a", "> @agent-Miner b\n> on"}
		m := note.Marker{Text: ask[r.IntN(3)], Upper: line(), Lower: line()}
		trace := note.Trace{Text: ask[r.IntN(3)], Upper: line(), Lower: line()}
		shares := slices.ContainsFunc(KeysBeside(m.Trace()), func(key string) bool { return slices.Contains(Keys(trace), key) })
		if fits := note.FoldHead(m.Text) == note.FoldHead(trace.Text) && (IsBeside(m, trace) || IsBetween(m, trace)); fits && !shares {
			t.Errorf("%+v stands beside %+v, and they share no key: %q, %q", m, trace, KeysBeside(m.Trace()), Keys(trace))
		}
	}
}

// A marker is found by a trace that has fewer lines: what is below these is the neighbour then.
func TestKeysOfWhatGoesOn(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.Take(t), 0))
	line := func() string {
		return []string{"", "above", "> ", "> on", "> own  words", "below", "\ufeffx"}[r.IntN(7)]
	}
	fits := 0
	for range 5000 {
		end := []string{"\n", "\r\n", "\r"}[r.IntN(3)]
		src := []byte(line() + end + "> @agent-Miner a" + end + line() + end + line() + end + line() + end)
		whole := note.Parse(src).Markers
		for lines := 1; len(whole) == 1 && lines <= note.CountLines(whole[0].Text); lines++ {
			cut := note.NewPage(src).Cut(func(m note.Marker) int { return m.Line + lines - 1 }).Markers[0]
			trace := note.Trace{Text: cut.Text, Upper: line(), Lower: line()}
			if !IsBeside(cut, trace) && !IsBetween(cut, trace) {
				continue
			}
			fits++
			if !slices.ContainsFunc(KeysBeside(whole[0].Trace()), func(key string) bool { return slices.Contains(KeysBeside(trace), key) }) {
				t.Fatalf("%q: %+v is that of %+v, and they share no key: %q, %q", src, cut, trace, KeysBeside(whole[0].Trace()), KeysBeside(trace))
			}
		}
	}
	if fits < 1000 {
		t.Errorf("only %d fit", fits)
	}
}
