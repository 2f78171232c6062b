package follow

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// A question that has to stay for long before it is asked is not given up before it can be found under another name.
func TestFollowsWhatSettlesForLong(t *testing.T) {
	for _, wait := range []time.Duration{2 * time.Second, 30 * time.Second, 2 * time.Minute, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorldOf(wait)
			w.ask("old.md", "> @agent-Miner what?\n")
			delete(w.notes, "old.md")
			w.Went("old.md")
			left, err := w.Gone(t.Context(), "old.md", 1)
			if err != nil {
				t.Fatal(err)
			}
			w.put("new.md", "> @agent-Miner what?\n")
			settled := 3*wait + time.Second // the last of a group
			if left <= settled || w.trail.lookFor <= settled {
				t.Errorf("with %v it is looked for %v, and remembered for %v", wait, left, w.trail.lookFor)
			}
			time.Sleep(settled)
			if got := w.look(t, "new.md"); len(got) != 1 {
				t.Errorf("with %v in the note are %q", wait, got)
			}
		})
	}
}

// However long looks take, most of their time is not spent with looking for other notes that have the same question.
func TestSweepsRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		const ask, n = "> @agent-Miner what?\n", 3 * mostAlike
		for i := range n {
			w.ask(fmt.Sprintf("%d.md", i), ask)
		}
		for i := range n {
			rel := fmt.Sprintf("came%d.md", i)
			w.put(rel, ask)
			w.look(t, rel)
			time.Sleep(20 * sweepTime)
		}
		if w.looks > 6*n {
			t.Errorf("%d looks have asked the disk %d times", n, w.looks)
		}
	})
}
