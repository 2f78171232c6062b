// Package growth checks, without a clock, how the cost of work grows. For tests.
package growth

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// mostGrowth is how much more twice as much may cost.
const mostGrowth = 2.3

// times is how much more work Widely does, and mostWidely how much more that may cost: what several goroutines do beside one
// another costs half as much again or twice as much by chance, and what is quadratic costs 256 times as much.
const (
	times      = 16
	mostWidely = 40
)

// mostTime is how much more of the processor's time four times as much may take: more than four times, because the caches of
// the processor end somewhere, and far less than the sixteen of what is quadratic. Below leastTime it says nothing.
const (
	mostTime  = 8
	leastTime = 20 * time.Millisecond
)

// tries is how often work is measured that seems to cost too much. What the process
// does besides only adds to a cost, so the least is nearest to it.
const tries = 3

// Counter counts what work costs that is no memory. Read returns how much that is in this process so far.
type Counter struct {
	Name string
	Read func() float64
}

// Gently checks that twice as much costs no more than mostGrowth as much, from n
// to 4n. The cost is what is allocated, in pieces and in bytes, and what each counter counts. Nothing is timed, but with the
// tag growth (.ci/bench): there the work is four times as much, and
// its cost is the processor's time, so whatever else costs something counts. The short form
// under the race detector begins at a quarter of n, for there the work takes many times as long, and the same is measured
// without it.
func Gently(t *testing.T, n int, work func(n int) (run func()), counters ...Counter) {
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
	counters = append([]Counter{{"pieces", pieces}, {"bytes", bytes}}, counters...)
	if !bytesTell {
		counters = slices.Delete(counters, 1, 2)
	}
	half := measure(work(n), counters)
	for i, c := range counters {
		if half[i] == 0 && c.Name != "pieces" && c.Name != "bytes" {
			t.Errorf("the %s are not counted", c.Name)
		}
	}
	for range 2 {
		n *= 2
		all := measure(work(n), counters)
		for try := 1; all.exceeds(half, mostGrowth) >= 0 && try < tries; try++ {
			all = all.orLess(measure(work(n), counters))
		}
		if all.exceeds(half, mostGrowth) >= 0 {
			var grown []string
			for i, c := range counters {
				grown = append(grown, fmt.Sprintf("%.1f times the %s (%.0f)", all[i]/half[i], c.Name, all[i]))
			}
			t.Errorf("from %d to %d: %s", n/2, n, strings.Join(grown, ", "))
		}
		half = all
	}
}

// Widely is [Gently] for work of several goroutines, whose cost is not the same each time: it checks that sixteen times as much
// costs no more than forty times as much.
func Widely(t *testing.T, n int, work func(n int) (run func()), counters ...Counter) {
	t.Helper()
	if isTimed {
		Gently(t, n, work, counters...)
		return
	}
	part := measure(work(n), counters)
	all := measure(work(times*n), counters)
	for try := 1; all.exceeds(part, mostWidely) >= 0 && try < tries; try++ {
		all = all.orLess(measure(work(times*n), counters))
	}
	for i, c := range counters {
		if part[i] == 0 || all[i] > mostWidely*part[i] {
			t.Errorf("from %d to %d: %.0f %s, and then %.0f", n, times*n, part[i], c.Name, all[i])
		}
	}
}

// cost is what a run costs, by each counter.
type cost []float64

func measure(run func(), counters []Counter) cost {
	before, after := make(cost, len(counters)), make(cost, len(counters))
	for i := range slices.Backward(counters) { // memory is read last, and first behind the work: so no other counter is counted
		before[i] = counters[i].Read()
	}
	run()
	for i := range counters {
		after[i] = counters[i].Read() - before[i]
	}
	return after
}

func pieces() float64 { return float64(memory().Mallocs) }

func bytes() float64 { return float64(memory().TotalAlloc) }

// memory is what was allocated so far. It allocates nothing itself; one test at a time reads it.
func memory() *runtime.MemStats {
	runtime.ReadMemStats(&lately)
	return &lately
}

var lately runtime.MemStats

// exceeds says by which counter a cost is more than most times another; -1 is none.
func (c cost) exceeds(other cost, most float64) int {
	for i := range c {
		if c[i] > most*other[i] {
			return i
		}
	}
	return -1
}

func (c cost) orLess(other cost) cost {
	least := make(cost, len(c))
	for i := range c {
		least[i] = min(c[i], other[i])
	}
	return least
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
