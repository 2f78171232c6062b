// Package window is pure text: it cuts the context of requests out of a note, as text for a model. [Cut] is all
// that most callers need.
package window

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// Frame says how much of a note a window shows.
type Frame struct {
	LinesAbove, LinesBelow int         // lines above a marker and below it
	Bytes                  int         // of one window; 0 = no bound
	Hidden                 []note.Span // comments, which are left out: sorted, and none overlaps another
}

// Cut cuts the context of every marker of a group. The group's own questions are shown as [Request i]. Response
// blocks, and lines that answers of other groups will replace, are left out. Windows that touch or overlap become
// one, under the first request, so that no line of the note appears twice. doc is src's own.
//
// A window is text for a model: remarks replace hidden text and long data (plain.go). A window that is too long loses
// the lines furthest from its requests.
func Cut(src []byte, doc note.Doc, g note.Group, f Frame) []note.Window {
	before, after := max(f.LinesAbove, 0), max(f.LinesBelow, 0)
	c := cutter{src: src, lines: note.LineSpans(src), requests: make(map[int]int), omitted: make(map[int]bool), frame: f}
	for _, m := range doc.Markers {
		for line := m.Line; line <= m.Ends && m.Key() != g.Key; line++ {
			c.omitted[line-1] = true
		}
	}
	for i, m := range g.Markers {
		c.requests[m.Line-1] = i + 1
		for line := m.Line; line < m.Asked; line++ {
			c.omitted[line] = true
		}
	}
	var windows []note.Window
	for i := 0; i < len(g.Markers); {
		first, last := max(0, g.Markers[i].Line-1-before), g.Markers[i].Ends-1+after
		windows = append(windows, note.Window{Request: i + 1})
		w := len(windows) - 1
		for i++; i < len(g.Markers) && g.Markers[i].Line-1-before <= last+1; i++ {
			last = g.Markers[i].Ends - 1 + after
			windows = append(windows, note.Window{Request: i + 1, See: w + 1})
		}
		windows[w].Text = c.cutLines(first, last, doc.Blocks)
	}
	return windows
}

// said is what a window has in a place of something: a request, or what was left out.
var said = lazyregexp.New(`\[Request [0-9]+\]|\[left out: [^\]\n]*\]`)

// Surroundings returns the text of a window without the places of its markers, and of what was left out.
func Surroundings(window string) string { return said().ReplaceAllString(window, "") }

// leftOut returns the remark in place of omitted text.
func leftOut(format string, args ...any) string {
	return "[left out: " + fmt.Sprintf(format, args...) + "]"
}

type cutter struct {
	src      []byte
	lines    []note.Span
	requests map[int]int  // request by line, from 0
	omitted  map[int]bool // lines that are left out
	frame    Frame
}

// row is a line of a window.
type row struct {
	text    string
	request bool // a request
}

// cutLines is the text of the lines from first to last.
func (c cutter) cutLines(first, last int, blocks []note.Span) string {
	var rows []row
	hidden := c.frame.Hidden
	told := -1 // where the comment begins that the last remark is about
	for i := first; i <= last && i < len(c.lines); i++ {
		span := c.lines[i]
		for len(blocks) > 0 && blocks[0].End < span.Start {
			blocks = blocks[1:]
		}
		for len(hidden) > 0 && hidden[0].End <= span.Start {
			hidden = hidden[1:]
		}
		switch {
		case c.requests[i] > 0:
			rows = append(rows, row{fmt.Sprintf("[Request %d]", c.requests[i]), true})
		case c.omitted[i] || len(blocks) > 0 && blocks[0].Start <= span.Start:
		default:
			if line, ok := c.showLine(span, hidden, &told); ok {
				rows = append(rows, row{text: line})
			}
		}
	}
	rows = joinData(rows)
	for i, r := range rows {
		if !r.request {
			rows[i].text = plainLine(r.text)
		}
	}
	return fitRows(rows, c.frame.Bytes)
}

