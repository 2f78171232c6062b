package engine

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/testdata/fewer"
)

// What was deleted in one save and typed again in a later one is asked anew. One save that turns an
// answer back into its question is an editor's old text, and the answer is written again.
func TestTypedAgain(t *testing.T) {
	t.Parallel()
	const gone, two = "text\n\nend\n", "text\n\n> @agent-Miner question 1?\n\nend\n\n> @agent-Miner:b question 2?\n\nlast\n"
	block := func(text string) string {
		return "text\n\n<!-- agent-response -->\n" + text + "<!-- /agent-response -->\n\nend\n"
	}
	whole := block("answer to question 1?\n")
	for _, c := range fewer.Cases([]struct {
		name  string
		first string   // the note when it is asked first; "" = question(1)
		saves []string // "" = the note is deleted, "restart" = another engine, "undo" = what is meant by it
		runs  int64    // of the agent
		told  bool     // the record says that old text was written over
	}{
		{"one save turns the answer back", "", []string{question(1)}, 1, true},
		{"deleted, then typed", "", []string{gone, question(1)}, 2, false},
		{"typed with other words around it", "", []string{gone, strings.Replace(question(1), "end", "the end", 1)}, 2, false},
		{"the note was emptied", "", []string{"\ufeff \n", question(1)}, 1, true},
		{"the note was deleted", "", []string{"", question(1)}, 1, true},
		{"cut out and put back", "", []string{gone, whole, question(1)}, 1, true},
		{"the answer was edited", "", []string{block("answer to question 1, I say\n"), question(1)}, 1, true},
		{"undone", "", []string{"undo", question(1) + "more\n"}, 1, false},
		{"typed after a restart", "", []string{"restart", gone, question(1)}, 2, false},
		{"typed again, then old text", "", []string{gone, question(1), question(1)}, 2, true},
		{"typed below its answer", "", []string{whole + "\n> @agent-Miner question 1?\n"}, 2, false},
		{"typed right below its answer", "", []string{strings.Replace(whole, "\n\nend", "\n> @agent-Miner question 1?\n\nend", 1)}, 2, false},
		{"typed below its edited answer", "", []string{block("my answer\n"), block("my answer\n") + "\n> @agent-Miner question 1?\n"}, 2, false},
		{"thrice", "", []string{gone, question(1), gone, question(1)}, 3, false},
		{"beside another answer", two, []string{"text\n\nend\n\n<!-- agent-response -->\nanswer to question 2?\n<!-- /agent-response -->\n\nlast\n", "text\n\n> @agent-Miner question 1?\n\nend\n\n<!-- agent-response -->\nanswer to question 2?\n<!-- /agent-response -->\n\nlast\n"}, 3, false},
	}) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir, runner := t.TempDir(), &echoes{}
			at := func(c *config.Config) { c.Debounce = time.Nanosecond }
			r := startEngine(t, dir, runner, at)
			first := c.first
			if first == "" {
				first = question(1)
			}
			path := filepath.Join(r.vault, "n.md")
			r.save("n.md", first)
			r.until("n.md", answer(1))
			if c.first != "" {
				r.until("n.md", answer(2))
			}
			r.rest()
			for _, text := range c.saves {
				switch text {
				case "restart":
					r.stop()
					r = startEngine(t, dir, runner, at)
					continue
				case "undo":
					if _, err := r.Undo(t.Context(), r.only().ID); err != nil {
						t.Fatal(err)
					}
					continue
				case "":
					if err := os.Remove(path); err != nil {
						t.Fatal(err)
					}
				default:
					r.save("n.md", text)
				}
				if err := r.lookAt("n.md"); err != nil && text != "" {
					t.Fatal(err)
				}
				if strings.Contains(text, "Miner question 1?") && c.name != "undone" {
					r.until("n.md", answer(1))
				}
				r.rest()
			}
			if n := runner.runs.Load(); n != c.runs {
				t.Errorf("%d runs, want %d", n, c.runs)
			}
			list, err := r.journal.List(t.Context(), journal.Filter{})
			if err != nil {
				t.Fatal(err)
			}
			if told := strings.Contains(list[0].Error, "your editor wrote its old text over this answer"); told != c.told || c.told && list[0].Status != journal.Done {
				t.Errorf("the record is %s and says %q", list[0].Status, list[0].Error)
			}
		})
	}
}

// lookAt has a note looked at, also by a machine so busy that its disk seems not to respond.
func (r *running) lookAt(name string) error {
	for ; ; r.pause() {
		_, err := r.Scan(r.t.Context(), r.Roots()[0], name, false)
		if silent, ok := errors.AsType[*api.StatusError](err); !ok || silent.Code != "offline" {
			return err
		}
	}
}
