package backlog

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestClockThatGoesBack(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	b, _, _ := bucket{}.takeToken(now, 20, 2)
	b, _, ok := b.takeToken(now.Add(-time.Hour), 20, 2)
	if !ok {
		t.Error("the second token of two was refused")
	}
	if _, wait, ok := b.takeToken(now.Add(-time.Hour), 20, 2); ok || wait != 50*time.Millisecond {
		t.Errorf("%v, wait %v", ok, wait)
	}
}

func TestBucket(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	b, ok := bucket{}, false
	empty := func(what string) {
		for i := range 100 {
			if b, _, ok = b.takeToken(now, 20, 100); !ok {
				t.Fatalf("%s: request %d of the burst was refused", what, i)
			}
		}
	}
	empty("at first")
	wait := time.Duration(0)
	if b, wait, ok = b.takeToken(now, 20, 100); ok || wait != 50*time.Millisecond {
		t.Errorf("after the burst: %v, wait %v", ok, wait)
	}
	now = now.Add(wait)
	if b, _, ok = b.takeToken(now, 20, 100); !ok {
		t.Error("refused after the wait that was asked for")
	}
	if b, _, ok = b.takeToken(now, 20, 100); ok {
		t.Error("two for one wait")
	}
	now = now.Add(time.Hour)
	empty("after an hour")
	if _, _, ok = b.takeToken(now, 20, 100); ok {
		t.Error("an hour saved up more than the burst")
	}
}

// run starts a backlog whose work is noted, until the end of the test.
func run(t *testing.T, b *Backlog[int], do func(int) bool) {
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); b.Run(ctx, func(_ context.Context, item int) bool { return do(item) }) }()
	t.Cleanup(func() { stop(); <-ended })
}

// pass lets time pass, and waits for the work that has become due.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// Of a flood everything is done once: at once, or in its order as the rate allows.
func TestFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New[int](Limits{PerSecond: 20, Burst: 100, Pieces: 1000, MostBytes: 1 << 20})
		var done []int
		run(t, b, func(i int) bool { done = append(done, i); return false })
		began := time.Now()
		for i := range 1000 {
			switch now, remembered, _ := b.Admit(fmt.Sprint(i), i); {
			case now != (i < 100) || remembered == now:
				t.Fatalf("%d: now %v, remembered %v", i, now, remembered)
			case i >= 100:
				if now, remembered, _ := b.Admit(fmt.Sprint(i), i); now || !remembered {
					t.Fatalf("%d asked for again: now %v, remembered %v", i, now, remembered)
				}
			}
		}
		pass(44 * time.Second)
		if now, _, _ := b.Admit("late", 1000); now {
			t.Error("one overtook those that wait")
		}
		pass(2 * time.Second)
		if len(done) != 901 || !slices.IsSorted(done) || time.Since(began) > 47*time.Second {
			t.Errorf("%d done, in order: %v", len(done), slices.IsSorted(done))
		}
		if now, _, _ := b.Admit("alone", 1001); !now {
			t.Error("nothing waits, and it may not be done at once")
		}
	})
}

func TestMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New[int](Limits{PerSecond: 1, Burst: 1, Pieces: 2, MostBytes: 5})
		b.Admit("a", 0)
		for _, tt := range []struct {
			key        string
			remembered bool
		}{{"ab", true}, {"abcd", false}, {"abc", true}, {"ab", true}, {"d", false}} {
			if now, remembered, wait := b.Admit(tt.key, 1); now || remembered != tt.remembered || remembered == (wait > 0) {
				t.Errorf("%s: now %v, remembered %v, wait %v", tt.key, now, remembered, wait)
			}
		}
	})
}

// Work that cannot be done is tried again, delays no other, and is due when it is asked for.
func TestAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New[int](Limits{PerSecond: 20, Burst: 1, Pieces: 10, MostBytes: 100})
		tries, away := 0, true
		run(t, b, func(int) bool { tries++; return away })
		b.Admit("taken", 0)
		b.Admit("a", 1)
		pass(retryAfter + time.Second)
		if now, _, _ := b.Admit("b", 2); !now || tries != 2 {
			t.Errorf("another may be done at once: %v; %d tries", now, tries)
		}
		pass(time.Second)
		away = false
		if _, remembered, _ := b.Admit("a", 1); !remembered {
			t.Error("it was forgotten")
		}
		pass(time.Second)
		if tries != 3 {
			t.Errorf("%d tries, want 3", tries)
		}
	})
}

// Work that was tried and is asked for once more, while its turn has come and waits for the rate, is done once.
func TestAskedForWhileItsTurnWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New[int](Limits{PerSecond: 1, Burst: 1, Pieces: 10, MostBytes: 100})
		tries, away := 0, true
		run(t, b, func(int) bool { tries++; return away })
		b.Admit("taken", 0)
		b.Admit("a", 1)
		pass(retryAfter + 900*time.Millisecond) // it was tried after a second
		if now, _, _ := b.Admit("b", 2); !now || tries != 1 {
			t.Fatalf("another may be done at once: %v; %d tries", now, tries)
		}
		pass(500 * time.Millisecond)
		away = false
		if now, remembered, _ := b.Admit("a", 1); now || !remembered {
			t.Errorf("asked for again: now %v, remembered %v", now, remembered)
		}
		pass(2 * retryAfter)
		if tries != 2 {
			t.Errorf("%d tries, want 2", tries)
		}
		if now, _, _ := b.Admit("c", 3); !now {
			t.Error("nothing waits, and it may not be done at once")
		}
	})
}
