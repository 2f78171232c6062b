package engine

import (
	"testing"

	"vaultdispatcher/engine/testdata/fewer"
)

// A formatter that runs on saving changes the white space of a question while its agent works. That is
// no edit: one call, and the answer stands where the question stands now. An undo brings back what stood there.
func TestReformattedWhileItsAgentWorks(t *testing.T) {
	t.Parallel()
	for name, saves := range fewer.Named(map[string][2]string{
		"a space behind the mark": {"a\n\n>@agent-Miner question 1?\n\nend\n", "a\n\n> @agent-Miner question 1?\n\nend\n"},
		"spaces at the end":       {"a\n\n> @agent-Miner question 1?  \n\nend\n", "a\n\n> @agent-Miner question 1?\n\nend\n"},
		"double spaces":           {"a\n\n> @agent-Miner  question 1?\n\nend  \n", "a\n\n> @agent-Miner question 1?\n\nend\n"},
		"an indentation":          {"a\n\n  > @agent-Miner question 1?\n\nend\n", "a\n\n> @agent-Miner question 1?\n\nend\n"},
		"tabs":                    {"a\n\n> @agent-Miner\tquestion 1?\n\nend\n", "a\n\n> @agent-Miner question 1?\n\nend\n"},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runner := &gate{open: make(chan struct{})}
			r := startEngine(t, t.TempDir(), runner)
			r.save("n.md", saves[0])
			for runner.runs.Load() == 0 {
				r.pause()
			}
			r.save("n.md", saves[1])
			if err := r.lookAt("n.md"); err != nil {
				t.Fatal(err)
			}
			close(runner.open)
			r.until("n.md", answer(1))
			r.rest()
			if n := runner.runs.Load(); n != 1 {
				t.Errorf("%d calls", n)
			}
			if _, err := r.Undo(t.Context(), r.only().ID); err != nil {
				t.Fatal(err)
			}
			if got := r.until("n.md", "@agent-"); got != saves[1] {
				t.Errorf("undone it is %q", got)
			}
		})
	}
}
