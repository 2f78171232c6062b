package note

import (
	"strings"
	"testing"
)

// TestTooDeep wants a note that asks for too much to be left alone, with a word
// for every line that asks.
func TestTooDeep(t *testing.T) {
	for _, src := range []string{
		strings.Repeat(">", 101) + " a\n\n> @agent-Miner q\n",
		strings.Repeat("\t", 101) + "- a\n> @agent-Miner q\n",
		strings.Repeat("- ", 90) + "a\n" + strings.Repeat("\n", 100_000) + "> @agent-Miner q\n",
		strings.Repeat("> ", 61) + "@agent-Miner q\n",
	} {
		doc := Parse([]byte(src))
		if len(doc.Markers) != 0 || len(doc.Misses) != 1 || doc.Misses[0].Reason != TooDeep {
			t.Errorf("%.20q...: %d markers, misses %+v", src, len(doc.Markers), doc.Misses)
		}
	}
	deep := strings.Repeat("> ", 60) + "@agent-Miner q\n"
	if doc := Parse([]byte(deep)); len(doc.Markers) != 1 {
		t.Errorf("60 quotes deep: %+v", doc)
	}
}
