package untaken

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/testdata/samples"
	"vaultdispatcher/engine/testdata/testseed"
)

// A misspelt address is told, where the line would be a marker were it spelled rightly.
func TestMisspelt(t *testing.T) {
	for _, c := range []struct {
		line string
		want bool
	}{
		{"> @Agent-Miner x", true},
		{"> @AGENT-Miner x", true},
		{"> @agent Miner x", true},
		{"> @agents-Miner x", true},
		{"> @Agents Miner x", true},
		{"> @agent\u2013Miner x", true},
		{"> @agent\u2014Miner x", true},
		{"> @agent\u2011Miner x", true},
		{"> @agent - Miner x", true},
		{"> @ agent-Miner x", true},
		{"> @agent_Miner x", true},
		{"> @agent:Miner x", true},
		{"> @agentMiner x", true},
		{"> @Agent-Miner:T1 x", true},
		{"> @Agent-Miner: x", true}, // two mistakes, and one mend for both
		{">@Agent-Miner x", true},
		{"> > @Agent-Miner x", true},
		{"- item\n  > @Agent-Miner x", true},
		{"\xEF\xBB\xBF> @Agent-Miner x", true},

		{"> @agent-Miner x", false},           // a marker
		{"> @agent-Miner: x", false},          // Parse says why
		{"> @Agent-Miner @agent-Ed x", false}, // and here
		{"@Agent-Miner x", false},
		{"> - @Agent-Miner x", true},
		{"> ask @Agent-Miner x", true},
		{"> @agency does x", false},
		{"> @agents do x", false},
		{"> @agent Smith", false},
		{"> @agent", false},
		{"> @agent-", false},
		{"> @agent 7 x", false},
		{"> \\@Agent-Miner x", false},
		{"> `@Agent-Miner x`", false},
		{"    > @Agent-Miner x", false},
		{"```\n> @Agent-Miner x\n```", false},
		{"<!--\n> @Agent-Miner x\n-->", false},
		{"%%\n> @Agent-Miner x\n%%", false},
		{"<!-- agent-response -->\n> @Agent-Miner x\n<!-- /agent-response -->", false},
		{"---\nabout: |\n  > @Agent-Miner x\n---", false},
		{"---\nwiki: off\n---\n> @Agent-Miner x", false},
	} {
		rows := find([]byte(c.line), note.Parse([]byte(c.line)), []string{"Miner"})
		isTold := len(rows) == 1 && rows[0].Reason == sentences[spelling]
		if isTold != c.want || len(rows) > 1 {
			t.Errorf("%q: %+v, want %v", c.line, rows, c.want)
		}
	}
}

func TestMisspeltSaysWhere(t *testing.T) {
	src := []byte("text\r\n\r\n> @agent-Miner a marker\r\n\r\n> @Agent-Miner x \xFF\r\n> @agent–Editor y\r\n\r\nend @Agent-Miner z")
	rows := find(src, note.Parse(src), []string{"Miner", "Editor"})
	if len(rows) != 2 || rows[0].Line != 5 || rows[0].Text != "> @Agent-Miner x \ufffd" || rows[1].Line != 6 || rows[1].Text != "> @agent–Editor y" {
		t.Errorf("%+v", rows)
	}
}

// TestMisspeltMarkers misspells every marker of random notes: each is told then on its line, and none is a marker.
func TestMisspeltMarkers(t *testing.T) {
	start := testseed.Take(t)
	for round := range uint64(300) {
		src := samples.Note(rand.New(rand.NewPCG(start, round)))
		var lines []int
		var roles []string
		for _, m := range note.Parse(src).Markers {
			lines, roles = append(lines, m.Line), append(roles, m.Role)
		}
		for _, wrong := range []string{"@Agent-", "@agents-", "@agent–", "@ agent-"} {
			misspelled := bytes.ReplaceAll(src, []byte(note.MarkerStart), []byte(wrong))
			doc := note.Parse(misspelled)
			told := make(map[int]bool)
			for _, row := range find(misspelled, doc, roles) {
				told[row.Line] = true
			}
			for _, line := range lines {
				if !told[line] {
					t.Fatalf("round %d: line %d with %q is not told of in\n%q", round, line, wrong, misspelled)
				}
			}
			if len(doc.Markers) != 0 {
				t.Fatalf("round %d: %+v", round, doc.Markers)
			}
		}
	}
}
