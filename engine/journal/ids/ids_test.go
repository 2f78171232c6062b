package ids

import (
	"strings"
	"testing"
	"time"
)

func TestIDs(t *testing.T) {
	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	seen := make(map[string]bool)
	last := ""
	for i := range 2000 {
		id := New(now.Add(time.Duration(i) * time.Millisecond))
		if len(id) != idLength || strings.Trim(id, digits) != "" {
			t.Fatalf("id %q", id)
		}
		if seen[id] || id <= last {
			t.Fatalf("id %q after %q", id, last)
		}
		seen[id], last = true, id
	}
	// A million in one moment, as of a clock that was never set: chance alone would
	// give thousands of them twice.
	for _, stands := range []time.Time{now, {}} {
		last := ""
		for range 1_000_000 {
			id := New(stands)
			if id <= last {
				t.Fatalf("id %s does not sort after %s", id, last)
			}
			last = id
		}
	}
	if New(time.Time{}) > New(epoch.Add(time.Hour)) {
		t.Error("a clock before the epoch does not sort first")
	}
	if last := New(time.Date(2159, 1, 1, 0, 0, 0, 0, time.UTC)); last <= New(now) {
		t.Errorf("the last year's id %q sorts before today's", last)
	}
}
