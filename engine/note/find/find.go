// Package find is pure text. In a changed note it finds again the markers of questions, by their remembered traces
// ([note.Trace]), and whole lines.
package find

import (
	"slices"

	"vaultdispatcher/engine/note"
)

// Match returns the index of each trace's marker, or -1 without one. It gives no marker to two traces.
//
// The lines must be equal to the byte, except for line ends. Other traces that fold then match markers that differ in
// white space and are in as many quotes and lists; if their number differs from that of the traces, none matches.
// Among equal markers the neighbours decide, then the ordinal, then the distance. So a trace must be matched together
// with all others of its note, or it may get the line of another one.
func Match(markers []note.Marker, traces []note.Trace) []int { return match(markers, traces, false) }

// MatchFirst is Match, but a trace may also be the first lines of a marker whose form takes in further lines: a
// person's own words below the question. [ParseAs] then leaves these out of the marker.
func MatchFirst(markers []note.Marker, traces []note.Trace) []int {
	return match(markers, traces, true)
}

// ParseAs matches the markers of a note as MatchFirst does. A matched marker gets as many lines as its trace.
func ParseAs(page *note.Page, traces []note.Trace) note.Doc {
	doc := page.Doc()
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
	return page.Cut(func(m note.Marker) int {
		if n := own[m.Line]; n > 0 {
			return n
		}
		return m.Ends
	})
}

func match(markers []note.Marker, traces []note.Trace, first bool) []int {
	return new(matching).match(markers, traces, first)
}

// matching is what was found until now.
type matching struct {
	matches  []int  // the marker of each trace, or -1
	claimed  []bool // the markers that a trace has
	compared int    // how often lines, or what is around them, were compared; a test holds how it grows
}

func (m *matching) match(markers []note.Marker, traces []note.Trace, first bool) []int {
	m.matches, m.claimed = make([]int, len(traces)), make([]bool, len(markers))
	classes, folds := m.classesOf(traces)
	lines := make([]string, len(markers))
	for i, marker := range markers {
		lines[i] = note.UnifyLineEnds(marker.Text)
		m.compared += classes.addMarker(i, marker, lines[i], first)
	}
	m.takeBest(classes.list)
	if folds {
		m.takeBest(m.foldedClasses(markers, traces, lines, first))
	}
	return m.matches
}

// byText are classes by the text of their traces.
type byText struct {
	list    []*class
	byText  map[string]*class
	lengths map[string]map[int]bool // of the texts, by their first line
}

// classesOf groups traces by their text, and says that none has a marker yet.
func (m *matching) classesOf(traces []note.Trace) (c byText, folds bool) {
	m.compared += len(traces)
	c = byText{byText: make(map[string]*class), lengths: make(map[string]map[int]bool)}
	for t, trace := range traces {
		m.matches[t], folds = -1, folds || trace.Folds
		text := note.UnifyLineEnds(trace.Text)
		if c.byText[text] == nil {
			c.byText[text] = new(class)
			c.list = append(c.list, c.byText[text])
			head := note.Head(text)
			if c.lengths[head] == nil {
				c.lengths[head] = make(map[int]bool)
			}
			c.lengths[head][len(text)] = true
		}
		c.byText[text].addTrace(t, trace)
	}
	return c, folds
}

// addMarker adds a marker to the class of its text. If first is set, it also adds it to the classes of its first
// lines. It returns the number of texts it compared with the marker.
func (c *byText) addMarker(m int, marker note.Marker, text string, first bool) (compared int) {
	lengths := c.lengths[note.Head(text)]
	compared = 1
	if lengths[len(text)] && c.byText[text] != nil {
		c.byText[text].addMarker(m, marker)
	}
	if !first || len(lengths) == 0 {
		return compared
	}
	for i := range text {
		if text[i] == '\n' && lengths[i] {
			if compared++; c.byText[text[:i]] != nil {
				c.byText[text[:i]].addMarker(m, above(marker, text[i:]))
			}
		}
	}
	return compared
}

// foldedKey is what traces and markers have in common that differ in white space.
type foldedKey struct {
	text     string
	min, max int // lists
}

// foldedClasses returns, white space apart, the classes of the traces and markers that are left.
func (m *matching) foldedClasses(markers []note.Marker, traces []note.Trace, lines []string, first bool) []*class {
	byKey, wanted := make(map[foldedKey]*class), make(map[int]int) // markers by how many classes want them
	left := m.newFolded(lines)
	var order []*class
	for t, trace := range traces {
		if m.matches[t] >= 0 || !trace.Folds {
			continue
		}
		k := foldedKey{text: note.Fold(trace.Text)}
		k.min, k.max = CountLists(note.Head(trace.Text))
		c := byKey[k]
		if c == nil {
			c = new(class)
			byKey[k], order = c, append(order, c)
			for _, cut := range left.find(note.FoldHead(trace.Text), k.text, note.CountLines(trace.Text)) {
				m.compared++
				if marker := markers[cut.marker]; (cut.rest == "" || first) && k.min <= marker.Lists && marker.Lists <= k.max {
					marker = above(marker, cut.rest)
					marker.Upper, marker.Lower = FoldNeighbour(marker.Upper), FoldNeighbour(marker.Lower)
					c.addMarker(cut.marker, marker)
					wanted[cut.marker]++
				}
			}
		}
		trace.Upper, trace.Lower = FoldNeighbour(trace.Upper), FoldNeighbour(trace.Lower)
		c.addTrace(t, trace)
	}
	return slices.DeleteFunc(order, func(c *class) bool {
		return len(c.markers) != len(c.traces) || slices.ContainsFunc(c.markers, func(s side) bool { return wanted[s.offset] > 1 })
	})
}

// folded finds the markers that are left by their first lines, folded.
type folded struct {
	*matching
	lines  []string
	byHead map[string][]int
	byText map[foldedText][]cut
}

type foldedText struct {
	head  string
	count int
	text  string
}

// cut is a marker and what it has below its first lines.
type cut struct {
	marker int
	rest   string
}

func (m *matching) newFolded(lines []string) *folded {
	f := &folded{matching: m, lines: lines, byHead: make(map[string][]int), byText: make(map[foldedText][]cut)}
	for i := range lines {
		if !m.claimed[i] {
			head := note.FoldHead(lines[i])
			f.byHead[head] = append(f.byHead[head], i)
		}
	}
	return f
}

// find returns the markers with this first line, folded, whose first count lines are this text, folded.
func (f *folded) find(head, text string, count int) []cut {
	asked := foldedText{head: head, count: count}
	if f.byText[asked] == nil { // these are not cut yet; no text is empty
		f.byText[asked] = []cut{}
		f.compared += len(f.byHead[head])
		for _, m := range f.byHead[head] {
			if first, rest, ok := CutLines(f.lines[m], count); ok {
				key := foldedText{head, count, note.Fold(first)}
				f.byText[key] = append(f.byText[key], cut{m, rest})
			}
		}
	}
	return f.byText[foldedText{head, count, text}]
}

// above is a marker without the lines that a trace did not have, which are below it then.
func above(m note.Marker, rest string) note.Marker {
	if rest != "" {
		m.Lower = note.Neighbour([]byte(note.Head(rest[1:])))
	}
	return m
}
