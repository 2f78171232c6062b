package note

import (
	"cmp"
	"slices"
)

// Trace is the memory of a marker: enough to find its line again in a
// note that has changed since.
type Trace struct {
	Text          string // the exact line
	Before, After string // its nearest non-blank neighbours
	Ordinal, Line int
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
	return m.Before != "" && m.Before == t.Before || m.After != "" && m.After == t.After
}

// Match finds each trace's marker and returns its index, or -1 where there is
// none. No marker is given twice.
//
// The line must be the same to the byte. Among equal lines the neighbours decide,
// then the ordinal, then the distance; so a trace must be matched together
// with all others of its note, or it may be given a line that is another's.
func Match(markers []Marker, traces []Trace) []int {
	found := make([]int, len(traces))
	var fits []fit
	withText := make(map[string][]int) // markers by their line
	for m, marker := range markers {
		withText[marker.Text] = append(withText[marker.Text], m)
	}
	for t, trace := range traces {
		found[t] = -1
		for _, m := range withText[trace.Text] {
			marker := markers[m]
			fits = append(fits, fit{t, m, compareSurroundings(marker, trace), max(marker.Line-trace.Line, trace.Line-marker.Line)})
		}
	}
	slices.SortStableFunc(fits, func(a, b fit) int {
		return cmp.Or(b.likeness-a.likeness, a.away-b.away)
	})
	taken := make([]bool, len(markers))
	for _, f := range fits {
		if found[f.trace] < 0 && !taken[f.marker] {
			found[f.trace], taken[f.marker] = f.marker, true
		}
	}
	return found
}

// fit is a marker that may be a trace's, how alike its surroundings are and how
// many lines it is away.
type fit struct{ trace, marker, likeness, away int }

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
