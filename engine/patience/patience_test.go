package patience

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A disk that hangs is given up, and its late answer disturbs nothing.
func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if n, ok := Await(func() int { return 7 }); n != 7 || !ok {
			t.Errorf("a disk that answers: %d, %v", n, ok)
		}
		begun, back := time.Now(), make(chan int)
		if _, ok := Await(func() int { return <-back }); ok || time.Since(begun) != DiskTime {
			t.Errorf("a disk that hangs: %v after %v", ok, time.Since(begun))
		}
		back <- 1
	})
}

// Disks that hang take so many looks and no more: what goes beyond is given up unbegun, and in time as the others are. A
// disk that answers is asked however many ask it at once.
func TestLooksLeftBehindAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer func(all chan struct{}) { places = all }(places)
		places = make(chan struct{}, mostBehind) // of this bubble, where the clock is
		back := make(chan struct{})
		var begun, answered, refused atomic.Int32
		ask := func(look func()) {
			if _, ok := Await(func() bool { begun.Add(1); look(); return true }); ok {
				answered.Add(1)
			} else {
				refused.Add(1)
			}
		}
		expect := func(when string, b, a, r int32) {
			t.Helper()
			if begun.Load() != b || answered.Load() != a || refused.Load() != r {
				t.Errorf("%s: %d looks were begun, %d answered, %d given up; want %d, %d, %d", when, begun.Load(), answered.Load(), refused.Load(), b, a, r)
			}
		}
		all := func(n int, look func()) {
			var asking sync.WaitGroup
			for range n {
				asking.Go(func() { ask(look) })
			}
			asking.Wait()
		}
		all(5*mostBehind, func() { time.Sleep(DiskTime / 10) })
		expect("a disk that answers late", 5*mostBehind, 5*mostBehind, 0)

		at := time.Now()
		all(3*mostBehind, func() { <-back })
		expect("a disk that hangs", 6*mostBehind, 5*mostBehind, 3*mostBehind)
		ask(func() {})
		expect("while they are behind", 6*mostBehind, 5*mostBehind, 3*mostBehind+1)
		if took := time.Since(at); took != 2*DiskTime {
			t.Errorf("they were given up after %v", took)
		}
		back <- struct{}{}
		ask(func() {})
		expect("when one is back", 6*mostBehind+1, 5*mostBehind+1, 3*mostBehind+1)
		close(back)
		all(mostBehind, func() {})
		expect("when all are", 7*mostBehind+1, 6*mostBehind+1, 3*mostBehind+1)
		synctest.Wait()
		if len(places) > 0 {
			t.Errorf("%d places are taken", len(places))
		}
	})
}
