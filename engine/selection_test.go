package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A selection that is moved into a new note takes along the question that is at work; where the old note
// keeps its own, both are asked.
func TestSelectionMovedToANewNote(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		moved, left string
		calls       int64
	}{
		"with its neighbours":  {question(1), "before\n\n[[D]]\n", 1},
		"nothing but the line": {"> @agent-Miner question 1?\n", "before\n\ntext\n\n[[D]]\n\nend\n", 1},
		"into a quote":         {"> > @agent-Miner question 1?\n", "before\n\ntext\n\n[[D]]\n\nend\n", 2},
		"reformatted":          {"- x\n\n>@agent-Miner  question 1?\n", "before\n\ntext\n\nend\n", 1},
		"a second one":         {question(1), "before\n\n" + question(1), 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runner := &gate{open: make(chan struct{})}
			r := startEngine(t, t.TempDir(), runner)
			r.save("C.md", "before\n\n"+question(1))
			for runner.runs.Load() == 0 {
				r.pause()
			}
			r.save("D.md", c.moved)
			r.save("C.md", c.left)
			if c.calls == 1 {
				for r.only().File != "D.md" {
					r.pause()
				}
			} else {
				for runner.runs.Load() < c.calls {
					r.pause()
				}
			}
			close(runner.open)
			r.until("D.md", "answer to question 1?")
			r.rest()
			if n := runner.runs.Load(); n != c.calls {
				t.Errorf("%d calls, want %d", n, c.calls)
			}
			if src, err := os.ReadFile(filepath.Join(r.vault, "C.md")); err != nil || strings.Contains(c.left, "@agent-") == (string(src) == c.left) {
				t.Errorf("the old note is %q, %v", src, err)
			}
		})
	}
}
