package find

import (
	"cmp"
	"container/heap"
	"slices"

	"vaultdispatcher/engine/note"
)

// class is traces of one text and the markers that say it: any of them may belong together.
type class struct{ traces, markers []side }

// side is a trace or a marker of a class, by its number, with what is around it there.
type side struct {
	offset, line, ordinal int
	upper, lower          string
}

func (c *class) addMarker(at int, m note.Marker) {
	c.markers = append(c.markers, side{at, m.Line, m.Ordinal, m.Upper, m.Lower})
}

func (c *class) addTrace(at int, t note.Trace) {
	c.traces = append(c.traces, side{at, t.Line, t.Ordinal, t.Upper, t.Lower})
}

// neighbour is what is asked of the lines on one side of a trace and a marker.
type neighbour uint8

const (
	anyLine  neighbour = iota
	noteEdge           // both have none there
	sameLine
)

// likeness is one way in which the surroundings of a trace and a marker are alike.
type likeness struct {
	upper, lower neighbour
	ordinal      bool // they are equal
}

// levels are the ways of being alike, the most alike first. Those of one row weigh the same: a line weighs 4; the edge of
// the note and the ordinal 1 each, because these shift with every line that is written. What is alike in a way of an
// earlier row is given away when its row comes, as far as both sides are left; so a row need not ask for what is different.
var levels = [][]likeness{
	{{sameLine, sameLine, true}},
	{{sameLine, sameLine, false}},
	{{sameLine, noteEdge, true}, {noteEdge, sameLine, true}},
	{{sameLine, noteEdge, false}, {noteEdge, sameLine, false}, {sameLine, anyLine, true}, {anyLine, sameLine, true}},
	{{sameLine, anyLine, false}, {anyLine, sameLine, false}},
	{{noteEdge, noteEdge, true}},
	{{noteEdge, noteEdge, false}, {noteEdge, anyLine, true}, {anyLine, noteEdge, true}},
	{{noteEdge, anyLine, false}, {anyLine, noteEdge, false}, {anyLine, anyLine, true}},
	{{anyLine, anyLine, false}},
}

// takeBest gives each trace of the classes the marker that is most alike, then the nearest, then the first one; no marker
// twice. It costs by the number of traces and markers, however many are equal.
func (m *matching) takeBest(classes []*class) {
	classes = m.takeSingles(classes)
	for _, ways := range levels {
		classes = slices.DeleteFunc(classes, m.isEmpty)
		if len(classes) == 0 {
			return
		}
		p := pairs{matching: m}
		for _, like := range ways {
			for _, c := range classes {
				for _, g := range m.groupBy(c, like) {
					p.addGroup(g)
				}
			}
		}
		p.takeNearest()
	}
}

// takeSingles gives away what has no choice, and returns the other classes. Most questions of a note are unlike each other.
func (m *matching) takeSingles(classes []*class) []*class {
	wanted := make(map[int]int)
	for _, c := range classes {
		for _, s := range c.markers {
			wanted[s.offset]++
		}
	}
	return slices.DeleteFunc(classes, func(c *class) bool {
		if len(c.traces) != 1 || len(c.markers) != 1 || wanted[c.markers[0].offset] > 1 {
			return false
		}
		m.matches[c.traces[0].offset], m.claimed[c.markers[0].offset] = c.markers[0].offset, true
		return true
	})
}

// isEmpty forgets what was given away of a class, and reports whether nothing is left to give.
func (m *matching) isEmpty(c *class) bool {
	c.traces = slices.DeleteFunc(c.traces, func(s side) bool { return m.matches[s.offset] >= 0 })
	c.markers = slices.DeleteFunc(c.markers, func(s side) bool { return m.claimed[s.offset] })
	return len(c.traces) == 0 || len(c.markers) == 0
}

// groupKey is what the traces and markers of a group have in common.
type groupKey struct {
	upper, lower string
	ordinal      int
}

// groupBy returns the traces and markers of a class that are alike in one way.
func (m *matching) groupBy(c *class, like likeness) (groups []*group) {
	byKey := make(map[groupKey]*group)
	m.compared += len(c.traces) + len(c.markers)
	for _, s := range c.traces {
		if key, fits := like.keyOf(s); fits {
			if byKey[key] == nil {
				byKey[key] = new(group)
				groups = append(groups, byKey[key])
			}
			byKey[key].sides = append(byKey[key].sides, place{s, true})
		}
	}
	for _, s := range c.markers {
		if key, fits := like.keyOf(s); fits && byKey[key] != nil {
			byKey[key].sides = append(byKey[key].sides, place{s, false})
		}
	}
	return groups
}

