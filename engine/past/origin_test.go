package past

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/testdata/testseed"
	"vaultdispatcher/engine/vault/testdata/growth"
)

// arrive returns what is remembered of a note from elsewhere that is seen first.
func arrive(src string) Lines {
	lines := Lines{}.update([]byte(src), note.Parse([]byte(src)).Markers, true)
	lines.bring(wordsOf(scanLines([]byte(src), true, true)))
	return Decode(lines.Bytes())
}

// lookAgain returns what is remembered of it after a later look.
func (l Lines) lookAgain(young bool, src string) Lines {
	markers := note.Parse([]byte(src)).Markers
	next := l.update([]byte(src), markers, true)
	next.grow(next.without(l), young, markers)
	return Decode(next.Bytes())
}

// waitingOf returns the instructions of the markers of a note that wait.
func waitingOf(l Lines, src string) string {
	var waits []string
	for _, m := range note.Parse([]byte(src)).Markers {
		if (Came{words: l.came()}).Holds(note.Head(m.Text)) {
			waits = append(waits, note.Head(m.Instruction))
		}
	}
	return strings.Join(waits, " ")
}

// TestArrival follows notes from elsewhere through their looks.
func TestArrival(t *testing.T) {
	const clip = "# Page\n\ntext\n\n> @agent-Miner theirs\n"
	page := "one\ntwo\nthree\nfour\n"
	for _, tt := range []struct {
		name  string
		young bool // at every look
		looks []string
		want  string // of the last look
	}{
		{"at first sight", true, []string{clip}, "theirs"},
		{"an own line later", false, []string{clip, clip + "> @agent-Miner mine\n"}, "theirs"},
		{"with a few own lines", false, []string{clip, clip + "a\nb\nc\n> @agent-Miner mine\n"}, "theirs"},
		{"into a note that had no marker", false, []string{"# Page\n", "# Page\n\n> @agent-Miner mine\n"}, ""},
		{"written in two steps", true, []string{"# Page\n", clip, clip + "> @agent-Miner tail\n"}, "theirs tail"},
		{"an empty file first", true, []string{"", clip}, "theirs"},
		{"a clipper that appends", false, []string{clip, clip + page + "> @agent-Miner more\n"}, "theirs more"},
		{"and then an own line", false, []string{clip, clip + page + "> @agent-Miner more\n", clip + page + "> @agent-Miner more\n> @agent-Miner mine\n"}, "theirs more"},
		{"little by little", false, []string{clip, clip + "one\ntwo\n", clip + page, clip + page + "> @agent-Miner mine\n"}, "theirs"},
		{"hidden in code, and then not", false, []string{"# Page\n\n```\n> @agent-Miner hidden\n```\n", "# Page\n\n> @agent-Miner hidden\n"}, "hidden"},
		{"an own question of several lines", false, []string{clip, clip + "\n> @agent-Miner mine\n> a\n> b\n> c\n> d\n> e\n"}, "theirs"},
		{"a question no person writes at once", false, []string{clip, clip + "\n> @agent-Miner theirs, too" + linesOfWords(20)}, "theirs theirs, too"},
		{"an edited line", false, []string{clip, strings.Replace(clip, "theirs", "theirs, edited", 1)}, ""},
		{"old Macintosh line ends", false, []string{strings.ReplaceAll(clip, "\n", "\r")}, "theirs"},
		{"other line ends", false, []string{clip, strings.ReplaceAll(clip, "\n", "\r\n")}, "theirs"},
		{"indented anew", false, []string{clip, strings.ReplaceAll(clip, "> @", "  > @")}, "theirs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := arrive(tt.looks[0])
			for _, src := range tt.looks[1:] {
				a = a.lookAgain(tt.young, src)
			}
			if got := waitingOf(a, tt.looks[len(tt.looks)-1]); got != tt.want {
				t.Errorf("%q wait, want %q", got, tt.want)
			}
		})
	}
}

// linesOfWords are n different lines of a quote.
func linesOfWords(n int) (lines string) {
	for i := range n {
		lines += fmt.Sprintf("\n> line %d", i)
	}
	return lines
}

// TestArrivalForgetsNothing: what came with a note waits whatever is edited around
// it, and what was written alone, long after, does not.
func TestArrivalForgetsNothing(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 500 {
		var lines []string
		for i := range 1 + r.IntN(8) {
			lines = append(lines, []string{fmt.Sprintf("text %d", i), fmt.Sprintf("> @agent-Miner theirs %d", i), ""}[r.IntN(3)])
		}
		a := arrive(strings.Join(lines, "\n"))
		for step := range 10 {
			at, line := r.IntN(len(lines)+1), fmt.Sprintf("> @agent-Miner mine %d", step)
			if r.IntN(2) == 0 {
				line = fmt.Sprintf("own text %d", step)
			}
			lines = append(lines[:at:at], append([]string{line}, lines[at:]...)...)
			if r.IntN(3) == 0 {
				drop := r.IntN(len(lines))
				lines = append(lines[:drop:drop], lines[drop+1:]...)
			}
			src := strings.Join(lines, "\n")
			a = a.lookAgain(false, src)
			for _, m := range note.Parse([]byte(src)).Markers {
				if theirs := strings.HasPrefix(m.Instruction, "theirs"); (Came{words: a.came()}).Holds(note.Head(m.Text)) != theirs {
					t.Fatalf("seed %d, round %d: %q waits: %v\n%s", seed, round, m.Text, !theirs, src)
				}
			}
		}
	}
}

// linesNumbered returns n different lines.
func linesNumbered(from, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d of the page\n", from+i)
	}
	return b.String()
}

func TestGrowthOfAnArrival(t *testing.T) {
	growth.Gently(t, 2000, func(n int) func() {
		a, next := arrive(linesNumbered(0, n)), linesNumbered(n/2, n)
		return func() { a.lookAgain(false, next) }
	})
}

// TestOtherMarks: what a formatter or a callout does to the marks of a line makes nobody its author.
func TestOtherMarks(t *testing.T) {
	came := Came{words: arrive(">@agent-Miner  send\tit\n>\n- > @agent-Miner list\n").came()}
	for line, want := range map[string]bool{
		"> @agent-Miner send it": true, "\t> > @agent-Miner send it  \r\n": true, "* > @agent-Miner list": true,
		"> @agent-Miner send": false, "> @agent-Miner sendit": false, ">": false, "": false,
	} {
		if came.Holds(line) != want {
			t.Errorf("%q: %v, want %v", line, !want, want)
		}
	}
}
