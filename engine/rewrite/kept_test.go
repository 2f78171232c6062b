package rewrite

import (
	"os"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
)

// The name of a block that a question ends in stays in the note through an answer, a second try, another
// answer and an undo, which brings every byte back.
// So do the comments on its lines.
func TestWhatElseStandsOnTheLineLives(t *testing.T) {
	for name, text := range map[string]string{
		"one line":       "# Note\n\n> @agent-Miner what? ^ab-1\n\nend, see [[#^ab-1]]\n",
		"three lines":    "# Note\r\n\r\n> @agent-Miner what\r\n> did we\r\n> decide ^ab-1\r\n\r\nend\r\n",
		"in a list":      "- a\n\n  > @agent-Miner what? ^ab-1\n\n- b\n",
		"in a callout":   "> [!note] T\n> @agent-Miner what? ^ab-1\n\nend\n",
		"above a head":   "> @agent-Miner what? ^ab-1\n# Next\n",
		"above an item":  "- > @agent-Miner what? ^ab-1\n- b\n",
		"above a word":   "> @agent-Miner what? ^ab-1\nmine\n",
		"in a quote":     "> @agent-Miner what? ^ab-1\r\n> mine\r\n",
		"an item's text": "- > @agent-Miner what? ^ab-1\n  mine\n- b\n",
		"one by one":     "> @agent-Miner one? ^ab-1\n> @agent-Miner two? ^ab-2\n",
		"no line end":    "# Note\n\n> @agent-Miner what? ^ab-1",
		"two of a note":  "> @agent-Miner one? ^ab-1\n\n> @agent-Miner two? ^ab-2\n",
		"a schedule":     "# Note\n\n> @agent-Miner what? <!--SR:!2024-01-01,3,250--> ^ab-1\n\nend\n",
		"several of all": "- a\r\n  > @agent-Miner what %%mine%%\r\n  > is it <!--SR:!a--> ^ab-1\r\n- b\r\n",
		"which goes on":  "> @agent-Miner what? ^ab-1\n\n> @agent-Miner two? %%mine\n> and mine%%\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, t.TempDir(), text)
			job := answered(t, s, numbered)
			wrote := s.read()
			for _, kept := range []string{"<!--SR:", "%%mine"} {
				if strings.Count(wrote, kept) != strings.Count(text, kept) {
					t.Errorf("%s is gone:\n%q", kept, wrote)
				}
			}
			if n := strings.Count(wrote, "\n^ab-1") + strings.Count(wrote, "> ^ab-1") + strings.Count(wrote, "\n  ^ab-1"); n != 1 || strings.Contains(wrote, "@agent-") {
				t.Fatalf("answered it is\n%q", wrote)
			}
			var logged []swap.Intention
			if _, err := brisk.answerGroup(ctx, job, logTo(&logged)); err != nil || s.read() != wrote {
				t.Errorf("a second try: %v\n%q", err, s.read())
			}
			s.settle(logged)
			for i := range job.Places {
				job.Places[i].Answer = "another answer"
			}
			res, err := brisk.replace(ctx, job, logTo(&logged))
			if err != nil || strings.Count(s.read(), "^ab-1") != strings.Count(wrote, "^ab-1") || !strings.Contains(s.read(), "another answer") {
				t.Fatalf("another answer: %v\n%q", err, s.read())
			}
			s.settle(logged)
			if again := findAnswered([]byte(s.read()), job.Places, []string{"another answer", "another answer"}[:len(job.Places)]); len(again) != len(res.Blocks) || string(again[0].Text) != string(res.Blocks[0].Text) {
				t.Errorf("found again: %q, want %q", again, res.Blocks)
			}
			for i := range job.Places {
				job.Places[i].Block = res.Blocks[i]
			}
			if _, err := brisk.undo(ctx, job, logTo(&logged)); err != nil || s.read() != text {
				t.Errorf("undone: %v\n%q, want\n%q", err, s.read(), text)
			}
			if n := len(note.Parse([]byte(s.read())).Markers); n != len(job.Places) {
				t.Errorf("%d markers", n)
			}
			s.settle(logged)
		})
	}
}

