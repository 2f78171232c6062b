package follow

import (
	"fmt"
	"strings"
	"testing"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/vault/testdata/growth"
)

// Notes with different lines, all moved to another folder.
func TestGrowthOfFollowing(t *testing.T) {
	growth.Gently(t, 100, func(n int) func() {
		var strays []Stray
		var finds []Find
		for i := range n {
			src := fmt.Sprintf("> @agent-Miner question %d\n", i)
			strays = append(strays, strayOf(fmt.Sprintf("old/%d.md", i), journal.Queued, src, fmt.Sprint(i)))
			finds = append(finds, findOf(fmt.Sprintf("new/%d.md", i), src))
		}
		return func() {
			if moves := MatchMoves(strays, finds); len(moves) != n {
				t.Errorf("%d of %d were followed", len(moves), n)
			}
		}
	})
}

func TestGrowthOfPairing(t *testing.T) {
	growth.Gently(t, 200, func(n int) func() {
		var src strings.Builder
		for i := range n {
			fmt.Fprintf(&src, "> @agent-Miner question %d\n\n", i)
		}
		markers := note.Parse([]byte(src.String())).Markers
		claims := strayOf("n.md", journal.Queued, src.String(), "d").Claims
		return func() {
			if free := PairClaims(markers, claims).Free; len(free) > 0 {
				t.Errorf("%d are free", len(free))
			}
		}
	})
}
