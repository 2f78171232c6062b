package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/testdata/fewer"
	"vaultdispatcher/engine/vault"
)

// A selection that is moved into a new note takes along the question that is at work; where the old note
// keeps its own, both are asked.
func TestSelectionMovedToANewNote(t *testing.T) {
	t.Parallel()
	for name, c := range fewer.Named(map[string]struct {
		moved, left string
		calls       int64
	}{
		"with its neighbours":  {question(1), "before\n\n[[D]]\n", 1},
		"nothing but the line": {"> @agent-Miner question 1?\n", "before\n\ntext\n\n[[D]]\n\nend\n", 1},
		"into a quote":         {"> > @agent-Miner question 1?\n", "before\n\ntext\n\n[[D]]\n\nend\n", 2},
		"reformatted":          {"- x\n\n>@agent-Miner  question 1?\n", "before\n\ntext\n\nend\n", 1},
		"a second one":         {question(1), "before\n\n" + question(1), 2},
	}) {
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

// Of two new notes with one question neither gets the other's answer: what is no moved selection for certain is asked by itself.
// Nothing but the test looks at these notes.
func TestEqualQuestionsOfNewNotes(t *testing.T) {
	t.Parallel()
	const gone, edited = "before\n\nend\n", "text\n\n> @agent-Miner question 2?\n\nend\n"
	for name, c := range fewer.Named(map[string]struct {
		early bool     // the other notes stood before the question was asked
		new   []string // the other notes, with the same question
		left  string   // the first note while its agent works
		calls int64
	}{
		"both stood there, and one lost its question": {true, []string{"D.md"}, gone, 2},
		"both stood there, and one was edited":        {true, []string{"D.md"}, edited, 2},
		"one was edited where it stood":               {false, []string{"D.md"}, edited, 2},
		"one was edited, and all around it":           {false, []string{"D.md"}, "# New\n\nother\n\n- x\n\n> @agent-Miner question 2?\n\nwords\n", 2},
		"two came, and one lost its question":         {false, []string{"D.md", "E.md"}, gone, 3},
		"one was moved":                               {false, []string{"D.md"}, gone, 1},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runner := &gate{open: make(chan struct{})}
			r := startMet(t, t.TempDir(), runner, func(c *config.Config) {
				c.Watch.Mode, c.Watch.PollInterval, c.Settle = "poll", time.Hour, 300*time.Millisecond
			})
			look := func(rel string, seen time.Time) {
				t.Helper()
				r.save(rel, question(1))
				if _, err := r.vaults[0].AwaitDisk().Look(t.Context(), vault.Save{Rel: rel, Time: seen, Trigger: "watch", New: true}); err != nil {
					t.Fatal(err)
				}
			}
			others := func(seen time.Time) {
				for _, rel := range c.new {
					look(rel, seen)
				}
			}
			if c.early {
				others(time.Now().Add(2 * time.Second))
			}
			look("C.md", time.Now().Add(-time.Hour))
			first := r.beginOf("C.md")
			for {
				d, err := r.journal.Get(t.Context(), first) // of two that are asked, the other one may begin before
				if err != nil {
					t.Fatal(err)
				}
				if d.Status == journal.Processing {
					break
				}
				r.pause()
			}
			if !c.early {
				others(time.Now())
			}
			r.save("C.md", c.left)
			if c.calls == 1 {
				for r.only().File != "D.md" {
					r.pause()
				}
			}
			for runner.runs.Load() < c.calls {
				r.pause()
			}
			d, err := r.journal.Get(t.Context(), first)
			if err != nil || d.File == "C.md" == (c.calls == 1) {
				t.Errorf("the question of C.md is one of %s, %v", d.File, err)
			}
			close(runner.open)
			for _, rel := range c.new {
				r.until(rel, answer(1))
			}
			if n := runner.runs.Load(); c.calls == 1 && n != 1 { // what C.md asks now may be asked already
				t.Errorf("%d calls", n)
			}
		})
	}
}

// beginOf waits for a dispatch of a note and returns its id.
func (r *running) beginOf(rel string) string {
	r.t.Helper()
	for ; ; r.pause() {
		for _, d := range r.unfinished() {
			if d.File == rel {
				return d.ID
			}
		}
	}
}
