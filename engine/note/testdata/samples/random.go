package samples

import (
	"math/rand/v2"
	"strings"
)

// author makes random notes of the things that notes are made of.
type author struct {
	*rand.Rand
	strings.Builder
	eol     string
	markers int
}

func (w *author) one(of ...string) string { return of[w.IntN(len(of))] }

// line writes a line under a prefix, and takes care of its end.
func (w *author) line(prefix, text string) {
	eol := w.eol
	if eol == "" {
		eol = w.one("\n", "\r\n", "\r")
	}
	w.WriteString(prefix + text + eol)
}

// ask writes a marker. The words of its instruction open nothing.
func (w *author) ask(prefix string) {
	w.markers++
	key := w.one("Miner", "miner", "Editor", "Miner:t-1", "Miner:T.2", "X_9", "Ärzte", "研究員:計画", "A\u0308rzte")
	w.line(prefix, w.one("> ", ">", ">  ", "> ")+"@agent-"+key+w.one(" ", " ", "\u00a0", "\u3000")+w.one("what?", "ünïcode", "a  b", "again", "named ^b-1", "* - 1.", "card <!--SR:!2024-01-01,3,250-->", "see %%mine%% it ^b2", "<!--a--> %%b%% c", "\xff?"))
}

// blocks writes up to n blocks in the container that prefix stands for, each
// followed by a blank line or by none.
func (w *author) blocks(prefix string, n, depth int) {
	for range 1 + w.IntN(n) {
		w.block(prefix, depth)
		if w.IntN(3) > 0 {
			w.line(strings.TrimRight(prefix, " "), "")
		}
	}
}

func (w *author) block(prefix string, depth int) {
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
		w.line(prefix, "<!-- agent-response -->")
		w.line(prefix, w.one("> @agent-Miner answered", "an older answer", "- a"))
		w.line(prefix, "<!-- /agent-response -->")
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

// Note is a random note. It may hold several markers, of several groups.
func Note(r *rand.Rand) []byte {
	w := &author{Rand: r, eol: []string{"\n", "\n", "\r\n", "\r", ""}[r.IntN(5)]}
	if w.IntN(5) == 0 {
		w.WriteString("\xEF\xBB\xBF")
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

// Answer is several fragments of [Hostile], put together at random.
func Answer(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(5) {
		b.WriteString(Hostile[r.IntN(len(Hostile))])
		b.WriteString([]string{"", " ", "\n", "\n", "\n\n", "\n- ", "\n> ", "\n    "}[r.IntN(8)])
	}
	return b.String()
}