// showLine is a line without what is hidden of it, and false where nothing is left of it. Where a comment begins, or
// the window in the middle of one, it says so.
func (c cutter) showLine(line note.Span, hidden []note.Span, told *int) (string, bool) {
	var out strings.Builder
	at := line.Start
	for _, h := range hidden {
		if h.Start >= line.End {
			break
		}
		out.Write(c.src[at:max(at, h.Start)])
		if *told != h.Start {
			*told = h.Start
			out.WriteString(leftOut("a comment"))
		}
		at = min(h.End, line.End)
	}
	cut := at > line.Start
	out.Write(c.src[at:line.End])
	text := strings.ToValidUTF8(strings.ReplaceAll(out.String(), "\r", ""), "\uFFFD")
	return text, !cut || strings.Trim(text, " \t>") != ""
}

// fitRows joins rows to a text of so many bytes at most. The requests stay, and the lines that are nearest to one of
// them; the last one that has room is cut at its far end.
func fitRows(rows []row, bytes int) string {
	size := 0
	for _, r := range rows {
		size += len(r.text) + 1
	}
	if bytes > 0 && size-1 > bytes {
		rows = nearest(rows, bytes)
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = r.text
	}
	return strings.Join(lines, "\n")
}

// leftSize is at least what one remark about lines that are left out needs.
const leftSize = 40

// nearest returns the rows that are nearest to a request, with remarks in place of the others.
func nearest(rows []row, bytes int) []row {
	order := byDistance(rows)
	kept := make([]bool, len(rows))
	free := bytes
	for i, r := range rows {
		if r.request {
			kept[i] = true
			free -= len(r.text) + 1 + 2*leftSize
		}
	}
	for _, next := range order {
		size := len(rows[next.row].text) + 1
		if size > free {
			if free > 2*leftSize {
				rows[next.row].text = cutFarEnd(rows[next.row].text, free-leftSize, next.upper)
				kept[next.row] = true
			}
			break
		}
		free -= size
		kept[next.row] = true
	}
	var out []row
	for i := 0; i < len(rows); i++ {
		if kept[i] {
			out = append(out, rows[i])
			continue
		}
		from := i
		for i+1 < len(rows) && !kept[i+1] {
			i++
		}
		out = append(out, row{text: leftOut("%d lines", i+1-from)})
	}
	return out
}

// distant is a row that is no request, and whether the nearest request is below it.
type distant struct {
	row   int
	upper bool
}

// byDistance returns the rows that are no requests, the nearest to one first.
func byDistance(rows []row) (order []distant) {
	var up, down []int // the rows at work, above and below a request
	seen := make([]bool, len(rows))
	for i, r := range rows {
		if seen[i] = r.request; r.request {
			up, down = append(up, i), append(down, i)
		}
	}
	for len(up)+len(down) > 0 {
		var nextUp, nextDown []int
		for _, i := range up {
			if i--; i >= 0 && !seen[i] {
				seen[i] = true
				order, nextUp = append(order, distant{i, true}), append(nextUp, i)
			}
		}
		for _, i := range down {
			if i++; i < len(rows) && !seen[i] {
				seen[i] = true
				order, nextDown = append(order, distant{i, false}), append(nextDown, i)
			}
		}
		up, down = nextUp, nextDown
	}
	return order
}

// cutFarEnd cuts a line to so many bytes, at its beginning where the request is below it.
func cutFarEnd(line string, bytes int, above bool) string {
	if above {
		from := len(line) - bytes
		for from < len(line) && !utf8.RuneStart(line[from]) {
			from++
		}
		return leftOut("%d bytes", from) + line[from:]
	}
	return cutAt(line, bytes)
}

// cutAt cuts a line to so many bytes and says how many are left out.
func cutAt(line string, bytes int) string {
	for bytes > 0 && !utf8.RuneStart(line[bytes]) {
		bytes--
	}
	return line[:bytes] + leftOut("%d bytes", len(line)-bytes)
}
