package untaken

import (
	"errors"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
)

// What people type and an agent does not answer is told, with the line as it would be taken up.
func TestMisses(t *testing.T) {
	roles := []string{"Miner", "Editor"}
	for _, c := range []struct{ note, reason, mend string }{
		{"@agent-Miner what?", "not in a block quote", "> @agent-Miner what?"},
		{"  @agent-Miner what?", "not in a block quote", "  > @agent-Miner what?"},
		{"- @agent-Miner what?", "not in a block quote", "- > @agent-Miner what?"},
		{"- [ ] @agent-Miner what?", "not in a block quote", "- > @agent-Miner what?"},
		{"## @agent-Miner what?", "not in a block quote", "> @agent-Miner what?"},
		{"# > @agent-Miner what?", "not in a block quote", "> @agent-Miner what?"},
		{"### > @agent-Editor: what?", "not in a block quote", "> @agent-Editor what?"},
		{"- ## > @agent-Miner what?", "not in a block quote", "- > @agent-Miner what?"},
		{"> # > @agent-Miner what?", "follow the >", "> @agent-Miner what?"},
		{"**@agent-Miner** what?", "not in a block quote", "> @agent-Miner what?"},
		{"text\n@agent-Miner what?\ntext", "not in a block quote", "> @agent-Miner what?"},
		{"> @agent-Miner: what?", "instead of the colon", "> @agent-Miner what?"},
		{"> @agent-Miner, what?", "a space must follow", "> @agent-Miner what?"},
		{"> @agent-Miner\n> what?", "no question", "> @agent-Miner what?"},
		{"> @agent-Miner", "no question", ""},
		{"> @agent-Miner?", "no question", "> @agent-Miner what about this?"},
		{"text\n> @agent-Miner:t?!\n\ntext", "no question", "> @agent-Miner:t what about this?"},
		{"> @agent-Miner?\n> what?", "no question", "> @agent-Miner what?"},
		{"> @agent-Miner...", "no question", ""},
		{"> - @agent-Miner what?", "list marker", "> @agent-Miner what?"},
		{"> **@agent-Miner** what?", "follow the >", "> @agent-Miner what?"},
		{">\u00a0@agent-Miner what?", "cannot be seen", "> @agent-Miner what?"},
		{"> \u200b@agent-Miner what?", "cannot be seen", "> @agent-Miner what?"},
		{"> @@agent-Miner what?", "follow the >", "> @agent-Miner what?"},
		{"> Hey @agent-Miner what?", "follow the >", "> Hey\n> @agent-Miner what?"},
		{"> [!question] @agent-Miner what?", "follow the >", "> [!question]\n> @agent-Miner what?"},
		{"> [[@agent-Miner]] what?", "follow the >", "> @agent-Miner what?"},
		{"| a | b |\n|---|---|\n| x | @agent-Miner what? |", "in a table", ""},
		{"| a |\n|---|\n| > @agent-Miner:t what? |", "in a table", ""},
		{"|@agent-miner what?|", "in a table", ""},
		{"> @Agent-Miner what?", "small letters", "> @agent-Miner what?"},
		{"> @agent Miner what?", "small letters", "> @agent-Miner what?"},
		{"> @agent–Miner what?", "small letters", "> @agent-Miner what?"},
		{"> @agents-Miner: what?", "small letters", "> @agent-Miner what?"},
		{"> @agnet-Miner what?", "small letters", "> @agent-Miner what?"},
		{"> @aget-Miner what?", "small letters", "> @agent-Miner what?"},
		{"> agent-miner what?", "small letters", "> @agent-Miner what?"},
		{"> /agent-Miner what?", "small letters", "> @agent-Miner what?"},
		{"> /agent Miner: what?", "small letters", "> @agent-Miner what?"},
		{"> @miner what?", "small letters", "> @agent-Miner what?"},
		{"> @agent- Miner what?", "a role begins", "> @agent-Miner what?"},
		{"> @agent-[[Miner]] what?", "a role begins", "> @agent-Miner what?"},
		{"> @agent-Мiner what?", "look like others", "> @agent-Miner what?"},
		{"@Agent-Miner what?", "not in a block quote", "> @agent-Miner what?"},
		{"＞ @agent-Miner what?", "plain >", "> @agent-Miner what?"},
		{"> ＠agent-Miner what?", "wider than they look", "> @agent-Miner what?"},
		{"&gt; @agent-Miner what?", "plain >", "> @agent-Miner what?"},
		{`\> @agent-Miner what?`, "plain >", "> @agent-Miner what?"},
		{"    > @agent-Miner what?", "code block", "> @agent-Miner what?"},
		{"[^1]: > @agent-Miner what?", "not in a block quote", "> @agent-Miner what?"},
		{"text[^a]\n\n[^a]: >@agent-Editor:t what?", "not in a block quote", "> @agent-Editor:t what?"},
		{"```\n> @agent-Miner what?\n```", "code block", ""},
		{"%%\n> @agent-Miner what?\n%%", "comment", ""},
		{"---\nwiki: off\n---\n> @agent-Miner what?", "wiki: off", ""},
		{"<!-- agent-response -->\nyes\n\n> @agent-Miner what?\n<!-- /agent-response -->", "in an answer", ""},
		{"x\n<!-- agent-response -->\nyes\n\ntext @agent-Miner", "has no end", ""},

		{"> @agent-Miner what?", "", ""},
		{"| @agent-Miner | finds what is there |", "", ""},
		{"| ask @agent-Miner what | x |", "", ""},
		{"| @agent-browser opens pages |", "", ""},
		{"| @agent-Smith said so |", "", ""},
		{"> agent-based models of miners", "", ""},
		{"[^1]: > as agents say", "", ""},
		{"[^1]: agent-based models of miners", "", ""},
		{"```\n[^1]: > @agent-Miner what?\n```", "", ""},
		{"> @agents: please read the notes", "", ""},
		{"> @Agent Smith said", "", ""},
		{"@agent_smith: hello", "", ""},
		{"> @agent_smith: hello", "", ""},
		{"> @agent Orange was used", "", ""},
		{"> @agent: read the notes", "", ""},
		{"> agent miner said so", "", ""},
		{"@agent smith said so", "", ""},
		{"@agents of change", "", ""},
		{"> [[@agent-Miner what]] says it", "", ""},
		{"> See [[x/@agent-Miner|it]]", "", ""},
		{"> @ann what?", "", ""},
		{"### > @agent-Poet: what?", "", ""},
		{"> @Agent-Poet what?", "", ""},
		{"> /agent-browser/README.md says", "", ""},
		{"> / agents", "", ""},
		{"/agent-Miner what?", "", ""},
		{"> # > agent smith", "", ""},
		{"# > agent-based models", "", ""},
		{"@miner what?", "", ""},
		{"write @agent-Miner and a question", "", ""},
		{`> \@agent-Miner what?`, "", ""},
		{"Agent-Miner is a program", "", ""},
		{"agents: miners, editors", "", ""},
		{"mail me@agent-miner.example now", "", ""},
		{"> `@agent-Miner` asks", "inline code", ""},
	} {
		rows := find([]byte(c.note), note.Parse([]byte(c.note)), roles)
		switch {
		case c.reason == "" && len(rows) > 0:
			t.Errorf("%q: %+v", c.note, rows)
		case c.reason != "" && (len(rows) != 1 || !strings.Contains(rows[0].Reason, c.reason) || rows[0].Mend != c.mend):
			t.Errorf("%q: want %q, %q; got %+v", c.note, c.reason, c.mend, rows)
		}
	}
}

