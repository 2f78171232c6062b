package page

import (
	"cmp"
	"slices"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// A quote has the text of the note with these differences. Quote marks, the type of a
// callout, comments, block ids and the indentation shared by all lines are removed. An
// embed becomes a link, and a link that starts at its note leads there from elsewhere too. A
// task's box becomes a sign, because a copy of a task is not another task. A property is no
// YAML. Code is the note's own, byte for byte.

var (
	commentMark    = lazyregexp.New(`(?m)<!--.*?(-->|$)|%%.*?(%%|$)`)
	closedComments = lazyregexp.New(`<!--.*?-->|%%.*?%%`)
	blockID        = lazyregexp.New(`(?m)[ \t]+\^[A-Za-z0-9-]+[ \t]*$`)
	callout        = lazyregexp.New(`^\[![^\[\]]*\][+-]?\s*`)
	picture        = lazyregexp.New(`!+\[(?:[^\[\]\n][^\]\n]*)?\]\(`)
	taskBox        = lazyregexp.New(`(?m)^(\s*(?:[-*+]|\d{1,9}[.)])\s+)\[(.)\] `)
)

// showBlock returns the lines of a block as they are quoted, indent columns of
// indentation removed, and a property in words.
func (p *Page) showBlock(b Block, indent int, withHead bool) string {
	var lines, prose []string
	add := func() { // prose is read as one text, because code may go on from line to line
		for line := range strings.SplitSeq(p.plainText(strings.Join(prose, "\n"), b.kind == property), "\n") {
			if strings.TrimSpace(line) != "" {
				lines = append(lines, strings.TrimRight(line, " \t"))
			}
		}
		prose = nil
	}
	var code codeReader
	if !withHead {
		code.isCode(cutIndent(p.text[b.head.Start:b.head.End], indent))
	}
	for _, s := range b.readSpans(withHead) {
		next := s.Start
		for raw := range strings.Lines(p.text[s.Start:s.End]) {
			at := note.Span{Start: next, End: next + len(raw)}
			next = at.End
			raw = strings.ToValidUTF8(strings.TrimRight(raw, "\r\n"), "\uFFFD")
			line := strings.ToValidUTF8(strings.TrimRight(p.withoutComments(at), "\r\n"), "\uFFFD")
			if !isShown(raw) || !isShown(line) || code.ending == "" && note.IsBookkeeping(strings.TrimSpace(raw)) {
				continue
			}
			line = cutIndent(line, indent)
			isCode, marks := code.isCode(line)
			if b.kind == quoted {
				line, _ = cutQuoteMarks(line, marks)
				if code.closer != "" {
					lines = append(lines, code.closer)
				}
			}
			if isCode {
				add()
				lines = append(lines, line)
			} else {
				if b.kind == quoted {
					line = callout().ReplaceAllString(line, "")
				}
				prose = append(prose, line)
			}
		}
	}
	add()
	if b.kind == property {
		return propertyInWords(strings.Join(lines, "\n"))
	}
	return strings.Join(lines, "\n")
}

// plainText is prose without its markup and what is left of marks of comments. A property is no markdown and has no code.
func (p *Page) plainText(text string, isProperty bool) string {
	if isProperty {
		text = closedComments().ReplaceAllString(text, "")
	}
	text = replaceOutsideCode(text, commentMark().FindAllStringIndex, isProperty, func(string) string { return "" }, "<!--", "%%")
	text = blockID().ReplaceAllString(text, "")
	text = replaceOutsideCode(text, picture().FindAllStringIndex, isProperty, func(m string) string {
		m = strings.TrimLeft(m, "!")
		return cmp.Or(map[string]string{"[](": "[…]("}[m], m)
	}, "![")
	text = replaceOutsideCode(text, ownLink().FindAllStringIndex, isProperty, p.leadBack, "](")
	text = replaceOutsideCode(text, findOwnLinks, isProperty, p.leadBack, "![[", "[[#", "[[.")
	return replaceOutsideCode(text, taskBox().FindAllStringIndex, true, func(m string) string { // the box of an item is never in code
		box := map[bool]string{true: "☐", false: "☑"}[strings.HasSuffix(m, "[ ] ")]
		return m[:strings.LastIndexByte(m, '[')] + box + " "
	}, "] ")
}

// replaceOutsideCode replaces what is found in a text and has one of some marks, but nothing that begins in its code.
func replaceOutsideCode(text string, find func(text string, most int) [][]int, hasNoCode bool, replace func(string) string, marks ...string) string {
	if !slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(text, mark) }) {
		return text
	}
	blanked, from := text, 0
	if code := findCode(text); code.certain && !hasNoCode {
		blanked = code.blanked
	}
	var out strings.Builder
	for _, at := range find(blanked, -1) {
		out.WriteString(text[from:at[0]] + replace(text[at[0]:at[1]]))
		from = at[1]
	}
	return out.String() + text[from:]
}

// cutQuoteMarks strips up to most quote marks of a line and returns how many it had.
func cutQuoteMarks(line string, most int) (rest string, had int) {
	for body := strings.TrimLeft(line, " \t"); had < most && strings.HasPrefix(body, ">"); body = strings.TrimLeft(line, " \t") {
		line, had = strings.TrimPrefix(body[1:], " "), had+1
	}
	return line, had
}

// cutIndent removes up to n columns of indentation.
func cutIndent(line string, n int) string {
	col := 0
	for i, c := range line {
		if col >= n || c != ' ' && c != '\t' {
			return line[i:]
		}
		if c == '\t' {
			col += 4 - col%4
		} else {
			col++
		}
	}
	return ""
}
