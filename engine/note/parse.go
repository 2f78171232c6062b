package note

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/parser"
)

// MarkerStart is what every marker holds, spelled exactly so.
const MarkerStart = "@agent-"

var needle = []byte(MarkerStart)

// Doc is what was found in a note. For a note without "@agent-" it is empty
// in every field, since such a note is not looked at any further.
type Doc struct {
	Markers  []Marker   // from top to bottom
	Misses   []NearMiss // from top to bottom
	Disabled bool       // the properties say wiki: off; there are no markers then
	Switch   int        // line of a property wiki that says neither on nor off, from 1; 0 = none
	Drawing  bool       // the properties say that the note is one of the plugin Excalidraw
	Conflict int        // line where an unresolved merge conflict begins, from 1; 0 = none
	Unclosed int        // line of a response block without an end, from 1; 0 = none
	Blocks   []Span     // response blocks: whole lines with both comments, without the last line end
	Fault    any        // the panic that ended the reading; nil = no fault
}

// Parse is [Page.Doc] for a note that nothing else is asked about.
func Parse(src []byte) Doc { return NewPage(src).Doc() }

// reading is a note while it is being read.
type reading struct {
	text   text
	doc    Doc
	lay    layout // empty if the structure could not be read, and then
	unread Reason // why
	front  int    // where the front matter ends
	marks  []region
	blocks []region // doc.Blocks as regions
}

// readNote reads a note. A fault in it must not end a process that watches over notes for
// years: the note is one that cannot be read then.
func readNote(p parser.Parser, t text) (n *reading) {
	defer func() {
		if fault := recover(); fault != nil {
			n = unread(t, fault)
		}
	}()
	n = &reading{text: t}
	front := frontMatter(n.text)
	n.doc.readHead(n.text, front)
	if front > 0 {
		n.front = n.text.nextStart(front - 1)
	}
	if n.lay, n.unread = readStructure(p, n.text, front); n.unread == "" {
		n.doc.Blocks, n.doc.Unclosed = findResponses(n.text, n.lay.solid)
		n.doc.Conflict = findConflict(n.text, n.lay.solid)
		n.marks = findAppSyntax(n.text, max(n.front, n.text.textStart()), n.lay.solid, n.doc.Blocks)
		for _, b := range n.doc.Blocks {
			n.blocks = append(n.blocks, region{b, ResponseBlock})
		}
	}
	n.collectMarkers()
	n.finishMarkers()
	return n
}

// unread is a note that cannot be read because of a fault.
func unread(t text, fault any) *reading {
	n := &reading{text: t, unread: Unreadable, doc: Doc{Fault: fault}}
	n.collectMarkers()
	return n
}

// finishMarkers says of each marker, by the lines it has, what stays of them, what is beside it and where its answer is put.
func (n *reading) finishMarkers() {
	if len(n.doc.Markers) > 0 {
		n.keepRest()
		n.recordNeighbours()
		n.lay.setPrefixes(n.doc.Markers)
	}
}

// collectMarkers looks at every line with "@agent-" in it and sorts it into the document.
func (n *reading) collectMarkers() {
	ordinals := make(map[string]int)
	for from := 0; ; {
		i := bytes.Index(n.text.src[from:], needle)
		if i < 0 {
			return
		}
		at := from + i
		number := n.text.lineAt(at)
		span := n.text.span(number)
		from = n.text.nextStart(number)
		m, why, ok := n.readLine(span, at)
		text := string(n.text.src[span.Start:span.End])
		switch {
		case why == "" && ok:
			m.Line, m.Ends, m.Span = number+1, number+1, span
			m.Ordinal = ordinals[text]
			ordinals[text]++
			n.extendSpan(&m, at, mostReplaced)
			n.doc.Markers = append(n.doc.Markers, m)
		case ok:
			n.doc.Misses = append(n.doc.Misses, NearMiss{number + 1, text, why})
		}
	}
}

// readLine reads the line whose first "@agent-" is at offset at. It returns a marker, or the reason against one; ok
// is false for a line that needs no report.
func (n *reading) readLine(span Span, at int) (m Marker, why Reason, ok bool) {
	if _, standing := n.lay.stand[at]; !standing {
		why, ok = n.explainMiss(span, at)
		return m, why, ok
	}
	if why, ok := n.findHidingRegion(at); ok {
		return m, why, true
	}
	m, why = parseMarker(n.requestAt(Span{at + len(needle), span.End}))
	switch {
	case why != "":
	case n.doc.Disabled:
		why = Off
	case FirstMarkBeyond(n.text.src[span.Start:span.End], askMarks, askColumn) >= 0:
		why = TooDeep
	}
	return m, why, true
}

// requestAt is what follows "@agent-" on a line, without the comments behind the role.
func (n *reading) requestAt(part Span) []byte {
	b := n.text.src[part.Start:part.End]
	i := bytes.IndexFunc(b, unicode.IsSpace)
	if i < 0 {
		return b
	}
	i++ // keep the space that ends the role
	return append(b[:i:i], n.withoutComments(Span{part.Start + i, part.End})...)
}

// findHidingRegion is the region that keeps a request at offset at from being a marker.
func (n *reading) findHidingRegion(at int) (Reason, bool) {
	if at < n.front {
		return FrontMatter, true
	}
	if n.unread != "" {
		return n.unread, true
	}
	return n.regionAt(at)
}

func (n *reading) regionAt(at int) (Reason, bool) {
	for _, list := range [][]region{n.blocks, n.lay.solid, n.marks} {
		if why, ok := findRegion(list, at); ok {
			return why, true
		}
	}
	return "", false
}

// parseMarker reads what follows "@agent-" up to the end of the line.
func parseMarker(b []byte) (m Marker, why Reason) {
	var length int
	if m.Role, length = readRole(b); length == 0 {
		return m, BadRole
	}
	b = b[length:]
	if len(b) > 0 && b[0] == ':' {
		if m.TaskID, length = readName(b[1:], "._-"); length == 0 {
			return m, Colon
		}
		b = b[1+length:]
	}
	b, m.Approve = bytes.CutPrefix(b, []byte("!"))
	if space, _ := utf8.DecodeRune(b); len(b) > 0 && space != '\t' && !unicode.Is(unicode.Zs, space) {
		return m, NoSpace
	}
	m.Instruction = strings.TrimSpace(strings.ToValidUTF8(string(b), "\uFFFD"))
	switch {
	case m.Instruction == "":
		why = Empty
	case isConfusable(m.Role), isConfusable(m.TaskID):
		why = Confusable
	}
	return m, why
}

// AsksApproval reports whether the first line of a marker's text has the ! by which its answer waits for a person's yes.
func AsksApproval(text string) bool {
	_, request, _ := strings.Cut(Head(text), string(needle))
	m, _ := parseMarker([]byte(request))
	return m.Approve
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// recordNeighbours records the neighbours by which a marker is found again.
func (n *reading) recordNeighbours() {
	for i := range n.doc.Markers {
		m := &n.doc.Markers[i]
		for above := m.Line - 2; above >= 0; above-- {
			if line := n.text.line(above); !IsMute(line) {
				m.Upper = Neighbour(line)
				break
			}
		}
		for below := m.Ends; below < n.text.count(); below++ {
			if line := n.text.line(below); !IsMute(line) {
				m.Lower = Neighbour(line)
				break
			}
		}
	}
}
