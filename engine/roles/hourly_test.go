package roles

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// TestHourly: whatever comes when, no hour sees more starts than the limit, none
// starts later than it must, and without a limit all start at once.
func TestHourly(t *testing.T) {
	seed := rand.Uint64()
	if v := os.Getenv("SEED"); v != "" {
		var err error
		if seed, err = strconv.ParseUint(v, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 300 {
		h := &Hourly{most: r.IntN(5)}
		now := time.Unix(1e9, 0)
		var starts []time.Time
		for range 60 {
			now = now.Add(time.Duration(r.IntN(40)) * time.Minute)
			at := h.Take(now)
			if at.Before(now) || h.most == 0 && !at.Equal(now) {
				t.Fatalf("seed %d, round %d: %v at %v", seed, round, at, now)
			}
			if r.IntN(8) == 0 { // it was not stored after all
				h.GiveBack(at)
				continue
			}
			before := 0
			for _, s := range starts {
				if s.After(at.Add(-time.Hour)) {
					before++
				}
			}
			if h.most > 0 && before >= h.most {
				t.Fatalf("seed %d, round %d: %d starts in the hour before %v, limit %d", seed, round, before, at, h.most)
			}
			starts = append(starts, at)
		}
	}
}

// TestHourlyIsNotLate: the first dispatches of an hour start at once, the next one
// when the first of them is an hour old; a person's count as well.
func TestHourlyIsNotLate(t *testing.T) {
	h := &Hourly{most: 2}
	now := time.Unix(1e9, 0)
	minutes := func(n int) time.Time { return now.Add(time.Duration(n) * time.Minute) }
	for i, want := range []int{0, 1, 60, 61, 120} {
		if got := h.Take(minutes(i)); !got.Equal(minutes(max(want, i))) {
			t.Errorf("dispatch %d starts after %v, want %d min", i, got.Sub(now), want)
		}
	}
	h = &Hourly{most: 1}
	h.Count(now)
	if got := h.Take(minutes(10)); !got.Equal(minutes(60)) {
		t.Errorf("after a released one the next starts after %v", got.Sub(now))
	}
}
