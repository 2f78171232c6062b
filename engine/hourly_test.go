package engine

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/journal"
)

// TestHourly: whatever comes when, no hour sees more starts than the limit, none
// starts later than it must, and without a limit all start at once.
func TestHourly(t *testing.T) {
	seed := seedOf(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 300 {
		h := &hourly{most: r.IntN(5)}
		now := time.Unix(1e9, 0)
		var starts []time.Time
		for range 60 {
			now = now.Add(time.Duration(r.IntN(40)) * time.Minute)
			at := h.take(now)
			if at.Before(now) || h.most == 0 && !at.Equal(now) {
				t.Fatalf("seed %d, round %d: %v at %v", seed, round, at, now)
			}
			if r.IntN(8) == 0 { // it was not stored after all
				h.giveBack(at)
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
	h := &hourly{most: 2}
	now := time.Unix(1e9, 0)
	minutes := func(n int) time.Time { return now.Add(time.Duration(n) * time.Minute) }
	for i, want := range []int{0, 1, 60, 61, 120} {
		if got := h.take(minutes(i)); !got.Equal(minutes(max(want, i))) {
			t.Errorf("dispatch %d starts after %v, want %d min", i, got.Sub(now), want)
		}
	}
	h = &hourly{most: 1}
	h.count(now)
	if got := h.take(minutes(10)); !got.Equal(minutes(60)) {
		t.Errorf("after a released one the next starts after %v", got.Sub(now))
	}
}

// TestTimed: what is held until a time goes then, also after a failure and when it
// was added meanwhile.
func TestTimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		at := func(id string, minutes int) journal.Timed {
			return journal.Timed{ID: id, At: begun.Add(time.Duration(minutes) * time.Minute)}
		}
		waiting := []journal.Timed{at("a", 10), at("b", 20)}
		var released []string
		failures := 0
		timer := &timed{
			woken: make(chan struct{}, 1),
			list:  func(context.Context) ([]journal.Timed, error) { return slices.Clone(waiting), nil },
			release: func(_ context.Context, d journal.Timed) error {
				if d.ID == "b" && failures == 0 {
					return errors.New("disk full")
				}
				released = append(released, d.ID+" "+time.Since(begun).String())
				waiting = slices.DeleteFunc(waiting, func(w journal.Timed) bool { return w.ID == d.ID })
				return nil
			},
			failed: func(error) { failures++ },
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- timer.run(ctx) }()
		time.Sleep(12 * time.Minute)
		synctest.Wait()
		waiting = append([]journal.Timed{at("c", 15)}, waiting...)
		timer.added()
		time.Sleep(time.Hour)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if want := []string{"a 10m0s", "c 15m0s", "b 20m5s"}; !slices.Equal(released, want) || failures != 1 {
			t.Errorf("released %q after %d failures, want %q", released, failures, want)
		}
	})
}
