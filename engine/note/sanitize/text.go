package sanitize

import (
	"cmp"
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/fenced"
	"vaultdispatcher/engine/note/target"
)

// textRewriter rewrites the text of an answer, from left to right.
type textRewriter struct {
	strings.Builder
	input     string
	code      code
	lead      int // where the text of the current line begins, behind its containers
	lastGT    int // the last '>' of the answer
	lastBrace int // the last '}' of the answer
	lone      int // the offset of a $$ without a partner, or -1
	bare      int // the offset of the mark of an empty list item, or -1
	tail      int // the end of the address that is the line of a picture, or -1

	mathEnd  int    // where the formula ends that the current offset is in
	mathNone int    // no formula ends before this offset
	urlEnd   int    // where the address ends that the current offset is in
	runEnd   int    // where the exclamation marks end that were looked at last
	braces   braces // the ones that the current offset is in
	columns  int    // of the table that the current line is in
	row      int    // where that line begins
	cells    int    // of it that have ended
	isWide   bool   // whether it has more of them
	altEnd   int    // where the text of the picture ends that the current offset is in

	paragraph  paragraph     // that was asked for last
	references []replacement // from the current offset on
}

// rewriteText rewrites what is not code. Footnotes get the label.
func rewriteText(s string, c code, label string) string {
	w := &textRewriter{input: s, code: c, lone: -1, lastGT: strings.LastIndexByte(s, '>'), lastBrace: strings.LastIndexByte(s, '}'), references: findReferences(s, &c, label)}
	if strings.Contains(s, "$$") {
		w.lone = w.findUnpairedFormula()
	}
	w.beginLine(0)
	for i := 0; i < len(s) || i == w.tail; {
		if i == w.tail {
			w.WriteString(" &nbsp;")
			w.tail = -1
		} else if end := w.copyCode(i); end > i {
			i = end
		} else if end := w.dropDefinition(i); end > i {
			i = end
		} else if end := w.replaceReference(i); end > i {
			i = end
		} else {
			i = w.writeNext(i)
		}
	}
	return w.String()
}

// copyCode copies the code that begins at i and returns its end, or i.
func (w *textRewriter) copyCode(i int) int {
	for len(w.code.spans) > 0 && w.code.spans[0].End <= i {
		w.code.spans = w.code.spans[1:]
	}
	if len(w.code.spans) == 0 || w.code.spans[0].Start > i {
		return i
	}
	end := w.code.spans[0].End
	for len(w.code.inserts) > 0 && w.code.inserts[0].offset <= end {
		in := w.code.inserts[0]
		w.code.inserts = w.code.inserts[1:]
		if in.offset < i {
			continue // the text before reached into the code
		}
		w.WriteString(w.input[i:in.offset] + in.text)
		i = in.offset + in.size
	}
	end = max(i, end) // the written text may reach behind the code
	w.WriteString(w.input[i:end])
	if w.input[end-1] == '\n' {
		w.beginLine(end)
	}
	return end
}

// beginLine looks at the containers of the line at i. An empty list item above a
// blank line ends the lists around it for some readers of Markdown, and so would
// push the user's own lines below the answer out of their list.
func (w *textRewriter) beginLine(i int) {
	line, below, _ := strings.Cut(w.input[i:], "\n")
	w.lead, w.bare, w.tail = i+leadOf(line), -1, -1
	if end := fenced.CallEnd(line, below, w.lead > i); end >= 0 {
		w.tail = i + end
	}
	w.beginRow(i, line)
	below, _, _ = strings.Cut(below, "\n")
	text := strings.TrimRight(line, " \t")
	if note.LeadingMarks([]byte(line)) < len(line) || strings.Trim(below, "> \t") != "" || text == "" || text[len(text)-1] == '>' || isThematicBreak(text) {
		return
	}
	w.bare = i + len(text) - 1
}

// leadOf is how many bytes of a line mark the containers of its text.
func leadOf(line string) int {
	n := note.LooseMarks([]byte(line))
	for m := definitionMark().FindString(line[n:]); m != ""; m = definitionMark().FindString(line[n:]) {
		n += len(m) + note.LooseMarks([]byte(line[n+len(m):]))
	}
	return n
}

var (
	// definitionMark begins a definition, which holds blocks as an item does: https://pandoc.org/MANUAL.html#definition-lists
	definitionMark = lazyregexp.New(`^[:~][ \t]+`)

	// box is that of a task, behind which blocks begin as well.
	box = lazyregexp.New(`^\[[^\[\]]*\][ \t]`)
)

// isThematicBreak reports whether a line of list marks is a thematic break.
func isThematicBreak(line string) bool {
	line = strings.TrimLeft(line, "> ")
	return strings.Count(line, line[:1]) > 2 && strings.Trim(line, line[:1]+" \t") == ""
}

