package writer

import (
	"testing"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// White space is no edit of a question whose answer is parked; anything else is.
func TestParkedFolded(t *testing.T) {
	d := journal.Dispatch{Markers: []journal.Marker{{Trace: note.Trace{Text: "> @agent-Miner a  b", Line: 3, Upper: "a", Lower: "b"}}}}
	for src, found := range map[string]bool{
		"a\n\n> @agent-Miner a  b\n\nb\n":   true,
		"a\n\n>@agent-Miner a b  \n\nb\n":   true,
		"a\n\n> @agent-Miner a c\n\nb\n":    false,
		"a\n\n> > @agent-Miner a b\n\nb\n":  false,
		"x\n\n> @agent-Miner a b\n\ny\n":    false,
		"a\n\n> @agent-Miner `a  b`\n\nb\n": false,
	} {
		if got := findPlaces(note.Parse([]byte(src)).Markers, d); len(got) == 1 != found {
			t.Errorf("%q: %v", src, got)
		}
	}
}
