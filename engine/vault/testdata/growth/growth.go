// Package growth checks, without a clock, how the cost of work grows. For tests.
package growth

import (
	"runtime"
	"testing"
	"time"
)

// mostGrowth is how much more twice as much may cost.
const mostGrowth = 2.3

// mostTime is how much more of the processor's time four times as much may take: more than four times, because the caches of
// the processor end somewhere, and far less than the sixteen of what is quadratic. Below leastTime it says nothing.
const (
	mostTime  = 8
	leastTime = 20 * time.Millisecond
)

// tries is how often work is measured that seems to cost too much. What the process
// does besides only adds to a cost, so the least is nearest to it.
const tries = 3

// Gently checks that twice as much costs no more than mostGrowth as much, from n
// to 4n. The cost is what is allocated, in pieces and in bytes: each stat, read, row
// and set of lines does. Nothing is timed, but with the tag growth (.ci/bench): there the work is four times as much, and
// its cost is the processor's time, so comparisons count, and whatever else allocates nothing. The short form
// under the race detector begins at a quarter of n, for there the work takes many times as long, and the same is measured
// without it.
func Gently(t *testing.T, n int, work func(n int) (run func())) {
	t.Helper()
	if isTimed {
		first, last := measureTime(work, 4*n), measureTime(work, 16*n)
		exceeds := func() bool { return last > leastTime && float64(last) > mostTime*float64(first) }
		for try := 1; exceeds() && try < tries; try++ {
			first, last = measureTime(work, 4*n), measureTime(work, 16*n)
		}
		if ratio := float64(last) / float64(first); exceeds() {
			t.Errorf("from %d to %d: %.1f times the processor's time (%v)", 4*n, 16*n, ratio, last)
		}
		return
	}
	if testing.Short() && !bytesTell {
		n = max(n/4, 1)
	}
	half := measure(work(n))
	for range 2 {
		n *= 2
		all := measure(work(n))
		for try := 1; all.exceeds(half) && try < tries; try++ {
			all = all.orLess(measure(work(n)))
		}
		if all.exceeds(half) {
			t.Errorf("from %d to %d: %.1f times the pieces (%.0f), %.1f times the bytes (%.0f)", n/2, n,
				all.pieces/half.pieces, all.pieces, all.bytes/half.bytes, all.bytes)
		}
		half = all
	}
}

// cost is what a run allocates.
type cost struct{ pieces, bytes float64 }

func measure(run func()) cost {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return cost{float64(after.Mallocs - before.Mallocs), float64(after.TotalAlloc - before.TotalAlloc)}
}

// measureTime is the least of the processor's time that work took.
func measureTime(work func(n int) (run func()), n int) (least time.Duration) {
	for range tries {
		run := work(n)
		runtime.GC() // what came before is cleared away by nobody else
		begun := processorTime()
		run()
		if took := processorTime() - begun; least == 0 || took < least {
			least = took
		}
	}
	return max(least, time.Nanosecond)
}

func (c cost) exceeds(half cost) bool {
	return c.pieces > mostGrowth*half.pieces || bytesTell && c.bytes > mostGrowth*half.bytes
}

func (c cost) orLess(other cost) cost {
	return cost{min(c.pieces, other.pieces), min(c.bytes, other.bytes)}
}