// keyOf returns what a side must have in common with another one to be alike; fits is false where it is alike with none.
func (like likeness) keyOf(s side) (key groupKey, fits bool) {
	if like.upper != anyLine && (like.upper == noteEdge) != (s.upper == "") || like.lower != anyLine && (like.lower == noteEdge) != (s.lower == "") {
		return key, false
	}
	if like.upper == sameLine {
		key.upper = s.upper
	}
	if like.lower == sameLine {
		key.lower = s.lower
	}
	if like.ordinal {
		key.ordinal = s.ordinal
	}
	return key, true
}

// group is a set of traces and markers, in the order of their lines. Each trace may match each marker.
type group struct {
	sides []place
	lines []*lineOf
}

type place struct {
	side
	isTrace bool
}

// lineOf is one line of a group and what is left there, by number.
type lineOf struct {
	line            int
	traces, markers []int
	prev, next      *lineOf
	removed         bool
}

// pair is the first trace and the first marker of two lines that are neighbours in their group, or of one.
type pair struct {
	distance, trace, marker int
	ofTrace, ofMarker       *lineOf
}

// pairs takes the nearest pair of any group until no pair is left. In a group the nearest pair is always a pair of
// neighbours: a trace or a marker between them would be nearer to one of the two.
type pairs struct {
	*matching
	queue []pair
}

func (p *pairs) addGroup(g *group) {
	slices.SortStableFunc(g.sides, func(a, b place) int {
		p.compared++
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.offset, b.offset))
	})
	var last *lineOf
	for _, s := range g.sides {
		if last == nil || last.line != s.line {
			next := &lineOf{line: s.line, prev: last}
			if last != nil {
				last.next = next
			}
			last, g.lines = next, append(g.lines, next)
		}
		if s.isTrace {
			last.traces = append(last.traces, s.offset)
		} else {
			last.markers = append(last.markers, s.offset)
		}
	}
	for _, l := range g.lines {
		p.addPair(l, l)
		if l.next != nil {
			p.addPair(l, l.next)
			p.addPair(l.next, l)
		}
	}
}

// addPair adds the first pair of two lines, if there is one.
func (p *pairs) addPair(ofTrace, ofMarker *lineOf) {
	if len(ofTrace.traces) > 0 && len(ofMarker.markers) > 0 {
		away := max(ofTrace.line-ofMarker.line, ofMarker.line-ofTrace.line)
		heap.Push(p, pair{away, ofTrace.traces[0], ofMarker.markers[0], ofTrace, ofMarker})
	}
}

func (p *pairs) takeNearest() {
	for len(p.queue) > 0 {
		best := heap.Pop(p).(pair)
		a, b := best.ofTrace, best.ofMarker
		if a.removed || b.removed || a != b && a.next != b && b.next != a {
			continue
		}
		if p.matches[best.trace] < 0 && !p.claimed[best.marker] {
			p.matches[best.trace], p.claimed[best.marker] = best.marker, true
		}
		p.dropTaken(a)
		p.dropTaken(b)
		if !a.removed && !b.removed {
			p.addPair(a, b)
		}
	}
}

// dropTaken forgets what was given away of a line. Where nothing is left its neighbours are each other's.
func (p *pairs) dropTaken(l *lineOf) {
	for len(l.traces) > 0 && p.matches[l.traces[0]] >= 0 {
		l.traces = l.traces[1:]
	}
	for len(l.markers) > 0 && p.claimed[l.markers[0]] {
		l.markers = l.markers[1:]
	}
	if l.removed || len(l.traces)+len(l.markers) > 0 {
		return
	}
	l.removed = true
	if l.prev != nil {
		l.prev.next = l.next
	}
	if l.next != nil {
		l.next.prev = l.prev
	}
	if l.prev != nil && l.next != nil {
		p.addPair(l.prev, l.next)
		p.addPair(l.next, l.prev)
	}
}

func (p *pairs) Len() int { return len(p.queue) }

func (p *pairs) Less(i, j int) bool {
	p.compared++
	a, b := p.queue[i], p.queue[j]
	return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.trace, b.trace), cmp.Compare(a.marker, b.marker)) < 0
}

func (p *pairs) Swap(i, j int) { p.queue[i], p.queue[j] = p.queue[j], p.queue[i] }

// Push is for [heap.Push].
func (p *pairs) Push(x any) { p.queue = append(p.queue, x.(pair)) }

// Pop is for [heap.Pop].
func (p *pairs) Pop() any {
	last := p.queue[len(p.queue)-1]
	p.queue = p.queue[:len(p.queue)-1]
	return last
}
