package fenced

import "strings"

var (
	// imageLine is an address that iA Writer loads a picture from: https://github.com/iainc/Markdown-Content-Blocks
	imageLine = expression(`^ {0,3}(<?https?://\S+\.(?i:png|jpe?g|gif|tiff?)(?:[?#]\S*)?)(?:[ \t]+["'(]|[ \t]*$)`)

	// captionLine names the table below it. In a list its rows lose as many signs as they are less indented:
	// https://github.com/redbug312/markdown-it-multimd-table
	captionLine = expression(`^[ \t>*+0-9.)-]*\[.+(\])[ \t]*$`)
)

// CallEnd is where what a line is to some programs ends, and to most is text: a picture, or the caption of a table in a list,
// which isHeld tells; -1 without one. Text behind it makes it text to all. below is the text below the line.
func CallEnd(line, below string, isHeld bool) int {
	if at := imageLine().FindStringSubmatchIndex(line); at != nil {
		return at[3]
	}
	at := captionLine().FindStringSubmatchIndex(line)
	if !isHeld || at == nil || strings.HasPrefix(below, "\n") {
		return -1
	}
	if below, _, _ = strings.Cut(below[:min(len(below), near)], "\n\n"); HasTableRule([]byte(below)) {
		return at[3]
	}
	return -1
}
