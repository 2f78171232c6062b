package untaken

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/testdata/samples"
	"vaultdispatcher/engine/testdata/testseed"
)

func TestLookalikes(t *testing.T) {
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
		{"> @Agent-Miner: x", true}, // two mistakes; the other is told when this one is mended
		{">@Agent-Miner x", true},
		{"> > @Agent-Miner x", true},
		{"- item\n  > @Agent-Miner x", true},
		{"\xEF\xBB\xBF> @Agent-Miner x", true},

		{"> @agent-Miner x", false},           // a marker
		{"> @agent-Miner: x", false},          // Parse says why
		{"> @Agent-Miner @agent-Ed x", false}, // and here
		{"@Agent-Miner x", false},
		{"> - @Agent-Miner x", false},
		{"> ask @Agent-Miner x", false},
		{"> @agency does x", false},
		{"> @agents do x", true}, // it does look so; nothing but a sentence comes of it
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
		got := findLookalikes([]byte(c.line))
		if (len(got) == 1) != c.want || len(got) > 1 {
			t.Errorf("%q: %+v, want %v", c.line, got, c.want)
		}
	}
}

func TestLookalikesSayWhere(t *testing.T) {
	src := []byte("text\r\n\r\n> @agent-Miner a marker\r\n\r\n> @Agent-Miner x \xFF\r\n> @agent–Editor y\r\n\r\nend @Agent-Miner z")
	got := findLookalikes(src)
	want := []note.NearMiss{{Line: 5, Text: "> @Agent-Miner x \xFF", Why: spelling}, {Line: 6, Text: "> @agent–Editor y", Why: spelling}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%+v", got)
	}
	if doc := note.Parse(src); len(doc.Markers) != 1 || len(doc.Misses) != 0 {
		t.Errorf("Parse knows nothing of them: %+v", doc)
	}
}

// TestLookalikesOfMarkers misspells every marker of random notes: each is then a
// lookalike on the same line, and none is both that and known to Parse.
func TestLookalikesOfMarkers(t *testing.T) {
	start := testseed.Take(t)
	for round := range uint64(300) {
		src := samples.Note(rand.New(rand.NewPCG(start, round)))
		lines := make(map[int]bool)
		for _, m := range note.Parse(src).Markers {
			lines[m.Line] = true
		}
		for _, wrong := range []string{"@Agent-", "@agents-", "@agent–", "@ agent-"} {
			misspelled := bytes.ReplaceAll(src, []byte(note.MarkerStart), []byte(wrong))
			found := make(map[int]bool)
			for _, m := range findLookalikes(misspelled) {
				found[m.Line] = true
				if m.Why != spelling || !strings.Contains(m.Text, wrong) {
					t.Fatalf("round %d: %+v", round, m)
				}
			}
			for line := range lines {
				if !found[line] {
					t.Fatalf("round %d: line %d with %q is not found in\n%q", round, line, wrong, misspelled)
				}
			}
			if n := len(note.Parse(misspelled).Markers); n != 0 {
				t.Fatalf("round %d: %d markers", round, n)
			}
		}
	}
}

// BenchmarkLookalikes reads a note in which nobody is addressed, as most are.
func BenchmarkLookalikes(b *testing.B) {
	src := bytes.Repeat([]byte("Some words of a note, and me@example.com too, in a line.\n"), 2000)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if findLookalikes(src) != nil {
			b.Fatal("found something")
		}
	}
}
