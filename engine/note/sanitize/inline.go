package sanitize

import (
	"html"
	"regexp"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note/fenced"
	"vaultdispatcher/engine/note/target"
)

// dropDefinition returns the end of the definition at i if a link has its target now; else i.
func (w *textRewriter) dropDefinition(i int) int {
	for len(w.code.defs) > 0 && w.code.defs[0].span.Start < i {
		w.code.defs = w.code.defs[1:]
	}
	if len(w.code.defs) == 0 || w.code.defs[0].span.Start > i || !w.code.defs[0].isUsed || !w.code.defs[0].isBare {
		return i
	}
	end := w.code.defs[0].span.End
	w.beginLine(end)
	return end
}

// replaceReference writes the replacement of the text at i, and returns the end of that text; i without a
// replacement.
func (w *textRewriter) replaceReference(i int) int {
	for len(w.references) > 0 && w.references[0].start < i {
		w.references = w.references[1:]
	}
	if len(w.references) == 0 || w.references[0].start != i || i < w.mathEnd {
		return i
	}
	r := w.references[0]
	w.WriteString(r.text)
	if r.text == "]:" { // the text of a footnote is blocks of its own
		line, _, _ := strings.Cut(w.input[r.end:], "\n")
		w.lead = r.end + leadOf(line)
	}
	return r.end
}

// endsInName matches the name of a block at a line's end (https://help.obsidian.md/links#Link+to+a+block+in+a+note).
var endsInName = lazyregexp.New(`^\^[A-Za-z0-9_-]+[ \t]*(?:\n|$)`)

// writeName breaks a ^ at i that begins the name of a block that links from other notes might lead to.
func (w *textRewriter) writeName(i int) int {
	if i < w.mathEnd || i < w.urlEnd || !endsInName().MatchString(w.input[i:]) {
		return i
	}
	if c := w.input[max(0, i-1)]; i == 0 || c < 0x80 && !isLetter(c) && !('0' <= c && c <= '9') && c != '#' {
		return w.writeFor(`\^`, i+1)
	}
	return i
}

// writeEntity shows the name or number of a character as it is spelled where the character itself would be dropped.
func (w *textRewriter) writeEntity(i int) int {
	name := entity().FindString(w.input[i:min(len(w.input), i+target.Longest)])
	sign := html.UnescapeString(name)
	if cleanText(sign) == sign {
		return i
	}
	_, before := utf8.DecodeLastRuneInString(w.input[:i])
	_, next := utf8.DecodeRuneInString(w.input[i+len(name):])
	around := w.input[i-before:i] + sign + w.input[i+len(name):i+len(name)+next]
	if cleanText(around) == around {
		return i
	}
	return w.writeFor("&amp;", i+1)
}

// entity is such a name or number: https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references
var entity = lazyregexp.New(`^&(?:#[xX]?)?[0-9A-Za-z]+;`)

// endsNoteLink reports whether the bracket at i is the second one of a link between notes, whose end defines
// nothing.
func (w *textRewriter) endsNoteLink(i int) bool {
	return i > 1 && w.input[i-1] == ']' && w.input[i-2] != '\\'
}

// namesBlock reports whether the colon at i of s ends the key of a property by which Logseq finds the block
// that others link to, the template that it puts into a new page, or how it shows either, or begins a drawer of properties.
// Logseq finds them in more places than the beginning of a line, and drops signs from a key.
// https://github.com/logseq/logseq/blob/001e0d302d2db02356c9e4e061982fc86e71a1f0/deps/graph-parser/src/logseq/graph_parser/block.cljs
func namesBlock(s string, i int) bool {
	rest := s[i:]
	if !strings.HasPrefix(rest, "::") {
		return drawer().MatchString(rest[:min(len(rest), 12)])
	}
	if len(rest) > 2 && strings.IndexByte(" \t\n", rest[2]) < 0 {
		return false
	}
	key := s[strings.LastIndexAny(s[:i], " \t\n>")+1 : i]
	switch strings.ToLower(keySigns.Replace(key)) {
	case "created-at", "custom-id", "hl-page", "id", "query-properties", "updated-at", "template", "collapsed", "exclude-from-graph-view", "filters", "icon", "ls-type":
		return true
	case "alias", "title", "public":
		line := strings.LastIndexAny(s[:i], " \t\n") + 1 // of the page, where the answer is its beginning
		return (line == 0 || s[line-1] == '\n') && strings.IndexByte(s[line:i], ':') < 0 && (line > maxHead || pageHead().MatchString(s[:line]))
	}
	return cellField().MatchString(s[max(0, i-16):i]) // which code like `=A1` would show
}

