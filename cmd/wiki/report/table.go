package report

import (
	"io"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"vaultdispatcher/cmd/wiki/printable"
)

// table lines its columns up by the cells that a terminal gives their characters: two to one of East Asia and to an emoji
// (https://www.unicode.org/reports/tr11/), where text/tabwriter counts one.
type table [][]string

func (t *table) add(cells ...string) {
	for i, cell := range cells {
		cells[i] = printable.Sprintf("%s", cell)
	}
	*t = append(*t, cells)
}

// widths are the cells that each column needs.
func (t table) widths() (widths []int) {
	for _, row := range t {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	return widths
}

// leastRoom is how many cells a column keeps on the narrowest terminal.
const leastRoom = 8

// cutter is a column that gives way where a terminal is too narrow, and how its text is cut to so many characters.
type cutter struct {
	column int
	cut    func(text string, n int) string
}

// fit cuts columns so that the rows have at most so many cells; 0 = as many as they need. A second column gets two fifths of
// the room, or what the first does not need.
func (t table) fit(columns int, cutters ...cutter) {
	widths := t.widths()
	if columns == 0 || len(widths) == 0 {
		return
	}
	room := columns - 2*(len(widths)-1)
	for i, width := range widths {
		if !slices.ContainsFunc(cutters, func(c cutter) bool { return c.column == i }) {
			room -= width
		}
	}
	room = max(room, leastRoom*len(cutters))
	for _, c := range slices.Backward(cutters) {
		part := room
		if first := cutters[0].column; c.column != first {
			part = min(widths[c.column], max(room*2/5, room-widths[first]))
		}
		room -= part
		for _, row := range t {
			row[c.column] = cutCells(row[c.column], part, c.cut)
		}
	}
}

// cutCells cuts a text to so many cells, of which a character may take two.
func cutCells(text string, cells int, cut func(text string, n int) string) string {
	short := text
	for n := cells; lipgloss.Width(short) > cells && n > 0; n-- {
		short = cut(text, n)
	}
	return short
}

// lines are the rows, each with its line end; two spaces part their columns.
func (t table) lines() (lines []string) {
	widths := t.widths()
	for _, row := range t {
		line := ""
		for i, cell := range row {
			if i > 0 {
				line += "  "
			}
			if line += cell; i+1 < len(row) {
				line += strings.Repeat(" ", widths[i]-lipgloss.Width(cell))
			}
		}
		lines = append(lines, line+"\n")
	}
	return lines
}

// printBehind prints a text behind a label. On a terminal a long one is broken between words, and continued below its beginning.
func printBehind(w io.Writer, label, format string, args ...any) {
	text := printable.Sprintf(format, args...)
	if columns := printable.Columns(w); columns > 0 {
		text = lipgloss.Wrap(text, max(20, columns-len(label)), "")
	}
	for line := range strings.SplitSeq(text, "\n") {
		printable.Fprintf(w, "%s%s\n", label, line)
		label = strings.Repeat(" ", len(label))
	}
}
