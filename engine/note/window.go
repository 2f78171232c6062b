package note

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// Window is the context of one request: the lines of the note around its marker.
type Window struct {
	Request int    // position in the group, from 1
	See     int    // the request whose Text holds this one's lines too, from 1; 0 = own
	Text    string // lines joined by LF, valid UTF-8; empty when See is set
}

// Windows cuts the context of every marker of a group: up to before lines above
// it and after lines below. What the group's own markers ask is shown as [Request i];
// what answers of other groups will replace, and response blocks, are left out. Windows that touch or
// overlap are one, printed under the first request, so that no line of the note
// appears twice. doc is src's own.
func Windows(src []byte, doc Doc, g Group, before, after int) []Window {
	before, after = max(before, 0), max(after, 0)
	c := cutter{text: newText(src), own: make(map[int]int), left: make(map[int]bool)}
	for _, m := range doc.Markers {
		for line := m.Line; line <= m.Ends && m.Key() != g.Key; line++ {
			c.left[line-1] = true
		}
	}
	for i, m := range g.Markers {
		c.own[m.Line-1] = i + 1
		for line := m.Line; line < m.Asked; line++ {
			c.left[line] = true
		}
	}
	var windows []Window
	for i := 0; i < len(g.Markers); {
		first, last := max(0, g.Markers[i].Line-1-before), g.Markers[i].Ends-1+after
		windows = append(windows, Window{Request: i + 1})
		w := len(windows) - 1
		for i++; i < len(g.Markers) && g.Markers[i].Line-1-before <= last+1; i++ {
			last = g.Markers[i].Ends - 1 + after
			windows = append(windows, Window{Request: i + 1, See: w + 1})
		}
		windows[w].Text = c.cutLines(first, last, doc.Blocks)
	}
	return windows
}

// request is the text of a window in place of a marker.
var request = regexp.MustCompile(`\[Request [0-9]+\]`)

// Surroundings returns the text of a window without the places of its markers.
func Surroundings(window string) string { return request.ReplaceAllString(window, "") }

type cutter struct {
	text text
	own  map[int]int  // request by line, from 0
	left map[int]bool // lines that are left out
}

// cutLines is the text of the lines from first to last.
func (c cutter) cutLines(first, last int, blocks []Span) string {
	var out []string
	for i := first; i <= last && i < c.text.count(); i++ {
		span := c.text.span(i)
		for len(blocks) > 0 && blocks[0].End < span.Start {
			blocks = blocks[1:]
		}
		switch {
		case c.own[i] > 0:
			out = append(out, fmt.Sprintf("[Request %d]", c.own[i]))
		case c.left[i] || len(blocks) > 0 && blocks[0].Start <= span.Start:
		default:
			line := bytes.ReplaceAll(c.text.line(i), []byte("\r"), nil)
			out = append(out, strings.ToValidUTF8(string(line), "\uFFFD"))
		}
	}
	return strings.Join(out, "\n")
}