// drawer begins properties of another form.
var drawer = lazyregexp.New(`(?i)^:(?:properties|logbook):`)

// cellField is a field named like a cell of a spreadsheet, as cells in the table of acts.
var cellField = lazyregexp.New(`(?:^|[^\pL\pN]|\n)[A-Z]{1,2}[0-9]{0,4}[ \t*_~\x60]*$`)

// pageHead is the head of a page, which has nothing but properties. It is read as far as maxHead.
var pageHead = lazyregexp.New(`^(?:[^\s:]+::[^\n]*\n)*$`)

const maxHead = 2048

// keySigns makes the key that Logseq reads of one as it is spelled.
var keySigns = strings.NewReplacer(`"`, "", "^", "", "(", "", ")", "", "{", "", "}", "", "|", "", "_", "-")

// pageFormula begins a formula in a page that was made of text: https://docs.mathjax.org/en/latest/input/tex/delimiters.html
var pageFormula = lazyregexp.New(`\\\\[(\[]|\$|\\begin\{`)

// pageComment begins one without dollar signs, in which a % hides what follows it.
var pageComment = lazyregexp.New(`(?:^|[^\[\]])\\[(\[]|\\begin\{`)

// paragraph ends at end. From formula on its text may be a formula of a page, and from comment on a % in it may begin a comment.
type paragraph struct{ end, formula, comment int }

// paragraphAt is the paragraph that the sign at i is in. It is read once, however many signs ask.
func (w *textRewriter) paragraphAt(i int) paragraph {
	if i >= w.paragraph.end {
		from := strings.LastIndex(w.input[:i], "\n\n") + 1
		text, _, _ := strings.Cut(w.input[from:], "\n\n")
		first := func(sign *regexp.Regexp) int { return from + append(sign.FindStringIndex(text), 0, len(text))[1] }
		w.paragraph = paragraph{from + len(text), first(pageFormula()), first(pageComment())}
	}
	return w.paragraph
}

// writePipe writes a pipe of a table. In a row with more cells than the table has columns, those in code get a backslash, those in
// formulas a name, and then those with a cell behind them that has no column: readers leave out such cells.
// https://github.github.com/gfm/#tables-extension-
func (w *textRewriter) writePipe(i int) int {
	switch {
	case w.columns == 0:
		return i
	case w.isWide && i < w.mathEnd:
		return w.writeFor(`\vert `, i+1)
	case w.isWide && strings.Count(w.input[w.row:i], "`")%2 > 0:
		return w.writeFor(`\|`, i+1)
	}
	if w.cells++; w.cells >= w.columns && !isBlankToLineEnd(w.input[i+1:]) {
		return w.writeFor(`\|`, i+1)
	}
	return i
}

// beginRow notes how many columns the table has that the line at i is in.
func (w *textRewriter) beginRow(i int, line string) {
	w.row = i
	text := strings.Trim(line, " \t>")
	if w.cells = 0; strings.HasPrefix(text, "|") {
		w.cells = -1
	}
	n := strings.Count(strings.Trim(strings.ReplaceAll(text, `\|`, ""), "|"), "|") + 1
	if isRule := fenced.HasTableRule([]byte(text)); text == "" {
		w.columns = 0
	} else if isRule && (w.columns == 0 || n < w.columns) {
		w.columns = n
	}
	w.isWide = n > w.columns
}
