package burst

import (
	"fmt"
	"testing"
	"time"
)

// What changes with more than ten others within a second is a crowd, each way by itself; a note that was saved before them is its
// writer's, and one of the crowd is again one like others when the crowd is over.
func TestCrowd(t *testing.T) {
	var c Crowd
	now := time.Now()
	add := func(rel string, way Way, after time.Duration, want bool) {
		t.Helper()
		now = now.Add(after)
		if got := c.Add(rel, way, now); got != want {
			t.Errorf("%s is crowded: %v", rel, got)
		}
	}
	add("mine.md", Edited, 0, false)
	for i := range 100 {
		add(fmt.Sprintf("slow %d.md", i), Made, together, false)
	}
	now = now.Add(together)
	for i := range 100 {
		add(fmt.Sprintf("copied %d.md", i), Made, time.Millisecond, i >= many)
	}
	add("other.md", Edited, 0, false)
	for i := range 100 {
		add(fmt.Sprintf("burst %d.md", i), Edited, time.Millisecond, i >= many-1)
	}
	add("mine.md", Edited, 0, false)
	add("other.md", Gone, 0, false)
	add("new.md", Edited, 0, true)
	add("new.md", Edited, 500*time.Millisecond, true)
	add("new.md", Edited, 2*time.Second, false)
	for i := range 100 {
		add(fmt.Sprintf("burst %d.md", i), Edited, theirs+time.Millisecond, false)
	}
	if n := len(c.notes); n > 5 {
		t.Errorf("%d notes are remembered", n)
	}
}
