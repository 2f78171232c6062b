package report

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
)

// Lines end between words, and further lines are part of their quote or item; tables and code are as they were.
func TestTextFitsTheTerminal(t *testing.T) {
	text := "> every night the shop computer is saved\n> - the red disk in the office is where\n\n| a table | that is wider than the screen |\n```\ncode that is wider than the screen too\n```\nend\n"
	want := "> every night the shop\n> computer is saved\n> - the red disk in the\n>   office is where\n\n| a table | that is wider than the screen |\n```\ncode that is wider than the screen too\n```\nend\n"
	if got := string(WrapText(&screen{columns: 24}, text, 0)); got != want {
		t.Errorf("it is\n%s", got)
	}
	var file strings.Builder
	if got := string(WrapText(&file, text, 0)); got != text {
		t.Errorf("in a file it is\n%s", got)
	}
}

// An answer that is in the note as it was given is printed once.
func TestDetailTellsAnAnswerOnce(t *testing.T) {
	d := api.Detail{Dispatch: api.Dispatch{ID: "d1", Status: "done", Markers: 1}, Answers: []api.Answer{{Line: 1, Instruction: "q", Answer: "a\nb", Written: true}},
		Diff: "@@ line 1 @@\n-> @agent-Miner q\n+<!-- agent-response -->\n+a\n+b\n+<!-- /agent-response -->\n"}
	for diff, want := range map[string]bool{d.Diff: false, strings.Replace(d.Diff, "+b", "+c", 1): true, d.Diff + "@@ line 9 @@\n-x\n": true} {
		d.Diff = diff
		var b strings.Builder
		if PrintDetail(&b, d, false); strings.Contains(b.String(), "\nwritten:\n") != want || !strings.Contains(b.String(), "a\nb\n") {
			t.Errorf("of %q printed is\n%s", diff, b.String())
		}
	}
}

// Why a passage was found is told where its words do not say so.
func TestWhyFound(t *testing.T) {
	for _, test := range []struct {
		hit  api.Hit
		want string
	}{
		{api.Hit{Matched: 1, Terms: 1}, ""}, {api.Hit{Matched: 2, Terms: 2}, ""},
		{api.Hit{Matched: 1, Terms: 1, InTitle: 1}, "  in its title"},
		{api.Hit{Matched: 1, Terms: 3, InHeading: 1}, "  1 of 3 words, 1 in its heading"},
		{api.Hit{Matched: 2, Terms: 2, Similarity: 0.5}, "  near in meaning (0.50)"},
		{api.Hit{Terms: 2, Similarity: 0.5}, "  near in meaning (0.50)"},
	} {
		if got := whyFound(test.hit); got != test.want {
			t.Errorf("%+v: %q", test.hit, got)
		}
	}
}
