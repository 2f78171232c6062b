package note

import (
	"strings"
	"testing"
)

// What a person may have written below a question on its own account stays.
func TestLinesThatBeginApart(t *testing.T) {
	for line, stays := range map[string]bool{
		"about backups?":              false,
		"Backups of last year":        false,
		"Ann Lee said so: is it true": false,
		"at 10:30 on Monday":          false,
		"~~gone~~ and what remains":   false,
		"~20 of them, or more":        false,
		"**bold** and the rest":       false,
		"[[Plan]] and the rest":       false,
		"\"all of it\"":               true,
		"— Ann":                       true,
		"~ Ann, 2020":                 true,
		"Ann: said so":                true,
		"Ann Lee: said so":            true,
		"Dr. Ann Lee: said so":        true,
		"Árpád Őri：igen":              true,
		"安：はい":                        true,
		"昨年のバックアップについて：どこに": false,
		"source:: mine": true,
		"- item":        true,
		"[x] done":      true,
	} {
		src := "> @agent-Miner what about\n> " + line + "\n"
		m := Parse([]byte(src)).Markers[0]
		if got := m.Ends == m.Line; got != stays {
			t.Errorf("%q: stays %v, want %v", line, got, stays)
		}
	}
}

// What Logseq has for itself below a question is not asked, and stays.
func TestBookkeepingIsNotAsked(t *testing.T) {
	for _, c := range []struct {
		src, asked  string
		ends, until int
	}{
		{"- > @agent-Miner what about it?\n  id:: 62a\n  collapsed:: true\n", "what about it?", 1, 1},
		{"- > @agent-Miner what about it?\n  :LOGBOOK:\n  CLOCK: [2022-01-01 Sat 10:00:00]\n  :END:\n- b\n", "what about it?", 1, 1},
		{"> @agent-Miner what about\n> id:: 62a\n> backups?\n", "what about", 1, 1},
		{"> @agent-Miner compare:\n> id:: 62a\n>\n> - tea\n>   id:: 62b\n> - coffee\n", "compare:\n- tea\n- coffee", 1, 6},
		{"> @agent-Miner what about\n> source:: mine\n", "what about", 1, 1},
	} {
		m := Parse([]byte(c.src)).Markers[0]
		if m.Instruction != c.asked || m.Ends != c.ends || m.Asked != c.until {
			t.Errorf("%q: asks %q, ends %d, %d", c.src, m.Instruction, m.Ends, m.Asked)
		}
		if got, err := Apply([]byte(c.src), []Edit{Respond([]byte(c.src), m, "yes")}); err != nil || strings.Count(string(got), "::") != strings.Count(c.src, "::") {
			t.Errorf("%q became %q, %v", c.src, got, err)
		}
	}
}

// What is asked is what the answer replaces, a list right after a colon, and one lazy line that goes on with an unfinished
// sentence. The rest of the paragraph is a person's own: it stays, and is context.
func TestAsked(t *testing.T) {
	const q = "> @agent-Miner "
	for _, c := range []struct {
		src, asked string
	}{
		{q + "when do we water the garden?\nToday I drank coffee with Anna. We talked about servers.\n", "when do we water the garden?"},
		{q + "when do we water the garden?\n> And a quoted line of my own\n", "when do we water the garden?"},
		{q + "third question\n" + strings.Repeat("a line of the note\n", 20), "third question\na line of the note"},
		{q + "third question.\n" + strings.Repeat("a line of the note\n", 20), "third question."},
		{q + "what?\n> one\n> two\n", "what?"},
		{q + "what did we decide about\n> backups?\n> I think we need them.\n", "what did we decide about\nbackups?"},
		{q + "what did we decide about\n> backups?\nToday I drank coffee.\n", "what did we decide about\nbackups?"},
		{q + "what did we decide about\nbackups?\nToday I drank coffee.\n", "what did we decide about\nbackups?"},
		{q + "what did we decide about\n> the\nbackups of\nlast year?\n", "what did we decide about\nthe\nbackups of"},
		{q + "what is it…\nmine\n", "what is it…"},
		{q + "what is it!\nmine\n", "what is it!"},
		{q + "何ですか。\n私の\n", "何ですか。"},
		{q + "τι είναι;\nδικό μου\n", "τι είναι;"},
		{q + "*what is it?*\nmine\n", "*what is it?*"},
		{q + "what is it? #tag\nmine\n", "what is it? #tag"},
		{q + "what is it? ^id\nmine\n", "what is it?"},
		{q + "what is it  \nmine\n", "what is it"},
		{q + "what is it\\\nmine\n", "what is it\\"},
		{q + "is it true that\n— Ann said so\n", "is it true that"},
		{q + "is it true that\n\"all of it\"\n", "is it true that"},
		{q + "is it true that\n> Ann: said so\n", "is it true that"},
		{q + "is it true that\nsource:: mine\n", "is it true that"},
		{q + "is it true that\n$x$ is mine\n", "is it true that"},
		{q + "is it true that\nyes <!-- mine --> no\n", "is it true that"},
		{q + "is it true that\n\nmine\n", "is it true that"},
		{q + "compare:\n> - tea\n> - coffee\n", "compare:\n- tea\n- coffee"},
		{q + "compare:\n\n- tea\n- coffee\n", "compare:\n- tea\n- coffee"},
		{q + "compare\n> all of these:\n> - tea\n", "compare\nall of these:\n- tea"},
		{q + "compare:\nthese of mine\n- tea\n", "compare:"},
		{q + "compare\nthese of mine:\n- tea\n", "compare\nthese of mine:"},
		{q + "compare\n> - tea\n", "compare"},
		{"> > @agent-Miner what about\n> the backups\n", "what about\nthe backups"},
		{"- > @agent-Miner what about\n  the backups\n", "what about\nthe backups"},
		{"> [!question]\n> @agent-Miner what about backups?\n> The end.\n", "what about backups?"},
		{"> @agent-Miner what about\n> backups\n> ---\n", "what about"},
		{q + "one\n> @agent-Miner two\nlazy\n", "one"},
	} {
		m := Parse([]byte(c.src)).Markers[0]
		if m.Instruction != c.asked {
			t.Errorf("%q: asks %q, want %q", c.src, m.Instruction, c.asked)
		}
	}
	src := []byte("> @agent-Miner what about\n> backups:\n> - tea\n")
	m := NewPage(src).Cut(func(Marker) int { return 1 }).Markers[0]
	if m.Instruction != "what about" || m.Asked != 1 || m.Ends != 1 {
		t.Errorf("what stood there before is asked: %+v", m)
	}
}
