package note

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

var (
	seed        = flag.Uint64("seed", 0, "replay random notes from this seed; 0 = a new one")
	randomNotes = flag.Int("notes", 1000/fewer, "how many random notes are answered")
)

// writer makes random notes of the things that notes are made of.
type writer struct {
	*rand.Rand
	strings.Builder
	eol     string
	markers int
}

func (w *writer) one(of ...string) string { return of[w.IntN(len(of))] }

// line writes a line under a prefix, and takes care of its end.
func (w *writer) line(prefix, text string) {
	eol := w.eol
	if eol == "" {
		eol = w.one("\n", "\r\n", "\r")
	}
	w.WriteString(prefix + text + eol)
}

// ask writes a marker. The words of its instruction open nothing.
func (w *writer) ask(prefix string) {
	w.markers++
	key := w.one("Miner", "miner", "Editor", "Miner:t-1", "Miner:T.2", "X_9")
	w.line(prefix, w.one("> ", ">", ">  ", "> ")+"@agent-"+key+" "+w.one("what?", "ünïcode", "a  b", "again", "* - 1.", "\xff?"))
}

// blocks writes up to n blocks in the container that prefix stands for, each
// followed by a blank line or by none.
func (w *writer) blocks(prefix string, n, depth int) {
	for range 1 + w.IntN(n) {
		w.block(prefix, depth)
		if w.IntN(3) > 0 {
			w.line(strings.TrimRight(prefix, " "), "")
		}
	}
}

func (w *writer) block(prefix string, depth int) {
	kinds := 12
	if depth == 0 {
		kinds = 9
	}
	switch w.IntN(kinds) {
	case 0, 1, 2:
		w.ask(prefix)
	case 3:
		w.ask(prefix)
		w.ask(prefix)
	case 4:
		w.line(prefix, w.one("Text with words.", "# Heading", "- item", "| a | b |", "***", "[[Link]] and `code`", "x\xfe\xff y"))
	case 5:
		fence := w.one("```", "~~~~", "`````")
		w.line(prefix, fence+w.one("", "go", " text"))
		w.line(prefix, w.one("> @agent-Miner hidden", "code", "", "> x"))
		w.line(prefix, fence)
	case 6:
		w.line(prefix, w.one("`> @agent-Miner span`", "<!-- > @agent-Miner comment -->", "@agent-Miner no quote", "\\@agent-Miner escaped"))
	case 7:
		w.line(prefix, "> [!note] A callout")
		w.ask(prefix)
		w.line(prefix, "> goes on.")
	case 8:
		w.line(prefix, openTag)
		w.line(prefix, w.one("> @agent-Miner answered", "an older answer", "- a"))
		w.line(prefix, endTag)
	case 9:
		w.blocks(prefix+"> ", 3, depth-1)
	case 10:
		mark := w.one("- ", "* ", "1. ", "1)  ")
		w.line(prefix, mark+"item")
		w.blocks(prefix+strings.Repeat(" ", len(mark)), 3, depth-1)
	case 11:
		mark := w.one("- ", "+ ", "1. ")
		w.ask(prefix + mark)
		w.blocks(prefix+strings.Repeat(" ", len(mark)), 2, depth-1)
	}
}

func randomNote(r *rand.Rand) []byte {
	w := &writer{Rand: r, eol: []string{"\n", "\n", "\r\n", "\r", ""}[r.IntN(5)]}
	if w.IntN(5) == 0 {
		w.WriteString(string(bom))
	}
	if w.IntN(5) == 0 {
		w.line("", "---")
		w.line("", w.one("title: x", "> @agent-Miner property"))
		w.line("", "---")
	}
	w.blocks("", 6, 3)
	s := w.String()
	if w.IntN(3) == 0 {
		s = strings.TrimRight(s, "\r\n")
	}
	return []byte(s)
}

func randomAnswer(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(5) {
		b.WriteString(hostile[r.IntN(len(hostile))])
		b.WriteString([]string{"", " ", "\n", "\n", "\n\n", "\n- ", "\n> ", "\n    "}[r.IntN(8)])
	}
	return b.String()
}

// TestRandomNotes answers one group at a time in random notes with hostile
// answers, until none is left. After every answer exactly the other markers are
// found, in order; and every answered note reads as safely as before.
func TestRandomNotes(t *testing.T) {
	from := *seed
	if from == 0 {
		from = uint64(time.Now().UnixNano())
	}
	t.Logf("seed: -seed=%d", from)
	notes, answered := *randomNotes, 0
	if testing.Short() {
		notes = 100
	}
	for i := range notes {
		r := rand.New(rand.NewPCG(from, uint64(i)))
		src := randomNote(r)
		for {
			groups := GroupMarkers(Parse(src).Markers)
			if len(groups) == 0 {
				break
			}
			src = answerGroup(t, r, src, groups[r.IntN(len(groups))].Key)
			answered++
		}
		checkPlaces(t, randomAnswer(r))
	}
	t.Logf("count: %d random notes, %d groups answered with hostile answers", notes, answered)
	if answered < notes {
		t.Errorf("only %d groups in %d notes", answered, notes)
	}
}

func answerGroup(t *testing.T, r *rand.Rand, src []byte, key Key) []byte {
	t.Helper()
	markers := Parse(src).Markers
	answers := make([]string, len(markers))
	for i := range answers {
		answers[i] = randomAnswer(r)
	}
	rest, after, out := checkAnswered(t, src,
		func(i int) bool { return markers[i].Key() == key },
		func(i int) string { return answers[i] })
	if got, want := lineup(after.Markers), lineup(rest); got != want {
		t.Fatalf("left are\n%s, want\n%s\n%q\n%q", got, want, src, out)
	}
	return out
}

func lineup(markers []Marker) string {
	var b strings.Builder
	for _, m := range markers {
		fmt.Fprintf(&b, "%q\n", m.Text)
	}
	return b.String()
}
