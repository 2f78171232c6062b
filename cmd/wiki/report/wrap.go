package report

import (
	"io"
	"strings"

	"charm.land/lipgloss/v2"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/lazyregexp"
)

// mark is what a line of markdown begins with: quotes, and then an item of a list.
var mark = lazyregexp.New(`^(?:[ \t]*>)*[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?`)

// WrapText breaks the lines of a markdown text between words, so that they fit on a terminal behind so many columns. The
// further lines of a quote or an item are part of it; tables and code keep their lines, and so does a text for no terminal.
func WrapText(w io.Writer, text string, indent int) printable.Text {
	text = printable.Sprintf("%s", printable.Text(text))
	columns := printable.Columns(w) - indent
	if columns < 20 {
		return printable.Text(text)
	}
	var b strings.Builder
	isCode := false
	for line := range strings.Lines(text) {
		begins := mark().FindString(line)
		body := strings.TrimRight(line[len(begins):], "\n")
		end := line[len(begins)+len(body):]
		if strings.HasPrefix(body, "```") || strings.HasPrefix(body, "~~~") {
			isCode = !isCode
		}
		if isCode || strings.HasPrefix(body, "|") || lipgloss.Width(line) <= columns || lipgloss.Width(begins) > columns/2 {
			b.WriteString(line)
			continue
		}
		further := strings.Repeat(" ", lipgloss.Width(begins))
		if quoted := strings.LastIndex(begins, ">") + 1; quoted > 0 {
			further = begins[:quoted] + further[quoted:]
		}
		wrapped := lipgloss.Wrap(body, columns-lipgloss.Width(begins), "")
		b.WriteString(begins + strings.ReplaceAll(wrapped, "\n", "\n"+further) + end)
	}
	return printable.Text(b.String())
}
