package sanitize

import (
	"strings"
	"testing"
	"unicode/utf8"

	"vaultdispatcher/engine/note"
)

// swallows says what is wrong with a note after an answer was put into it: the
// question below has to be found as before.
func swallows(answer string, limit int) string {
	src := []byte("before\n\n> @agent-Miner this\n\nafter\n\n> @agent-Miner next\n")
	doc := note.Parse(src)
	clean := Answer(answer, limit)
	out, err := note.Apply(src, []note.Edit{note.Respond(src, doc.Markers[0], clean)})
	if err != nil {
		return err.Error()
	}
	switch found := note.Parse(out).Markers; {
	case !utf8.Valid(out):
		return "is no UTF-8"
	case limit > 0 && len(clean) > limit:
		return "is longer than the limit"
	case len(found) != 1 || found[0].Instruction != "next":
		return "swallows the question below or brings one"
	case Answer(clean, limit) != clean:
		return "changes when it is made safe again"
	}
	return ""
}

// TestCutAnywhere cuts answers at every byte: inside fences of all kinds, runes,
// tags, comments and formulas.
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	cuts := 0
	for _, answer := range []string{
		"intro\n\n```go\n" + strings.Repeat("x := \"é€😀\"\n", 20) + "```\nend",
		"~~~~~~\n" + strings.Repeat("```\né\n", 30) + "~~~~~~",
		"> - ```go\n" + strings.Repeat(">   x := 1 // é\n", 20) + "\nend",
		"1. a\n\n   ```\n" + strings.Repeat("   😀\n", 30) + "   ```\n",
		strings.Repeat("😀", 100),
		strings.Repeat("`` ` é", 40),
		strings.Repeat("$$\né\n$$\n<!-- é -->\n%% é %%\n", 8),
		strings.Repeat("<b title='é'>é</b> ![é](https://é.example/é.png) ", 8),
		strings.Repeat("x\r\n\u2028> @agent-Miner é\r", 15),
	} {
		for limit := 64 + cuts%fewer; limit < 320; limit += fewer {
			cuts++
			if problem := swallows(answer, limit); problem != "" {
				t.Errorf("%.20q cut at %d: it %s: %q", answer, limit, problem, Answer(answer, limit))
			}
		}
	}
	t.Logf("%d cuts", cuts)
}

// TestLongLines: an answer of one line of a mebibyte is kept whole or cut, and stays
// an answer.
func TestLongLines(t *testing.T) {
	t.Parallel()
	mebibyte := (1 << 20) / fewer
	if testing.Short() {
		mebibyte /= 8
	}
	for _, piece := range []string{"é", "word ", "`", "``` ", "<!--", "<b ", "![", "[a](", "$", "%", ">", "\t", "@agent-Miner x ", "\u200b"} {
		line := strings.Repeat(piece, mebibyte/len(piece))
		if problem := swallows(line, mebibyte/4); problem != "" {
			t.Errorf("%q for a mebibyte: it %s", piece, problem)
		}
	}
	if problem := swallows(strings.Repeat("word ", mebibyte/5), 0); problem != "" {
		t.Errorf("without a limit it %s", problem)
	}
	for size := 4090; size < 4100; size++ { // as far as the end of braces is looked for
		if problem := swallows("{"+strings.Repeat("a", size), 0); problem != "" {
			t.Errorf("%d letters in braces without an end: it %s", size, problem)
		}
	}
}