// writeNext writes the character at i, or what takes its place, and returns where the
// following one is.
func (w *textRewriter) writeNext(i int) int {
	if i == w.bare {
		w.WriteByte('\\')
	}
	if end := w.writeAct(i); end > i {
		return end
	}
	switch c := w.input[i]; c {
	case '`':
		return w.writeTicks(i)
	case '\\':
		end := min(i+2, len(w.input))
		if end == i+2 && w.input[i+1] != '\n' && w.input[i+1] != '`' {
			w.WriteString(w.input[i:end])
			return end
		}
	case '\n':
		w.WriteByte('\n')
		w.beginLine(i + 1)
		return i + 1
	case '<':
		return w.writeAngle(i)
	case '!':
		return w.writeImage(i)
	case '#': // code of Typst: https://github.com/azyarashi/obsidian-typst-mate
		if i+1 < w.mathEnd && w.input[i-1] != '{' && isLetter(w.input[i+1]) {
			return w.writeFor(`\#`, i+1)
		}
	case '"':
		if i < w.altEnd {
			return w.writeFor("&quot;", i+1)
		}
	case '%':
		n := note.RunLength([]byte(w.input[i:]))
		if i < w.mathEnd || i >= w.paragraphAt(i).comment { // what follows it would be a comment that no reader sees
			return w.writeFor(strings.Repeat(`\%`, n), i+n)
		}
		return w.writeFor("%"+strings.Repeat(`\%`, n-1), i+n)
	case '$':
		if i == w.lone {
			w.WriteString(`\$\$`)
			return i + 2
		}
		n := note.RunLength([]byte(w.input[i:]))
		w.WriteString(w.input[i : i+n])
		w.beginMath(i, n)
		return w.writeLua(i + n)
	}
	w.WriteByte(w.input[i])
	return i + 1
}

// writeTicks writes a run of ticks, and breaks the act that code behind it would begin with. Code that is known is left:
// its own inserts break what acts in it.
func (w *textRewriter) writeTicks(i int) int {
	next := i + note.RunLength([]byte(w.input[i:]))
	w.WriteString(w.input[i:next])
	if len(w.code.spans) > 0 && w.code.spans[0].Start <= next+1 { // a blank behind them is no part of it
		return next
	}
	_, at, mend := findSpanAct(w.input, next)
	if at < 0 || !isClosed(w.input[at:]) {
		return next
	}
	w.WriteString(w.input[next:at] + mend)
	if line := strings.LastIndexByte(w.input[next:at], '\n'); line >= 0 {
		w.beginLine(next + line + 1)
	}
	if mend == `\` {
		w.WriteByte(w.input[at])
		at++
	}
	return at
}

// dollars is a run of dollar signs, or a character behind a backslash.
var dollars = lazyregexp.New(`(?s)\\.|\$+`)

// findUnpairedFormula returns the last of an odd number of $$ in the text.
func (w *textRewriter) findUnpairedFormula() int {
	lone, from := -1, 0
	for _, span := range append(slices.Clip(w.code.spans), note.Span{Start: len(w.input)}) {
		for _, at := range dollars().FindAllStringIndex(w.input[min(from, span.Start):span.Start], -1) {
			switch {
			case w.input[from+at[0]:from+at[1]] != "$$":
			case lone < 0:
				lone = from + at[0]
			default:
				lone = -1
			}
		}
		from = span.End
	}
	return lone
}

// writeAngle decides about a '<'. Kept are comparisons, plain links and emphasis; a tag
// that has its line for itself would begin a block of HTML, which swallows what
// follows up to the next blank line.
func (w *textRewriter) writeAngle(i int) int {
	rest := w.input[i:]
	if i == w.lead && loneRule().MatchString(rest) {
		return w.writeFor("***", i+strings.IndexByte(rest, '>')+1)
	}
	if !opensTag(rest[1:]) || i > w.lastGT && w.isBehindWord(i) {
		w.WriteByte('<')
		return i + 1
	}
	if i < w.mathEnd {
		return w.writeFor("< ", i+1) // a comparison, and to those who know no formulas no tag
	}
	if m := autoLink().FindString(rest); m != "" && !target.TakesFile(m[1:]) && !takesNote(m) && cleanText(html.UnescapeString(m)) == html.UnescapeString(m) {
		w.WriteString(m)
		return i + len(m)
	}
	m := cmp.Or(emphasis().FindString(rest), dressed().FindString(rest))
	isLone := isBlankToLineEnd(rest[len(m):]) && !w.isBehindWord(i)
	if isLone && strings.EqualFold(strings.Trim(m, "</ >"), "br") { // a blank that is shown makes it a part of text
		w.WriteString("&nbsp;")
		isLone = false
	}
	if m != "" && !isLone && !w.isLoneTag(i, m) && !w.overlapsCode(i, i+len(m)) {
		return w.writeFor(dressed().ReplaceAllString(m, "<$1>"), i+len(m))
	}
	if m := imageTag().FindStringSubmatch(rest); m != nil && !w.overlapsCode(i, i+len(m[0])) {
		w.WriteString("<" + m[1] + ">")
		return i + len(m[0])
	}
	w.WriteString("&lt;")
	return i + 1
}

// takesNote reports whether the address of a mail is the name of a file to some, see acts.Text.
func takesNote(link string) bool {
	name := strings.IndexByte(link, '@')
	if name < 0 || strings.Contains(link, ":") {
		return false
	}
	at, _ := textActs.Match(link[name:])
	return at >= 0
}

// opensTag reports whether a '<' before s may open a tag. To Pandoc a name may begin with any letter, to TiddlyWiki with a
// dollar sign: https://github.com/TiddlyWiki/TiddlyWiki5/blob/master/plugins/tiddlywiki/markdown/markdown-it-tiddlywiki.js
func opensTag(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && (unicode.IsLetter(r) || strings.ContainsRune("/!?%$", r))
}

// isBehindWord reports whether the text of the line has begun before i.
func (w *textRewriter) isBehindWord(i int) bool {
	return i > w.lead && strings.ContainsFunc(box().ReplaceAllString(w.input[w.lead:min(i, w.lead+64)], ""), func(r rune) bool { return unicode.In(r, unicode.L, unicode.Nd) })
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// overlapsCode reports whether any of the bytes [from, to) is code.
func (w *textRewriter) overlapsCode(from, to int) bool {
	i := slices.IndexFunc(w.code.spans, func(s note.Span) bool { return s.End > from })
	return i >= 0 && w.code.spans[i].Start < to
}
