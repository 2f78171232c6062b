package sanitize

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/testdata/samples"
	"vaultdispatcher/engine/testdata/testseed"
)

var randomNotes = flag.Int("notes", 300/fewer, "how many random notes are answered")

// TestRandomNotes answers one group at a time in random notes with hostile
// answers, until none is left. After every answer exactly the other markers are
// found, in order; and every answered note reads as safely as before.
func TestRandomNotes(t *testing.T) {
	t.Parallel()
	from := testseed.Take(t)
	notes, answered := *randomNotes, 0
	if testing.Short() {
		notes = 100
	}
	for i := range notes {
		r := rand.New(rand.NewPCG(from, uint64(i)))
		src := samples.Note(r)
		for {
			groups := note.GroupMarkers(note.Parse(src).Markers)
			if len(groups) == 0 {
				break
			}
			src = answerGroup(t, r, src, groups[r.IntN(len(groups))].Key)
			answered++
		}
		checkPlaces(t, samples.Answer(r))
	}
	t.Logf("count: %d random notes, %d groups answered with hostile answers", notes, answered)
	if answered < notes {
		t.Errorf("only %d groups in %d notes", answered, notes)
	}
}

func answerGroup(t *testing.T, r *rand.Rand, src []byte, key note.Key) []byte {
	t.Helper()
	markers := note.Parse(src).Markers
	answers := make([]string, len(markers))
	for i := range answers {
		answers[i] = samples.Answer(r)
	}
	rest, after, out := checkAnswered(t, src,
		func(i int) bool { return markers[i].Key() == key },
		func(i int) string { return answers[i] })
	if got, want := lineup(after.Markers), lineup(rest); got != want {
		t.Fatalf("left are\n%s, want\n%s\n%q\n%q", got, want, src, out)
	}
	return out
}

func lineup(markers []note.Marker) string {
	var b strings.Builder
	for _, m := range markers {
		fmt.Fprintf(&b, "%q\n", m.Text)
	}
	return b.String()
}
