package note

import (
	"cmp"
	"slices"
	"strings"
)

// Trace is the memory of a marker: enough to find its lines again in a
// note that has changed since.
type Trace struct {
	Text          string // the exact lines, as [Marker.Text] has them
	Before, After string // their nearest non-blank neighbours
	Ordinal, Line int

	// Folds says that other white space is no other question; else every byte counts.
	Folds bool
}

// Block is an answer as it was put into a note.
type Block struct {
	Text          []byte // its lines, without the last line end
	Before, After []byte // the marker's neighbours when it was replaced
}

// Trace returns what to remember of the marker.
func (m Marker) Trace() Trace {
	return Trace{Text: m.Text, Before: m.Before, After: m.After, Ordinal: m.Ordinal, Line: m.Line}
}

// IsBeside reports whether a marker has a neighbour of the trace. The edges of the
// note are no neighbours.
func (t Trace) IsBeside(m Marker) bool {
	return m.Before != "" && SameLine(m.Before, t.Before) || m.After != "" && SameLine(m.After, t.After)
}

// IsBetween reports whether a marker has both neighbours of the trace.
func (t Trace) IsBetween(m Marker) bool {
	return SameLine(m.Before, t.Before) && SameLine(m.After, t.After)
}

// CountLines is how many lines a marker's text has.
func CountLines(text string) int { return 1 + strings.Count(UnifyLineEnds(text), "\n") }

// Match finds each trace's marker and returns its index, or -1 where there is
// none. No marker is given twice.
//
// The lines must be the same to the byte, line ends apart; what is left of traces that fold
// then has markers that differ in white space, in quotes and lists as deep. Where these are more or fewer than the traces
// none is taken. Among equal ones the neighbours
// decide, then the ordinal, then the distance; so a trace must be matched together
// with all others of its note, or it may be given a line that is another's.
func Match(markers []Marker, traces []Trace) []int { return match(markers, traces, false) }

// MatchFirst is Match where a trace may also be the first lines of a marker that, as
// far as its form tells, goes on: of a question below which a person's own words stand.
// [ParseAs] then leaves these out of it.
func MatchFirst(markers []Marker, traces []Trace) []int { return match(markers, traces, true) }

// ParseAs is [Parse] of a note and MatchFirst of its markers, each of which has as many
// lines as its trace.
func ParseAs(src []byte, traces []Trace) Doc {
	doc := Parse(src)
	own, fewer := make(map[int]int), false
	for t, at := range MatchFirst(doc.Markers, traces) {
		if at >= 0 {
			m := doc.Markers[at]
			own[m.Line] = CountLines(traces[t].Text)
			fewer = fewer || m.Line+own[m.Line]-1 < m.Ends
		}
	}
	if !fewer {
		return doc
	}
	return ParseCut(src, func(m Marker) int {
		if n := own[m.Line]; n > 0 {
			return n
		}
		return m.Ends
	})
}

func match(markers []Marker, traces []Trace, first bool) []int {
	found := make([]int, len(traces))
	var fits []fit
	withHead := make(map[string][]int) // markers by their first line
	lines := make([]string, len(markers))
	for m, marker := range markers {
		head := Head(marker.Text)
		withHead[head] = append(withHead[head], m)
		lines[m] = UnifyLineEnds(marker.Text)
	}
	folds := false
	for t, trace := range traces {
		found[t], folds = -1, folds || trace.Folds
		text := UnifyLineEnds(trace.Text)
		for _, m := range withHead[Head(text)] {
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
	folded          []Trace // with folded neighbours
}

// fitFolded returns the fits, white space apart, of the traces and markers that are left.
func fitFolded(markers []Marker, traces []Trace, found []int, taken []bool, lines []string, first bool) (fits []fit) {
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
				if head := FoldHead(lines[m]); !taken[m] {
					withHead[head] = append(withHead[head], m)
				}
			}
		}
		k := key{text: Fold(trace.Text)}
		k.least, k.most = countLists(Head(trace.Text))
		c := classes[k]
		if c == nil {
			c = new(alike)
			classes[k], order = c, append(order, c)
			for _, m := range withHead[FoldHead(trace.Text)] {
				rest, ok := cutFolded(lines[m], k.text, CountLines(trace.Text))
				if ok && (rest == "" || first) && k.least <= markers[m].lists && markers[m].lists <= k.most {
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
			marker.Before, marker.After = foldNeighbour(marker.Before), foldNeighbour(marker.After)
			for n, t := range c.traces {
				if i == 0 {
					c.folded = append(c.folded, traces[t])
					c.folded[n].Before, c.folded[n].After = foldNeighbour(traces[t].Before), foldNeighbour(traces[t].After)
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
func above(m Marker, rest string) Marker {
	if rest != "" {
		m.After = Neighbour([]byte(Head(rest[1:])))
	}
	return m
}

func fitOf(t, m int, marker Marker, trace Trace) fit {
	return fit{t, m, compareSurroundings(marker, trace), max(marker.Line-trace.Line, trace.Line-marker.Line)}
}

// compareSurroundings says how much of its surroundings a line has kept. A neighbour weighs
// most; the edge of the note, and the ordinal say
// little, because that shifts with every line that is written.
func compareSurroundings(m Marker, t Trace) int {
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
