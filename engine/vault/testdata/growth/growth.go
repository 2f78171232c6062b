// Package growth checks, without a clock, how the cost of work grows. For tests.
package growth

import (
	"runtime"
	"testing"
)

// mostGrowth is how much more twice as much may cost.
const mostGrowth = 2.3

// Gently checks that twice as much costs no more than mostGrowth as much, from n
// to 4n. The cost is what is allocated, in pieces and in bytes: each stat, read, row
// and set of lines does. Nothing is timed.
func Gently(t *testing.T, n int, work func(n int) (run func())) {
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
