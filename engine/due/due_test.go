package due

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/testdata/testseed"
)

// TestRun: each key comes at its time, the earliest first; a later Put counts, and
// what was removed does not come.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		q := New[string]()
		in := func(d time.Duration) time.Time { return begun.Add(d) }
		q.Put("b", in(2*time.Second))
		q.Put("a", in(time.Second))
		q.Put("removed", in(time.Second))
		q.Put("moved", in(time.Second))
		q.Put("moved", in(5*time.Second))
		q.Remove("removed")
		q.Remove("unknown")
		var got []string
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			q.Run(ctx, func(key string) {
				got = append(got, key+" "+time.Since(begun).String())
				if key == "a" {
					q.Put("a again", time.Now()) // from within
				}
			})
		}()
		synctest.Wait()
		<-time.After(3 * time.Second)
		q.Put("now", time.Time{})
		q.Put("earlier", in(4*time.Second))
		<-time.After(time.Hour)
		cancel()
		<-ended
		want := []string{"a 1s", "a again 1s", "b 2s", "now 3s", "earlier 4s", "moved 5s"}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// TestFairQueue: of what is due the first and the last come by turns; what is put or removed
// meanwhile has its own time.
func TestFairQueue(t *testing.T) {
	now := time.Now()
	q := NewFair[int]()
	for i := range 7 {
		q.Put(i, now.Add(time.Duration(i)))
	}
	var got []int
	take := func(n int) {
		for range n {
			key, _ := q.Take(now.Add(time.Minute))
			got = append(got, key)
		}
	}
	take(2)
	q.Put(100, now.Add(time.Second))
	q.Put(101, now.Add(time.Hour))
	q.Put(2, now.Add(time.Hour))
	q.Remove(3)
	take(2)
	take(2)
	if _, ok := q.Take(now.Add(time.Minute)); ok {
		t.Error("a key has come before its time")
	}
	if _, at, ok := q.Next(); !ok || !at.Equal(now.Add(time.Hour)) {
		t.Errorf("next at %v", at)
	}
	if want := []int{6, 0, 100, 1, 5, 4}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestBehind: what was put behind comes when nothing else is due, and has one turn of four where something is. It goes first
// when it is put so.
func TestBehind(t *testing.T) {
	now := time.Now()
	q := New[int]()
	for i := range 5 {
		q.PutAs(100+i, now.Add(-time.Minute), true)
	}
	q.Put(1000, now.Add(time.Hour))
	for i := range 7 {
		q.Put(i, now)
	}
	q.PutAs(104, now, false)
	if key, at, _ := q.Next(); key != 100 || !at.Equal(now.Add(-time.Minute)) {
		t.Errorf("%d has waited longest, since %v", key, at)
	}
	var got []int
	for key, ok := q.Take(now); ok; key, ok = q.Take(now) {
		got = append(got, key)
	}
	if want := []int{0, 1, 2, 100, 3, 4, 5, 101, 6, 104, 102, 103}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestRunSleepsWithoutKeys: a queue with nothing in it costs nothing, and the end of
// its context ends it.
func TestRunSleepsWithoutKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		q := New[int]()
		q.Put(1, time.Now().Add(2*time.Hour))
		q.Remove(1)
		q.Run(ctx, func(int) { t.Error("called") })
	})
}

// TestOrder compares the queue with a sorted list.
func TestOrder(t *testing.T) {
	type entry struct {
		key int
		at  time.Time
	}
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	begun := time.Unix(1e9, 0)
	q := New[int]()
	var want []entry
	drop := func(key int) { want = slices.DeleteFunc(want, func(e entry) bool { return e.key == key }) }
	for range 5000 {
		key := r.IntN(200)
		drop(key)
		if r.IntN(3) == 0 {
			q.Remove(key)
			continue
		}
		at := begun.Add(time.Duration(r.IntN(50)) * time.Second)
		q.Put(key, at)
		want = append(want, entry{key, at})
	}
	slices.SortStableFunc(want, func(a, b entry) int { return a.at.Compare(b.at) })
	for _, w := range want {
		if key, at, ok := q.Next(); !ok || key != w.key || !at.Equal(w.at) {
			t.Fatalf("seed %d: next is %d at %v, want %v", seed, key, at, w)
		}
		if _, ok := q.Take(w.at.Add(-1)); ok {
			t.Fatalf("seed %d: %d came before its time", seed, w.key)
		}
		if key, ok := q.Take(w.at); !ok || key != w.key {
			t.Fatalf("seed %d: took %d, want %d", seed, key, w.key)
		}
	}
	if _, _, ok := q.Next(); ok || len(q.byKey) > 0 {
		t.Errorf("seed %d: something is left", seed)
	}
}
