package rewrite

import (
	"os"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
)

// What an answer names has the label of its dispatch: the same in each call, another one in each place and each
// dispatch. Headings that the note has are bold. All that can be undone and replaced as ever, also when the note has
// got such a heading meanwhile, or lost it.
func TestNamesOfAnAnswer(t *testing.T) {
	const text = "# Plan\n\nSee [docs].[^1]\n\n> @agent-Miner first?\n\n- a\n  > @agent-Miner second?\n\n[docs]: mine.md\n[^1]: Mine.\n"
	const answer = "## Plan\nSee [docs] and [^1], [^2].\n\n## Costs\n- b ^id\n\n[docs]: https://other.example/x\n[^1]: Other."
	s := newScene(t, t.TempDir(), text)
	job := s.job(func(int) string { return answer })
	job.ID = "0a7k"
	var last Draft
	job.Draft = func(d Draft) { last = d }
	var logged []swap.Intention
	if _, err := brisk.answerGroup(ctx, job, logTo(&logged)); err != nil {
		t.Fatal(err)
	}
	s.settle(logged)
	job.Draft = nil
	for i, b := range last.Blocks {
		job.Places[i].Block = b
	}
	want := strings.NewReplacer("> @agent-Miner first?", blockOf("**Plan**\n\nSee [docs](https://other.example/x) and [^0a7k-1], [\\^2].\n\n## Costs\n- b \\^id\n\n[^0a7k-1]: Other."),
		"> @agent-Miner second?", strings.ReplaceAll(strings.ReplaceAll(blockOf("**Plan**\n\nSee [docs](https://other.example/x) and [^0a7kx2-1], [\\^2].\n\n## Costs\n- b \\^id\n\n[^0a7kx2-1]: Other."), "\n", "\n  "), "\n  \n", "\n\n")).Replace(text)
	if got := s.read(); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
	for name, edited := range map[string]string{
		"as written":       want,
		"has the heading":  "## Costs\n\n" + want,
		"lost the heading": strings.Replace(want, "# Plan\n", "# Another\n", 1),
	} {
		if err := os.WriteFile(s.path, []byte(edited), 0o600); err != nil {
			t.Fatal(err)
		}
		logged = nil
		res, err := brisk.answerGroup(ctx, job, logTo(&logged))
		if err != nil || len(res.Written) != 2 || len(logged) > 0 {
			t.Errorf("%s: written again: %+v, %v", name, res, err)
		}
		if found := findAnswered([]byte(edited), job.Places, job.cleanAnswers()); len(found) != 2 || string(found[0].Text) != string(last.Blocks[0].Text) {
			t.Errorf("%s: %d blocks are found: %q", name, len(found), found)
		}
		if _, err := brisk.undo(ctx, job, logTo(&logged)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s.settle(logged)
		if got, question := s.read(), "> @agent-Miner second?"; !strings.Contains(got, question) || strings.Contains(got, "Other") || len(note.Parse([]byte(got)).Markers) != 2 {
			t.Errorf("%s: undone: %s", name, got)
		}
	}
	other := job
	other.ID = "0b9z"
	if mine, others := job.cleanAnswers(), other.cleanAnswers(); strings.Contains(others[0], "0a7k") || mine[0] == mine[1] || mine[0] == others[0] {
		t.Errorf("two answers name the same: %q, %q", mine, others)
	}
}

func blockOf(answer string) string {
	return "<!-- agent-response -->\n" + answer + "\n<!-- /agent-response -->"
}

// Behind the last line of a note its names are its own, too.
func TestNamesOfAnAppendedAnswer(t *testing.T) {
	const text = "# Plan\n\n[docs]\n\n[docs]: mine.md\n"
	s := newScene(t, t.TempDir(), text)
	job := Job{Root: s.root, Path: s.path, ID: "0a7k", Places: []Place{{Answer: "# plan\nA[^1], [docs].\n\n[^1]: B.\n\n[docs]: x.md"}}}
	if _, err := brisk.appendAnswer(ctx, job, "why?", unlogged); err != nil {
		t.Fatal(err)
	}
	if got, want := s.read(), text+"\n> why?\n\n"+blockOf("**plan**\n\nA[^0a7k-1], [docs](x.md).\n\n[^0a7k-1]: B.")+"\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
