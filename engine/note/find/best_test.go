package find

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/testdata/testseed"
	"vaultdispatcher/engine/vault/testdata/growth"
)

// Each trace gets the marker that the most obvious way gives it: of all pairs the most alike one, then the nearest.
func TestMatchIsThatOfAllPairs(t *testing.T) {
	seed := testseed.Take(t)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 10_000 {
		src := randomNote(rng)
		var then []note.Trace
		for _, m := range note.Parse([]byte(src)).Markers {
			trace := m.Trace()
			if rng.IntN(4) == 0 { // from another state of the note
				trace.Line, trace.Ordinal = 1+rng.IntN(9), rng.IntN(3)
			}
			then = append(then, trace)
		}
		rng.Shuffle(len(then), func(i, j int) { then[i], then[j] = then[j], then[i] })
		now := note.Parse([]byte(randomEdit(rng, src))).Markers
		for _, first := range []bool{false, true} {
			want, got := matchAllPairs(now, then, first), match(now, then, first)
			if !slices.Equal(got, want) {
				t.Fatalf("%q\n%+v\nfirst %v: %v, want %v", src, now, first, got, want)
			}
		}
	}
}

func randomNote(rng *rand.Rand) string {
	lines := []string{"> @agent-Miner a", "> @agent-Miner b", "> more", "above", "below", "", "- @agent-Miner a"}
	var b strings.Builder
	for range rng.IntN(12) {
		b.WriteString(lines[rng.IntN(len(lines))] + "\n")
		if rng.IntN(2) == 0 {
			b.WriteString("\n")
		}
	}
	return b.String()
}

func randomEdit(rng *rand.Rand, src string) string {
	lines := strings.SplitAfter(src, "\n")
	for range rng.IntN(4) {
		i, j := rng.IntN(len(lines)), rng.IntN(len(lines))
		switch rng.IntN(3) {
		case 0:
			lines[i], lines[j] = lines[j], lines[i]
		case 1:
			lines = slices.Insert(slices.Clone(lines), i, lines[j])
		case 2:
			lines[i] = ""
		}
	}
	return strings.Join(lines, "")
}

// matchAllPairs looks at every pair of a trace and a marker.
func matchAllPairs(markers []note.Marker, traces []note.Trace, first bool) []int {
	type fit struct{ trace, marker, likeness, away int }
	var fits []fit
	score := func(now, then string) int {
		switch {
		case now != then:
			return 0
		case now == "":
			return 1
		}
		return 4
	}
	found, taken := make([]int, len(traces)), make([]bool, len(markers))
	for t, trace := range traces {
		found[t] = -1
		for m, marker := range markers {
			rest, ok := strings.CutPrefix(marker.Text, trace.Text)
			if !ok || rest != "" && (!first || rest[0] != '\n') {
				continue
			}
			marker = above(marker, rest)
			alike := score(marker.Upper, trace.Upper) + score(marker.Lower, trace.Lower)
			if marker.Ordinal == trace.Ordinal {
				alike++
			}
			fits = append(fits, fit{t, m, alike, max(marker.Line-trace.Line, trace.Line-marker.Line)})
		}
	}
	slices.SortStableFunc(fits, func(a, b fit) int { return cmp.Or(b.likeness-a.likeness, a.away-b.away) })
	for _, f := range fits {
		if found[f.trace] < 0 && !taken[f.marker] {
			found[f.trace], taken[f.marker] = f.marker, true
		}
	}
	return found
}

// Many equal questions, many that begin alike, and many that were all indented since cost by their number.
func TestGrowthOfMatching(t *testing.T) {
	for name, question := range map[string]func(i int) string{
		"equal, none at its place": func(int) string { return "> @agent-Miner why?\n\n" },
		"equal":                    func(int) string { return "> @agent-Miner why?\n\n" },
		"equal with other lines":   func(i int) string { return fmt.Sprintf("> @agent-Miner why?\n\nline %d\n\n", i) },
		"with the same head":       func(i int) string { return fmt.Sprintf("> @agent-Miner why?\n> and %d?\n\n", i) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, space := range []string{"", " "} {
				compared := 0
				growth.Gently(t, 150, func(n int) func() {
					var src strings.Builder
					for i := range n {
						src.WriteString(question(i))
					}
					var traces []note.Trace
					for _, m := range note.Parse([]byte(src.String())).Markers {
						trace := m.Trace()
						trace.Folds = true
						if name == "equal, none at its place" {
							trace.Ordinal += n // so that all are in one group
						}
						traces = append(traces, trace)
					}
					markers := note.Parse([]byte(strings.ReplaceAll(src.String(), "Miner why", "Miner "+space+"why"))).Markers
					return func() {
						for _, first := range []bool{false, true} { // Match and MatchFirst
							var m matching
							for trace, marker := range m.match(markers, traces, first) {
								if marker != trace {
									t.Fatalf("the trace %d has the marker %d", trace, marker)
								}
							}
							compared += m.compared
						}
					}
				}, growth.Counter{Name: "comparisons", Read: func() float64 { return float64(compared) }})
			}
		})
	}
}
