package untaken

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/testdata/testmain"
	"vaultdispatcher/engine/vault/testdata/growth"
)

// A note of nothing but mistakes costs by its length, not by the square of it.
func TestGrowth(t *testing.T) {
	testmain.Long(t, "it measures what long notes cost")
	for _, line := range []string{"> @agent-Miner: what?\n", "@agent-Miner what?\n", "> @Agent-Miner what?\n", "> agent-Miner what?\n", "- [ ] @agent-Miner what?\n", "> @agent-Miner\n", "> x @agent-Miner y\n", "> x @Agent-Miner y\n", "@Agent-Miner\nwhat?\n", "| @Agent-Miner y |\n",
		"> Hey @Agent-Miner, what?\n", "> [!todo] @miner what?\n", "> @agent Minr what?\n", "> @agent&#45;Miner what?\n", "> @agent-\x00Miner what?\n",
		"Q | A\n-|-\nQ1 | @agent-Miner what?\n\n", "[^1]: @agent-Miner what?\n"} {
		growth.Gently(t, 1500, func(lines int) func() {
			src := []byte(strings.Repeat(line, lines))
			doc := note.Parse(src)
			return func() {
				if rows := find(src, doc, []string{"Miner"}); len(rows) == 0 {
					t.Errorf("%q: nothing found", line)
				}
			}
		})
	}
}

// A line of nothing but addresses costs milliseconds, not the seconds of looking at all of it for each.
func TestLineOfAddresses(t *testing.T) {
	for _, part := range []string{"x y z w @agent-Poet what, ", "x y z w @agent what, ", "| x @agent-Miner y ", "Hey @agent, "} {
		src := []byte("> " + strings.Repeat(part, 3000) + "end.\n")
		if rows := find(src, note.Parse(src), []string{"Miner"}); len(rows) > 1 {
			t.Errorf("%q: %d rows", part, len(rows))
		}
	}
}

// BenchmarkFind reads a note in which nobody is addressed, as most are, but somebody could be.
func BenchmarkFind(b *testing.B) {
	src := []byte(strings.Repeat("Some words of a note, and me@example.com too, in a line.\n- and an item of a list\n", 1000))
	doc := note.Parse(src)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if find(src, doc, []string{"Miner", "Editor"}) != nil {
			b.Fatal("found something")
		}
	}
}
