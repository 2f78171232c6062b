package report

import (
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

// lines are the rows, each with its line end; two spaces part their columns.
func (t table) lines() (lines []string) {
	var widths []int
	for _, row := range t {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
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