// Nothing in a note that is switched off is told of unasked, such as what the Broadcaster has made of a
// note whose name asks.
func TestSwitchedOff(t *testing.T) {
	const text = "# @agent-Miner q\n\n> [[@agent-Miner q]]\n\n- @agent-Miner q\n- > @Agent-Miner q\n\n> @agent-Miner: q\n\n<!-- agent-response -->\n"
	for _, row := range find([]byte("---\nwiki: off\n---\n"+text), note.Parse([]byte("---\nwiki: off\n---\n"+text)), []string{"Miner"}) {
		if row.IsNews() {
			t.Errorf("%+v", row)
		}
	}
	if rows := find([]byte(text), note.Parse([]byte(text)), []string{"Miner"}); len(rows) < 5 {
		t.Errorf("where it is not: %+v", rows)
	}
}

// A role that nobody answers may be a misspelt one of those that somebody does.
func TestUnanswered(t *testing.T) {
	roles := []string{"Editor", "Heavy-Lifter", "Miner", "Ärzte", "研究員"}
	for role, want := range map[string]string{"Minr": "Miner", "miner2": "Miner", "Mienr": "Miner", "editr": "Editor", "HeavyLifter": "Heavy-Lifter", "Arzte": "Ärzte", "Poet": "", "Mi": "", "M": ""} {
		row := Unanswered("nobody does", note.Marker{Role: role, Text: "> @agent-" + role + " what?\n> more"}, roles)
		mend := ""
		if want != "" {
			mend = "> @agent-" + want + " what?"
		}
		if row.Mend != mend || !strings.HasPrefix(row.Reason, "nobody does") || strings.HasSuffix(row.Reason, "; is "+want+" meant?") != (want != "") {
			t.Errorf("%s: %+v", role, row)
		}
	}
	two := note.Parse([]byte("> @agent-heavy lifter what?\n")).Markers[0]
	if row := Unanswered("x", two, roles); row.Mend != "> @agent-Heavy-Lifter what?" || row.Reason != "x; is Heavy-Lifter meant?" {
		t.Errorf("two words are one role: %+v", row)
	}
	if row := Unanswered("x", note.Marker{Role: "Mines", Text: "> @agent-Mines y"}, []string{"Miner", "Minet"}); row.Mend != "" {
		t.Errorf("of two that are as near one is guessed: %+v", row)
	}
}

