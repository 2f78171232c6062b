package report

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
)

// TestSpoken: what was printed while it came is not printed again, and the answer stands there whole.
func TestSpoken(t *testing.T) {
	sources := []api.Source{{File: "Plan.md", Heading: "Open"}, {File: "a\x1b[2J.md"}}
	const below = "\nsources:\n  Plan.md › Open\n  a\\x1b[2J.md\n"
	for _, test := range []struct {
		said         []api.Said
		answer, want string
	}{
		{nil, "On Friday.\n", "On Friday.\n"},
		{[]api.Said{{Text: "On"}, {Text: " Fri"}}, "On Friday.\n\n", "On Friday.\n"},
		{[]api.Said{{Text: "On Friday."}}, "On Friday.", "On Friday.\n"},
		{[]api.Said{{Text: "a\x1b"}, {Text: "[2J\n\tb\u202e"}}, "a\x1b[2J\n\tb\u202ec", "a\\x1b[2J\n\tb\\u202ec\n"},
		{[]api.Said{{Text: "Let me look."}, {Text: "On ", Anew: true}}, "On Friday.", "Let me look.\n\n(it begins anew)\n\nOn Friday.\n"},
		{[]api.Said{{Text: "On ", Anew: true}}, "On Friday.", "On Friday.\n"},
		{[]api.Said{{Text: "Here it is:"}}, "On Friday.", "Here it is:\n\n(this is the answer)\n\nOn Friday.\n"},
	} {
		var b strings.Builder
		s := Spoken{Output: &b}
		for _, piece := range test.said {
			s.Say(piece)
		}
		if s.PrintAnswer(api.Answered{Answer: test.answer, Sources: sources}); b.String() != test.want+below {
			t.Errorf("%+v of %q: %q", test.said, test.answer, b.String())
		}
	}
	var b strings.Builder
	s := Spoken{Output: &b}
	s.Break()
	s.Say(api.Said{Text: "On"})
	s.Break()
	if b.String() != "On\n" {
		t.Errorf("broken off: %q", b.String())
	}
}
