package fenced

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
)

var (
	// mayCut is what only some readers cut into blocks: dashes, borders of tables, and code that may go over lines.
	mayCut = expression("(?m)-[ \t]*-|\\+[-=:]|`[^`\n]*$")

	// border begins a table to Pandoc, behind the mark of an item, definition or footnote too that CommonMark does not know: one that
	// is drawn by signs (https://pandoc.org/MANUAL.html#extension-grid_tables), or dashes where they are no rule.
	border = expression(`^(?:(?:[:~]|\(?(?:[A-Za-z]{1,5}|#|@[\w-]*|[0-9]+)[.)]|\[\^[^\]\n]+\]:)[ \t]+)*(?:()\+[-=:]|()--[- \t]*(?:\n|$))`)

	// tableRule is the line of dashes that makes rows of the lines around it, each with text of its own, or a block. To some it needs none:
	// https://github.com/redbug312/markdown-it-multimd-table/blob/main/index.js. One column has a colon: https://github.github.com/gfm/#tables-extension-
	tableRule = expression(`(?m)^[ \t>]*(?:[-|:=+ \t]*\|[-|:=+ \t]*|:-+:?[ \t]*|-+:[ \t]*)$`)
)

// Flatten returns a text that Pandoc cuts into the same blocks as CommonMark does. Code over lines, which a list, a table or a line
// block of Pandoc would cut, is on one line: each reader shows a line end in code as a blank. So is a heading above dashes, which
// begin properties where Pandoc's heading is a table. A rule of dashes with text right above
// or below is one of asterisks, as dashes there begin a table that ends at the next dashes of the note:
// https://pandoc.org/MANUAL.html#extension-multiline_tables. Borders of tables get a backslash, the dashes of others a blank. parse returns the blocks of
// a text with the code in its lines, or nil.
func Flatten(s string, parse func(src []byte) ast.Node) string {
	if !mayCut().MatchString(s) {
		return s
	}
	w := writer{src: []byte(s)}
	root := parse(w.src)
	if root == nil {
		return s
	}
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.ThematicBreak:
			w.writeRule(n.Pos())
		case *ast.Heading:
			w.writeHeading(n)
			return ast.WalkSkipChildren, nil
		case *ast.Paragraph, *ast.TextBlock:
			w.writeText(n)
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	w.replace(len(s), len(s), "")
	return w.String()
}

// writeRule writes asterisks in the place of dashes with text right above or below.
func (w *writer) writeRule(begin int) {
	line, below, _ := bytes.Cut(w.src[begin:], []byte("\n"))
	below, _, _ = bytes.Cut(below, []byte("\n"))
	start := bytes.LastIndexByte(w.src[:begin], '\n') + 1
	above := w.src[bytes.LastIndexByte(w.src[:max(0, start-1)], '\n')+1 : start]
	blanks := " \t\n"
	if bytes.IndexByte(w.src[start:begin], '>') >= 0 { // the sign of a quote alone is blank only in a quote
		blanks += ">"
	}
	if end := begin + len(line); line[0] == '-' && (len(bytes.Trim(above, blanks)) > 0 || len(bytes.Trim(below, blanks)) > 0 || end+1 >= len(w.src)) {
		w.replace(begin, end, "***")
	}
}

// writeHeading writes a heading, whose dashes with text right below would begin the properties of a slide, behind a sign instead:
// https://github.com/slidevjs/slidev/blob/main/packages/parser/src/core.ts
func (w *writer) writeHeading(n *ast.Heading) {
	lines := n.Lines()
	if lines.Len() == 0 {
		return
	}
	begin, end := lines.At(0).Start, len(bytes.TrimRight(w.src[:lines.At(lines.Len()-1).Stop], "\n"))
	dashes, below, _ := bytes.Cut(w.src[min(end+1, len(w.src)):], []byte("\n"))
	below, _, hasMore := bytes.Cut(below, []byte("\n"))
	above := w.src[bytes.LastIndexByte(w.src[:begin], '\n')+1 : begin]
	if n.Parent().Kind() != ast.KindDocument || !bytes.HasPrefix(dashes, []byte("---")) || bytes.IndexByte(above, '#') >= 0 || hasMore && len(bytes.TrimSpace(below)) == 0 {
		w.writeText(n)
		return
	}
	w.replace(begin, begin, "## ")
	w.writeText(n)
	text := bytes.TrimRight(w.src[begin:end], " \t")
	if name := bytes.TrimRight(text, "#"); len(name) < len(text) && len(bytes.TrimRight(name, " \t")) < max(1, len(name)) { // such signs would be no text
		w.replace(begin+len(name), begin+len(name), `\`)
	}
	w.replace(end, end+1+len(dashes), "")
}

// HasTableRule reports whether a line of text is the rule of a table.
func HasTableRule(text []byte) bool {
	return bytes.ContainsAny(text, "|:") && tableRule().Match(text)
}

// writeText writes the code of a block of text on one line each, and borders of tables as text.
func (w *writer) writeText(block ast.Node) {
	lines := block.Lines()
	if lines.Len() == 0 {
		return
	}
	isTable := HasTableRule(WithBlockAbove(w.src, lines.At(0).Start))
	var code [][2]int
	_ = ast.Walk(block, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.Kind() == ast.KindCodeSpan && entering && n.HasChildren() && !isTable {
			first, last := n.FirstChild().(*ast.Text).Segment.Start, n.LastChild().(*ast.Text).Segment.Stop
			code = append(code, [2]int{bytes.LastIndexByte(w.src[:first], '`'), last + bytes.IndexByte(w.src[last:], '`')})
		}
		return ast.WalkContinue, nil
	})
	end := 0 // of the line above
	for i := range lines.Len() {
		line := lines.At(i)
		for len(code) > 0 && code[0][1] < line.Start {
			code = code[1:]
		}
		if i > 0 && block.Kind() == ast.KindHeading || len(code) > 0 && code[0][0] < line.Start {
			w.replace(end, line.Start, " ")
		} else if at := border().FindSubmatchIndex(w.src[line.Start:line.Stop]); at != nil {
			sign := line.Start + max(at[2], at[4])
			w.replace(sign, sign, `\`)
		} else if bytes.HasPrefix(w.src[line.Start:], []byte("---")) && (line.Start == 0 || w.src[line.Start-1] == '\n') {
			w.replace(line.Start, line.Start, " ") // to Slidev too these dashes begin properties
		}
		end = len(bytes.TrimRight(w.src[:line.Stop], "\n"))
	}
}
