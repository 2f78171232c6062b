package sanitize

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/headings"
	"vaultdispatcher/engine/testdata/testmain"
	"vaultdispatcher/engine/vault/testdata/growth"
)

// bombs are notes that grow out of one repeated piece. Each asked some part of
// the reading for more than its share.
var bombs = map[string]func(size int) string{
	"quotes in lines":    lines(strings.Repeat(">", 60)),
	"quotes in a line":   times(">"),
	"quotes and tabs":    lines(">\t>\t>\t-\ta"),
	"bullets in lines":   lines(strings.Repeat("- ", 90) + "a"),
	"bullets in a line":  times("- "),
	"lists in lists":     nested(190, "- a"),
	"text in lists":      nested(190, strings.Repeat("  ", 190)+"a\n"),
	"space in lists":     func(n int) string { return nested(190, "")(1) + strings.Repeat(" ", n) + "x" },
	"blanks in lists":    func(n int) string { return strings.Repeat("- ", 90) + "a" + strings.Repeat("\n", n) },
	"lazy lines":         func(n int) string { return strings.Repeat(">", 90) + strings.Repeat("a\n", n/2) },
	"rising backticks":   risingTicks,
	"odd backticks":      times("`a``b "),
	"open brackets":      times("["),
	"balanced brackets":  func(n int) string { return strings.Repeat("[", n/2) + strings.Repeat("]", n/2) },
	"open links":         times("[a](<b "),
	"open titles":        times("[a](b \""),
	"images":             times("![a](http://"),
	"references":         lines("[a]: <b"),
	"used references":    lines("[a]: b\n\n[a][a]\n"),
	"footnotes":          lines("[^a]: [^a] ^b"),
	"open references":    lines("[a"),
	"tags":               times("<a b=\"<a c='"),
	"attributes":         func(n int) string { return "<a" + strings.Repeat(" b", n/2) },
	"image tags":         func(n int) string { return strings.Repeat("<img ", n/5) + ">" },
	"comments":           times("x <!-- "),
	"response blocks":    times("<!-- agent-response -->"),
	"declarations":       times("x <? <!A <![CDATA[ "),
	"formulas":           times("x $$\n\n"),
	"formulas and code":  lines("x $$ `a` %% "),
	"stars":              times("*a **a "),
	"line feeds":         times("\n"),
	"carriage returns":   times("\r"),
	"near misses":        lines("@agent-"),
	"markers":            lines("> @agent-M q\n\n"),
	"headings":           lines("a\n="),
	"items":              lines("1. a\n"),
	"tabs":               times("\t"),
	"one line":           times("a"),
	"an open fence":      func(n int) string { return "```\n" + strings.Repeat("a\n", n/2) },
	"backslashes":        times(`\`),
	"automatic links":    times("<http://a "),
	"NUL":                times("\x00"),
	"continuation bytes": times("\x80"),
}

func times(piece string) func(int) string {
	return func(n int) string { return strings.Repeat(piece, n/len(piece)) }
}

func lines(line string) func(int) string { return times(line + "\n") }

// nested is a list of depth levels, followed by the same line again and again.
func nested(depth int, line string) func(int) string {
	return func(n int) string {
		var b strings.Builder
		for i := range depth {
			b.WriteString(strings.Repeat("  ", i) + "- a\n")
		}
		b.WriteString(lines(line)(n))
		return b.String()
	}
}

func risingTicks(n int) string {
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		b.WriteString(strings.Repeat("`", i) + " ")
	}
	return b.String()
}

// TestHostileShapes reads and sanitizes each bomb at two sizes. The time may grow
// with the size, and somewhat faster on a busy machine, but not with its square.
func TestHostileShapes(t *testing.T) {
	const small, factor, enough = (4 << 10) / fewer, 16, 3 * time.Second
	for name, grow := range bombs {
		t.Run(name, func(t *testing.T) {
			little, large := took(grow(small)), took(grow(small*factor))
			if large > enough && large > little*factor*factor/2 {
				// A busy machine slows what is short less: so the same amount of both.
				little = tookAll(grow(small), factor) / factor
				large = took(grow(small * factor))
			}
			if large > enough && large > little*factor*factor/2 {
				t.Errorf("%v for %d bytes, %v for %d", little, small, large, small*factor)
			}
		})
	}
}

func took(s string) time.Duration {
	start := time.Now()
	note.Parse([]byte(s + "\n> @agent-Miner q\n"))
	headings.Fit([]byte(s), []string{Labelled(s, "a", 0)})
	return time.Since(start)
}

// tookAll is the time of n readings.
func tookAll(s string, n int) (all time.Duration) {
	for range n {
		all += took(s)
	}
	return all
}

// TestGrowthOfParagraphs: signs in a long paragraph take about as long as in short ones, though each may ask what stands before it.
func TestGrowthOfParagraphs(t *testing.T) {
	testmain.Long(t, "it measures what long paragraphs cost")
	const size, short = 64 << 10, 64
	for _, piece := range []string{`\href`, `\\href`, `x\`, "%", "50 % ", "$5 ", "::", "{:", "{.a", "a=", "[a]", "[[[co", "id:: ", "<s>", "@@", "](", "!["} {
		growth.Evenly(t, fmt.Sprintf("%q in a paragraph", piece), size, func(n int) {
			length := n
			if n < size {
				length = short
			}
			Answer(strings.Repeat(strings.Repeat(piece, length/len(piece))+"\n\n", n/length), 0)
		})
	}
}
