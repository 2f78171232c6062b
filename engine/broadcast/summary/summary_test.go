package summary

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

func textOf(lines ...string) []Sentence {
	var list []Sentence
	for i, l := range lines {
		list = append(list, Sentence{Text: l, First: i == 0, Weight: 1})
	}
	return list
}

// What the title asks about and others repeat comes before what stands alone.
func TestRank(t *testing.T) {
	list := textOf(
		"Minutes of the meeting in March.",
		"We decided that the backups run every night with restic.",
		"Marek brought cake with cherries.",
		"The backups of the server are kept for ninety days.",
		"Restic checks the backups on Sundays.",
		"The parking lot is closed.",
	)
	r := Rank(list, "Backups")
	best := r.Choose(1)
	if len(best) != 1 || best[0] != 1 {
		t.Errorf("best is %v of %v", best, r.Scores)
	}
	if got := r.Choose(22); !slices.IsSorted(got) || slices.Contains(got, 5) || slices.Contains(got, 2) {
		t.Errorf("three are %v of %.2f", got, r.Scores)
	}
	if got := Rank(nil, "x").Choose(100); got != nil {
		t.Errorf("nothing has %v", got)
	}
}

// What was said is not said again.
func TestChooseRepeatsNothing(t *testing.T) {
	line := "The backups run every night with restic on the server."
	r := Rank(textOf(line, line, "The roaster is cleaned on Mondays by Ana."), "Backups")
	if got := r.Choose(30); len(got) != 2 || got[1] != 2 {
		t.Errorf("chosen are %v", got)
	}
}

func TestChooseKeepsTheLength(t *testing.T) {
	list := randomSentences(rand.New(rand.NewPCG(7, 7)), 150)
	r := Rank(list, "apple pear")
	for _, want := range []int{60, 120, 300, 800} {
		n := 0
		for _, i := range r.Choose(want) {
			n += len(strings.Fields(list[i].Text))
		}
		if n < want*85/100 || n > want*115/100 {
			t.Errorf("%d words are %d", want, n)
		}
	}
}

// Whatever is ranked, the same comes out twice, and only what went in.
func TestRankIsStable(t *testing.T) {
	seed := testseed.Take(t)
	dice := rand.New(rand.NewPCG(seed, 3))
	for range 50 {
		list := randomSentences(dice, dice.IntN(60))
		one, other := Rank(list, "apple"), Rank(list, "apple")
		if !slices.Equal(one.Scores, other.Scores) {
			t.Fatalf("%v is not %v", one.Scores, other.Scores)
		}
		chosen := one.Choose(dice.IntN(200))
		if !slices.IsSorted(chosen) || len(slices.Compact(slices.Clone(chosen))) != len(chosen) {
			t.Fatalf("chosen are %v", chosen)
		}
	}
}

func randomSentences(dice *rand.Rand, n int) []Sentence {
	words := strings.Fields("apple pear plum garden disk key backup night server roast water grinder dose time week team summer price shop cup")
	var list []Sentence
	for i := range n {
		var text []string
		for range 5 + dice.IntN(20) {
			text = append(text, words[dice.IntN(len(words))]+fmt.Sprint(dice.IntN(9)))
		}
		list = append(list, Sentence{Text: strings.Join(text, " ") + ".", First: i%7 == 0, Weight: 1})
	}
	return list
}

func BenchmarkRank200(b *testing.B) {
	list := randomSentences(rand.New(rand.NewPCG(1, 1)), 200)
	for b.Loop() {
		Rank(list, "apple pear").Choose(150)
	}
}
