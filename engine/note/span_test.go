package note

import (
	"strings"
	"testing"
)

// What a person may have written below a question on its own account is asked and stays.
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
		{"> @agent-Miner what about\n> id:: 62a\n> backups?\n", "what about\nbackups?", 1, 3},
		{"> @agent-Miner compare:\n> id:: 62a\n>\n> - tea\n>   id:: 62b\n> - coffee\n", "compare:\n- tea\n- coffee", 1, 6},
		{"> @agent-Miner what about\n> source:: mine\n", "what about\nsource:: mine", 1, 2},
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
