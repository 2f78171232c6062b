package page

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/recall/terms"
)

// A line that ends a list's steps between them and what is asked for, is not taken for one of them.
func TestPieceBelowHiddenSteps(t *testing.T) {
	long := strings.Repeat("A line about nothing that matters here.\n\n", 16)
	for _, step := range []string{"@agent-x who does this?", "Call somebody."} {
		note := long + "- Plan\n  1. " + step + "\n\n  Remark under the bullet\n     - detail: plumber Ana Ruiz\n"
		p := Parse("n.md", []byte(note))
		if got := p.Piece(weighed("plumber Ana Ruiz"), Around{}); !strings.Contains(got.Text, "plumber Ana Ruiz") {
			t.Errorf("below %q: %q", step, got.Text)
		}
	}
}

// weighed returns the query of a question whose words all weigh the same.
func weighed(question string) *terms.Query {
	q := terms.Parse(question)
	for i := range q.Terms {
		q.Terms[i].Weigh(1, 1)
	}
	return q
}

// A piece of any note holds what is asked for, where a block may be quoted that says it.
func TestPieceOfRandomNotes(t *testing.T) {
	for seed := range uint64(2000) {
		p := Parse("n.md", []byte(randomNote(rand.New(rand.NewPCG(seed, 1)))))
		says := slices.ContainsFunc(p.Blocks, func(b Block) bool { return strings.Contains(p.showBlock(b, 0, true), "heron") })
		if got := p.Piece(weighed("heron"), Around{}); says && !strings.Contains(got.Text, "heron") {
			t.Errorf("seed %d: the piece of\n%s\nis\n%s", seed, p.Source, got.Text)
		}
	}
}

// randomNote returns a note of which one line has the word heron.
func randomNote(random *rand.Rand) string {
	starts := []string{"- ", "1. ", "2) ", "> ", "| a | ", "", "", "* [ ] ", "- @agent-x ", "1. @agent-x ", "@agent-x ", "# ", "```\ncode\n```\n", "<!-- ", "%% ", "| a | b |\n|---|---|\n| "}
	ends := []string{"", ":", " |", ".", "\n", "\n\n", " -->", " %%"}
	random.Shuffle(len(starts), func(i, j int) { starts[i], starts[j] = starts[j], starts[i] })
	starts = starts[:2+random.IntN(5)] // few kinds of lines meet more often
	lines := 3 + random.IntN(40)
	asked := random.IntN(lines)
	var b strings.Builder
	for i := range lines {
		b.WriteString(strings.Repeat(" ", random.IntN(4)*random.IntN(4)))
		b.WriteString(starts[random.IntN(len(starts))])
		if i == asked {
			b.WriteString("heron ")
		}
		fmt.Fprintf(&b, "word%d", i)
		b.WriteString(strings.Repeat(" and some more", random.IntN(4)*random.IntN(20)))
		b.WriteString(ends[random.IntN(len(ends))] + "\n")
	}
	return b.String()
}
