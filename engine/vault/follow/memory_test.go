package follow

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// What is over is forgotten: an engine runs for years.
func TestDeparturesAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(time.Second, For)
		for i := range 1000 {
			gone, renamed := fmt.Sprintf("gone%d.md", i), fmt.Sprintf("renamed%d.md", i)
			if wait := m.UntilGone(gone); wait != time.Second {
				t.Fatalf("it may come back for %v", wait)
			}
			m.Lost(renamed, "other.md", "d")
			if m.Left(renamed)["d"] != "other.md" {
				t.Fatal("a departure is forgotten at once")
			}
			time.Sleep(10 * time.Second)
			if m.UntilGone(gone) > 0 {
				t.Fatal("a note is gone for a second more")
			}
		}
		if m.Len() > 50 {
			t.Errorf("%d notes are remembered", m.Len())
		}
		m.Lost("back.md", "other.md", "d")
		m.Returned("back.md", "d")
		if len(m.Of("back.md").departures) > 0 {
			t.Error("a note is remembered that has everything back")
		}
	})
}
