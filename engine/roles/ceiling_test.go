package roles

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/testdata/testseed"
)

// TestCeiling: whatever comes when, no hour and no day sees more starts than their
// limits, none starts before who came earlier, and without a limit all start at once.
func TestCeiling(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 300 {
		limits := config.Limits{PerHour: r.IntN(5), PerDay: r.IntN(12)}
		c := NewCeiling(limits, nil)
		now := time.Unix(1e9, 0)
		var starts []time.Time
		for i := range 60 {
			id := fmt.Sprint(i)
			now = now.Add(time.Duration(r.IntN(40)) * time.Minute)
			at, why := c.Take(id, now)
			if at.Before(now) || limits.PerHour+limits.PerDay == 0 && !at.Equal(now) || (why == "") != at.Equal(now) {
				t.Fatalf("seed %d, round %d: %v at %v, %q", seed, round, at, now, why)
			}
			if r.IntN(8) == 0 { // it was not stored after all
				c.GiveBack(id)
				continue
			}
			if n := countAfter(starts, at.Add(-time.Hour)); limits.PerHour > 0 && n >= limits.PerHour {
				t.Fatalf("seed %d, round %d: %d starts in the hour before %v, limit %d", seed, round, n, at, limits.PerHour)
			}
			if n := countAfter(starts, at.Add(-24*time.Hour)); limits.PerDay > 0 && n >= limits.PerDay {
				t.Fatalf("seed %d, round %d: %d starts in the day before %v, limit %d", seed, round, n, at, limits.PerDay)
			}
			starts = append(starts, at)
		}
	}
}

// TestCeilingCountsCalls: dispatches make calls beyond their first, fail and are tried again; none begins in an hour that
// has seen as many calls as the limit, and each gets its turn.
func TestCeilingCountsCalls(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 300 {
		most := 1 + r.IntN(6)
		c := NewCeiling(config.Limits{PerHour: most}, nil)
		now := time.Unix(1e9, 0)
		var calls []time.Time
		waiting := make(map[string]time.Time) // when each is due
		for i := range 20 {
			waiting[fmt.Sprint(i)], _ = c.Take(fmt.Sprint(i), now)
		}
		for step := 0; len(waiting) > 0; step++ {
			if step > 10_000 {
				t.Fatalf("seed %d, round %d: %d wait for ever", seed, round, len(waiting))
			}
			now = now.Add(time.Duration(r.IntN(20)) * time.Minute)
			for _, id := range slices.Sorted(maps.Keys(waiting)) {
				if waiting[id].After(now) {
					continue
				}
				at, why := c.Take(id, now)
				if why != "" {
					waiting[id] = at
					continue
				}
				if n := countAfter(calls, now.Add(-time.Hour)); n >= most {
					t.Fatalf("seed %d, round %d: one begins after %d calls in an hour, limit %d", seed, round, n, most)
				}
				for call := range 1 + r.IntN(3) {
					if more := c.Call(id, now); more != (call > 0) {
						t.Fatalf("seed %d, round %d: call %d is one more: %v", seed, round, call, more)
					}
					calls = append(calls, now)
				}
				if delete(waiting, id); r.IntN(3) == 0 {
					waiting[id] = now.Add(time.Second) // it has failed
				}
			}
		}
	}
}

func countAfter(starts []time.Time, from time.Time) (n int) {
	for _, s := range starts {
		if s.After(from) {
			n++
		}
	}
	return n
}

// TestCeilingIsNotLate: the first dispatches of an hour start at once, the next one
// when the first of them is an hour old; a person's count as well.
func TestCeilingIsNotLate(t *testing.T) {
	c := NewCeiling(config.Limits{PerHour: 2}, nil)
	now := time.Unix(1e9, 0)
	minutes := func(n int) time.Time { return now.Add(time.Duration(n) * time.Minute) }
	for i, want := range []int{0, 1, 60, 61, 120} {
		if got, _ := c.Take(fmt.Sprint(i), minutes(i)); !got.Equal(minutes(max(want, i))) {
			t.Errorf("dispatch %d starts after %v, want %d min", i, got.Sub(now), want)
		}
	}
	c = NewCeiling(config.Limits{PerHour: 1}, nil)
	c.Force("released", now)
	if got, why := c.Take("released", now); why != "" || !got.Equal(now) {
		t.Errorf("one that a person released waits: %s", why)
	}
	if got, why := c.Take("next", minutes(10)); !got.Equal(minutes(60)) || !strings.Contains(why, "perHour (1) in an hour") {
		t.Errorf("after a released one the next starts after %v: %s", got.Sub(now), why)
	}
	c = NewCeiling(config.Limits{PerHour: 5, PerDay: 2}, []journal.Start{{Time: minutes(-60)}, {Time: minutes(0)}})
	if got, why := c.Take("third", minutes(10)); !got.Equal(minutes(23*60)) || !strings.Contains(why, "perDay (2) in a day") {
		t.Errorf("after two of a day the next starts after %v: %s", got.Sub(now), why)
	}
}
