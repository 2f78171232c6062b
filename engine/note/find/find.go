// Package find is pure text: it finds again what stood in a note that has changed since, the markers of questions by
// what is remembered of them ([note.Trace]), and whole lines.
package find

import (
	"cmp"
	"slices"
	"strings"

	"vaultdispatcher/engine/note"
)

// Match finds each trace's marker and returns its index, or -1 where there is
// none. No marker is given twice.
//
// The lines must be the same to the byte, line ends apart; what is left of traces that fold
// then has markers that differ in white space, in quotes and lists as deep. Where these are more or fewer than the traces
// none is taken. Among equal ones the neighbours
// decide, then the ordinal, then the distance; so a trace must be matched together
// with all others of its note, or it may be given a line that is another's.
func Match(markers []note.Marker, traces []note.Trace) []int { return match(markers, traces, false) }

// MatchFirst is Match where a trace may also be the first lines of a marker that, as
// far as its form tells, goes on: of a question below which a person's own words stand.
// [ParseAs] then leaves these out of it.
func MatchFirst(markers []note.Marker, traces []note.Trace) []int {
	return match(markers, traces, true)
}

// ParseAs is [note.Parse] of a note and MatchFirst of its markers, each of which has as many
// lines as its trace.
func ParseAs(src []byte, traces []note.Trace) note.Doc {
	doc := note.Parse(src)
	own, fewer := make(map[int]int), false
	for t, at := range MatchFirst(doc.Markers, traces) {
		if at >= 0 {
			m := doc.Markers[at]
			own[m.Line] = note.CountLines(traces[t].Text)
			fewer = fewer || m.Line+own[m.Line]-1 < m.Ends
		}
	}
	if !fewer {
		return doc
	}
	return note.ParseCut(src, func(m note.Marker) int {
		if n := own[m.Line]; n > 0 {
			return n
		}
		return m.Ends
	})
}

func match(markers []note.Marker, traces []note.Trace, first bool) []int {
	found := make([]int, len(traces))
	var fits []fit
	withHead := make(map[string][]int) // markers by their first line
	lines := make([]string, len(markers))
	for m, marker := range markers {
		head := note.Head(marker.Text)
		withHead[head] = append(withHead[head], m)
		lines[m] = note.UnifyLineEnds(marker.Text)
	}
	folds := false
	for t, trace := range traces {
		found[t], folds = -1, folds || trace.Folds
		text := note.UnifyLineEnds(trace.Text)
		for _, m := range withHead[note.Head(text)] {
			rest, ok := strings.CutPrefix(lines[m], text)
			if ok && (rest == "" || first && rest[0] == '\n') {
				fits = append(fits, fitOf(t, m, above(markers[m], rest), trace))
			}
		}
	}
	taken := make([]bool, len(markers))
	takeBest(fits, found, taken)
	if folds {
		takeBest(fitFolded(markers, traces, found, taken, lines, first), found, taken)
	}
	return found
}

// takeBest gives each trace the marker that fits best, and no marker twice.
func takeBest(fits []fit, found []int, taken []bool) {
	slices.SortStableFunc(fits, func(a, b fit) int {
		return cmp.Or(b.likeness-a.likeness, a.away-b.away)
	})
	for _, f := range fits {
		if found[f.trace] < 0 && !taken[f.marker] {
			found[f.trace], taken[f.marker] = f.marker, true
		}
	}
}

// alike are traces, and the markers that differ from them in white space, with what they have below.
type alike struct {
	traces, markers []int
	rests           []string
	folded          []note.Trace // with folded neighbours
}

// fitFolded returns the fits, white space apart, of the traces and markers that are left.
func fitFolded(markers []note.Marker, traces []note.Trace, found []int, taken []bool, lines []string, first bool) (fits []fit) {
	type key struct {
		text        string
		least, most int // lists
	}
	classes, order := make(map[key]*alike), []*alike{}
	var withHead map[string][]int
	wanted := make(map[int]int) // markers by how many classes want them
	for t, trace := range traces {
		if found[t] >= 0 || !trace.Folds {
			continue
		}
		if withHead == nil {
			withHead = make(map[string][]int)
			for m := range markers {
				if head := note.FoldHead(lines[m]); !taken[m] {
					withHead[head] = append(withHead[head], m)
				}
			}
		}
		k := key{text: note.Fold(trace.Text)}
		k.least, k.most = note.CountLists(note.Head(trace.Text))
		c := classes[k]
		if c == nil {
			c = new(alike)
			classes[k], order = c, append(order, c)
			for _, m := range withHead[note.FoldHead(trace.Text)] {
				rest, ok := note.CutFolded(lines[m], k.text, note.CountLines(trace.Text))
				if ok && (rest == "" || first) && k.least <= markers[m].Lists && markers[m].Lists <= k.most {
					c.markers, c.rests = append(c.markers, m), append(c.rests, rest)
					wanted[m]++
				}
			}
		}
		c.traces = append(c.traces, t)
	}
	for _, c := range order {
		if len(c.markers) != len(c.traces) || slices.ContainsFunc(c.markers, func(m int) bool { return wanted[m] > 1 }) {
			continue
		}
		for i, m := range c.markers {
			marker := above(markers[m], c.rests[i])
			marker.Before, marker.After = note.FoldNeighbour(marker.Before), note.FoldNeighbour(marker.After)
			for n, t := range c.traces {
				if i == 0 {
					c.folded = append(c.folded, traces[t])
					c.folded[n].Before, c.folded[n].After = note.FoldNeighbour(traces[t].Before), note.FoldNeighbour(traces[t].After)
				}
				fits = append(fits, fitOf(t, m, marker, c.folded[n]))
			}
		}
	}
	return fits
}

// fit is a marker that may be a trace's, how alike its surroundings are and how
// many lines it is away.
type fit struct{ trace, marker, likeness, away int }

// above is a marker without the lines that a trace did not have, which are below it then.
func above(m note.Marker, rest string) note.Marker {
	if rest != "" {
		m.After = note.Neighbour([]byte(note.Head(rest[1:])))
	}
	return m
}

func fitOf(t, m int, marker note.Marker, trace note.Trace) fit {
	return fit{t, m, compareSurroundings(marker, trace), max(marker.Line-trace.Line, trace.Line-marker.Line)}
}

// compareSurroundings says how much of its surroundings a line has kept. A neighbour weighs
// most; the edge of the note, and the ordinal say
// little, because that shifts with every line that is written.
func compareSurroundings(m note.Marker, t note.Trace) int {
	n := scoreNeighbour(m.Before, t.Before) + scoreNeighbour(m.After, t.After)
	if m.Ordinal == t.Ordinal {
		n++
	}
	return n
}

func scoreNeighbour(now, then string) int {
	switch {
	case now != then:
		return 0
	case now == "":
		return 1
	}
	return 4
}
