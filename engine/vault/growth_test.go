package vault

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// mostGrowth is how much more twice as much may cost.
const mostGrowth = 2.3

// growsGently checks that twice as much costs no more than mostGrowth as much, from n
// to 4n. The cost is what is allocated, in pieces and in bytes: each stat, read, row
// and set of lines does. Nothing is timed.
func growsGently(t *testing.T, n int, work func(n int) (run func())) {
	t.Helper()
	var pieces, bytes [3]float64
	for i := range pieces {
		run := work(n << i)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		run()
		runtime.ReadMemStats(&after)
		pieces[i], bytes[i] = float64(after.Mallocs-before.Mallocs), float64(after.TotalAlloc-before.TotalAlloc)
	}
	for i := 1; i < len(pieces); i++ {
		if p, b := pieces[i]/pieces[i-1], bytes[i]/bytes[i-1]; p > mostGrowth || b > mostGrowth {
			t.Errorf("from %d to %d: %.1f times the pieces (%.0f), %.1f times the bytes (%.0f)", n<<(i-1), n<<i, p, pieces[i], b, bytes[i])
		}
	}
}

// linesNumbered returns n different lines.
func linesNumbered(from, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d of the page\n", from+i)
	}
	return b.String()
}

func TestGrowthOfAnArrival(t *testing.T) {
	growsGently(t, 2000, func(n int) func() {
		a := newArrival("clip.md", time.Now(), []byte(linesNumbered(0, n)))
		next := []byte(linesNumbered(n/2, n))
		return func() { growArrival(a, false, next, nil) }
	})
}

// Notes with different lines, all moved to another folder.
func TestGrowthOfFollowing(t *testing.T) {
	growsGently(t, 100, func(n int) func() {
		var strays []stray
		var finds []find
		for i := range n {
			src := fmt.Sprintf("> @agent-Miner question %d\n", i)
			strays = append(strays, strayOf(fmt.Sprintf("old/%d.md", i), journal.Queued, src, fmt.Sprint(i)))
			finds = append(finds, findOf(fmt.Sprintf("new/%d.md", i), src))
		}
		return func() {
			if moves := matchMoves(strays, finds); len(moves) != n {
				t.Errorf("%d of %d were followed", len(moves), n)
			}
		}
	})
}

func TestGrowthOfPairing(t *testing.T) {
	growsGently(t, 200, func(n int) func() {
		var src strings.Builder
		for i := range n {
			fmt.Fprintf(&src, "> @agent-Miner question %d\n\n", i)
		}
		markers := note.Parse([]byte(src.String())).Markers
		claims := strayOf("n.md", journal.Queued, src.String(), "d").claims
		return func() {
			if free := PairClaims(markers, claims).Free; len(free) > 0 {
				t.Errorf("%d are free", len(free))
			}
		}
	})
}