// What an answer's place asked for within its code does not hide it: it is found again, replaced
// and taken back.
func TestAnswerAmongItemsIsFoundAgain(t *testing.T) {
	const code = "```yaml\n- uses: ${{ x }}\n```"
	for name, text := range map[string]string{
		"in a callout": "> [!note] T\n> @agent-Miner what?\n\nend\n",
		"in a list":    "1. a\n2. > @agent-Miner what?\n3. b\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, t.TempDir(), text)
			job := answered(t, s, func(int) string { return code })
			wrote := s.read()
			if !strings.Contains(wrote, "- uses: ${ { x }}\n") {
				t.Fatalf("answered it is\n%q", wrote)
			}
			var logged []swap.Intention
			if res, err := brisk.answerGroup(ctx, job, logTo(&logged)); err != nil || len(res.Missing) > 0 || s.read() != wrote {
				t.Errorf("a second try: %+v, %v\n%q", res, err, s.read())
			}
			s.settle(logged)
			if blocks := findAnswered([]byte(wrote), job.Places, []string{code}); len(blocks) != 1 || string(blocks[0].Text) != string(job.Places[0].Block.Text) {
				t.Errorf("found again: %q, want %q", blocks, job.Places[0].Block.Text)
			}
			if _, err := brisk.undo(ctx, job, logTo(&logged)); err != nil || s.read() != text {
				t.Errorf("undone: %v\n%q, want\n%q", err, s.read(), text)
			}
			s.settle(logged)
		})
	}
}

// What a formatter did to the white space of a question while its agent worked is no edit: what stands
// there now is replaced, and comes back by an undo.
func TestReformattedQuestionIsAnswered(t *testing.T) {
	for name, c := range map[string]struct {
		was, is string
		missing int
	}{
		"spaces":        {"a\n\n>@agent-Miner  what?  \n\nb\n", "a\n\n> @agent-Miner what?\n\nb\n", 0},
		"several lines": {"a\n\n> @agent-Miner what\n>  did we?\n\nb\n", "a\r\n\r\n>@agent-Miner  what\r\n> did  we?\r\n\r\nb", 0},
		"in a list":     {"- a\n  > @agent-Miner what? ^q1\n", "-   a\n    > @agent-Miner what?  ^q1\n", 0},
		"exact first":   {"> @agent-Miner a  b\n", "> @agent-Miner a b\n\nx\n\n> @agent-Miner a  b\n", 0},
		"two":           {"> @agent-Miner a  b\n", "> @agent-Miner a b\n\nx\n\n> @agent-Miner  a b\n", 1},
		"deeper":        {"> @agent-Miner a  b\n", "> > @agent-Miner a  b\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, t.TempDir(), c.was)
			job := s.job(numbered)
			for i := range job.Places {
				job.Places[i].Folds = true
			}
			if err := os.WriteFile(s.path, []byte(c.is), 0o644); err != nil {
				t.Fatal(err)
			}
			var last Draft
			job.Draft, job.Partial = func(d Draft) { last = d }, true
			var logged []swap.Intention
			res, err := brisk.answerGroup(ctx, job, logTo(&logged))
			if err != nil || len(res.Missing) != c.missing {
				t.Fatalf("%+v, %v\n%q", res, err, s.read())
			}
			s.settle(logged)
			if c.missing > 0 {
				if s.read() != c.is {
					t.Errorf("the note is %q", s.read())
				}
				return
			}
			if again, err := brisk.answerGroup(ctx, job, unlogged); err != nil || len(again.Missing) > 0 {
				t.Errorf("a second try: %+v, %v", again, err)
			}
			job.Places[0].Text, job.Places[0].Block = last.Replaced[0], last.Blocks[0]
			logged = nil
			if _, err := brisk.undo(ctx, job, logTo(&logged)); err != nil || s.read() != c.is {
				t.Errorf("undone: %v\n%q, want\n%q", err, s.read(), c.is)
			}
			s.settle(logged)
		})
	}
}
