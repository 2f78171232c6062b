package due

import (
	"testing"
	"time"
)

// Those who wait for a beat from different moments wake at one, and nobody wakes twice for it.
func TestUntilBeat(t *testing.T) {
	const period = 10 * time.Second
	full := time.Date(2026, 1, 2, 3, 4, 50, 0, time.UTC)
	for _, c := range []struct{ since, want time.Duration }{
		{0, period},
		{1, period - 1},
		{7 * time.Second, 3 * time.Second},
		{9 * time.Second, time.Second},
		{period - time.Millisecond, period + time.Millisecond},
	} {
		if got := UntilBeat(full.Add(c.since), period); got != c.want {
			t.Errorf("%v after a beat: %v, want %v", c.since, got, c.want)
		}
	}
}