// A property wiki that cannot be understood is told of where somebody asks, and nowhere else.
func TestOddSwitch(t *testing.T) {
	const ask = "> @agent-Miner what?\n"
	for src, want := range map[string]int{
		"---\nwiki: maybe\n---\n" + ask:                      2,
		"---\ntitle: x\nWiki: [off, on]\n---\n" + ask:        3,
		"---\nwiki: maybe\n---\nask with @agent-Miner\n":     0,
		"---\nwiki: maybe\n---\ntext\n":                      0,
		"---\nwiki: on\n---\n" + ask:                         0,
		"---\nwiki: maybe\nWiki: off\n---\n" + ask:           0,
		"---\nwiki:\n---\n" + ask:                            0,
		"---\nwiki: maybe\n" + ask:                           0,
		"text\n\n---\nwiki: maybe\n---\n" + ask:              0,
		"---\nwiki: \"[[a]]\"\n---\ntext\n\n" + ask + ask:    2,
		"---\na: b: c\n'wiki' : 'perhaps' # no\n---\n" + ask: 3,
	} {
		var told []Row
		for _, row := range find([]byte(src), note.Parse([]byte(src)), []string{"Miner"}) {
			if row.Reason == oddSwitch {
				told = append(told, row)
			}
		}
		if len(told) > 1 || len(told) == 1 != (want > 0) || want > 0 && (told[0].Line != want || told[0].Text != "" || !told[0].IsNews()) {
			t.Errorf("%q: %+v, want line %d", src, told, want)
		}
	}
}

// A fault in what is only advice ends nothing, and is not silent.
func TestFaultIsTold(t *testing.T) {
	rows := guard(func() []Row { panic(errors.New("index out of range")) })
	if len(rows) != 1 || !rows[0].IsNews() || rows[0].Reason != faulty+": index out of range" {
		t.Errorf("%+v", rows)
	}
}

// A reason stands behind a colon: it has no capital, but for a name, and no full stop.
func TestReasonsFitBehindAColon(t *testing.T) {
	reasons := []string{unclosed, faulty, oddSwitch}
	for _, reason := range sentences {
		reasons = append(reasons, reason)
	}
	for _, reason := range reasons {
		if strings.HasSuffix(reason, ".") || strings.TrimSpace(reason) != reason || strings.ToLower(reason[:1]) != reason[:1] {
			t.Errorf("%q", reason)
		}
	}
}
