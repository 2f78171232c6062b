package follow

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Very many notes that have something in common get other names at once. What is of one of them alone is followed.
func TestFollowsWhatIsOfOneOfMany(t *testing.T) {
	const n = 2 * mostAlike
	for name, text := range map[string]func(i int) string{
		"a question on top":     func(i int) string { return fmt.Sprintf("> @agent-Miner what?\n\nof %d\n", i) },
		"a question at the end": func(i int) string { return fmt.Sprintf("of %d\n\n> @agent-Miner what?\n", i) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			for i := range n {
				w.ask(fmt.Sprintf("%d.md", i), text(i))
			}
			for i := range n {
				delete(w.notes, fmt.Sprintf("%d.md", i))
				w.Went(fmt.Sprintf("%d.md", i))
				w.put(fmt.Sprintf("day %d.md", i), text(i))
			}
			for i := range n {
				got := w.look(t, fmt.Sprintf("day %d.md", i))
				if own := fmt.Sprintf("%d.md ", i); len(got) == 0 || slices.ContainsFunc(got, func(id string) bool { return !strings.HasPrefix(id, own) }) {
					t.Fatalf("in the note that was %d.md are %q", i, got)
				}
			}
		})
	}
}
