package note

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

// A question has as many lines as a person or an editor gave it. Two spans tell which:
//
// ASKED is REPLACED, a list right behind it if it ends in a colon, and one lazy line if the line before ends no sentence.
// The agent is asked these lines ([Marker.Instruction]), up to line [Marker.Asked].
//
// REPLACED is the span that the answer replaces ([Marker.Text], [Marker.Ends]): the marker's line, and each line of its
// paragraph below it that has the quote marks and follows a line which does not end a sentence. A question that an editor
// has wrapped is replaced whole:
//
//	> @agent-Miner what did we decide about     vim with tw=60, Emacs with a fill prefix:
//	> backups, and who said so?                 a line that continues where it was cut
//
//	> [!question] Backups                       Enter in a quote or callout of Obsidian
//	> @agent-Miner what about                   sets the mark of the next line
//	> backups?
//
// A person's own words are never taken for the question. These are not asked, and remain:
//
//	> @agent-Miner what about backups?          a line behind the end of a sentence
//	> I think we need them.
//
//	> @agent-Miner is it true that              a line that begins like a quotation: with a
//	> — Ann said so                             quotation mark, an attribution's dash, a speaker
//
//	> @agent-Miner compare                      a list without a colon above it, a row of a table,
//	> - tea                                     a footnote, a comment, an embedded note, a property,
//	> - coffee                                  an indented line, one behind a hard line break
//
// These are asked and remain:
//
//	> @agent-Miner what about                   a lazy line: it has no mark
//	the backups
//
//	> @agent-Miner compare:                     a list below a colon
//	> - tea
//
// A line that was in the note before the marker's line also remains and is not asked; engine/past remembers these lines,
// and [Page.Cut] takes them out of the span. In doubt a line remains as context: a person can delete it easily.

// Bounds of a question. Longer text is hardly meant as one: it remains, as context.
const (
	mostReplaced = 40       // lines that one answer replaces
	mostAsked    = 200      // lines of one question
	mostQuestion = 16 << 10 // bytes of one question
)

// extendSpan extends a marker of one line, at offset at, to the whole question. most bounds the lines that an answer
// replaces.
func (n *reading) extendSpan(m *Marker, at, most int) {
	c := n.lay.stand[at]
	lines, paragraph := c.node.Lines(), c.node.Kind() != ast.KindHeading
	asked, last, size := []string{m.Instruction}, m.Line-1, len(m.Instruction)
	i := c.index + 1
	for ; paragraph && i < lines.Len() && len(asked) < most && last < m.Ends; i++ {
		start := lines.At(i).Start
		number := n.text.lineAt(start)
		size += max(0, n.text.span(number).End-start)
		if number != last+1 || size > mostQuestion || !n.goesOn(m, number, start) {
			break
		}
		asked, last = append(asked, n.askedText(start, number)), number
	}
	for _, i := range slices.Compact([]int{m.Ends - m.Line, len(asked) - 1}) { // a name for links is not asked
		if text, name := cutName("- " + asked[i]); name != "" && (text != "-" || i > 0) {
			asked[i] = strings.TrimSpace(text[1:])
		}
	}
	seen := last
	for ; i < lines.Len() && IsBookkeeping(n.askedText(lines.At(i).Start, seen+1)); i++ {
		seen++
	}
	var list []string
	if paragraph && i >= lines.Len() && last < m.Ends && endsInColon(asked[len(asked)-1]) {
		list, last = n.listBelow(c.node, last, seen, mostAsked-len(asked), mostQuestion-size)
	}
	m.Span.End = n.text.span(m.Ends - 1).End
	m.Text = string(n.text.src[m.Span.Start:m.Span.End])
	m.Instruction, m.Asked = joinLines(append(asked, list...)), last+1
	m.Terminated = n.text.span(last).End < n.text.nextStart(last)
}

// askedText is what line number says from offset start on.
func (n *reading) askedText(start, number int) string {
	text := n.withoutComments(Span{start, max(start, n.text.span(number).End)})
	return strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD"))
}

// joinLines joins the lines that say something.
func joinLines(lines []string) string {
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
}

// cutSpans leaves of each question as many lines as are said to be its own.
func (n *reading) cutSpans(lines func(Marker) int) {
	for i := range n.doc.Markers {
		m := &n.doc.Markers[i]
		if own := max(1, lines(*m)); m.Line+own-1 < m.Ends {
			m.Ends = m.Line
			m.Instruction, _, _ = strings.Cut(m.Instruction, "\n")
			n.extendSpan(m, m.Span.Start+strings.Index(m.Text, MarkerStart), own)
		}
	}
}

// goesOn reports whether line number, whose text begins at offset start, continues the question of m from the line above.
// If it has the marks of the marker's line, goesOn extends m.Ends: the answer replaces the line too.
func (n *reading) goesOn(m *Marker, number, start int) bool {
	span, above := n.text.span(number), n.text.line(number-1)
	content := n.text.src[start:max(start, span.End)]
	if endsSentence(n.withoutComments(n.text.span(number-1))) || breaksHard(above) || beginsApart(content) || bytes.Contains(content, []byte("@agent")) || n.hides(span) {
		return false
	}
	head := n.text.src[n.text.starts[m.Line-1]:]
	marks := bytes.Count(head[:bytes.Index(head, needle)], []byte(">"))
	before := n.text.src[span.Start:start]
	quote := bytes.LastIndexByte(before, '>')
	if bytes.Count(before, []byte(">")) < marks {
		return true
	}
	isAligned := len(before)-quote <= 4 && !bytes.Contains(before[quote+1:], []byte("\t"))
	if isAligned {
		m.Ends = number + 1
	}
	return isAligned
}

// hides reports whether something is hidden in a line: what is written in HTML, in a formula or in a
// comment may be for the eyes of its writer. A schedule is for those of a program.
func (n *reading) hides(line Span) bool {
	for _, list := range [][]region{n.lay.solid, n.marks} {
		for i := firstBehind(list, line.Start); i < len(list) && list[i].Start < line.End; i++ {
			r := list[i]
			isSchedule := r.Start >= line.Start && r.End <= line.End && bytes.HasPrefix(n.text.src[r.Start:], []byte("<!--SR:"))
			if (r.reason == HTML || r.reason == Comment || r.reason == Math) && !isSchedule {
				return true
			}
		}
	}
	return false
}

// breaksHard reports whether a line ends in a line break that its writer has set.
func breaksHard(line []byte) bool {
	return bytes.HasSuffix(line, []byte("  ")) || bytes.HasSuffix(line, []byte(`\`))
}

// endsInColon reports whether a text announces what comes below it.
func endsInColon(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(trimClosers(text))
	return r == ':' || r == '：'
}

// endsSentence reports whether a line ends a sentence, whatever closes behind it:
// quotation marks, brackets, emphasis, tags, footnotes, symbols.
func endsSentence(line []byte) bool {
	text := trimClosers(strings.ToValidUTF8(string(line), ""))
	last, size := utf8.DecodeLastRuneInString(text)
	if unicode.Is(unicode.Sentence_Terminal, last) || strings.ContainsRune(":：︓﹕…⋯\u037e", last) {
		return true
	}
	if last != ';' { // the question mark of Greek, as its keyboards make it
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:len(text)-size])
	return unicode.Is(unicode.Greek, before)
}

// trimClosers returns text without the signs that may follow the end of its sentence.
func trimClosers(text string) string {
	for {
		short := strings.TrimRightFunc(text, func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune("*_~`=\"'", r) || unicode.In(r, unicode.Pe, unicode.Pf, unicode.Pi, unicode.So, unicode.Sk, unicode.Cf, unicode.Mn)
		})
		if at := strings.LastIndexAny(short, " \t"); at >= 0 && isTrailer(short[at+1:]) {
			short = short[:at]
		} else if at := strings.LastIndex(short, "[^"); at >= 0 && len(short) < len(text) && !strings.ContainsAny(short[at:], " \t") {
			short = short[:at]
		}
		if short == text {
			return text
		}
		text = short
	}
}

// isTrailer reports whether a word is a tag or the name of a block.
func isTrailer(word string) bool { return len(word) > 1 && (word[0] == '#' || word[0] == '^') }

// beginsApart reports whether the text of a line looks like the beginning of something
// else than the rest of a sentence.
func beginsApart(content []byte) bool {
	text := strings.TrimLeft(strings.ToValidUTF8(string(content), "\uFFFD"), "*_~=")
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 || strings.ContainsRune("|@^%$<>#+-\\:!&•◦‣▪▫●○∙·《〈＊※", first) || unicode.In(first, unicode.Quotation_Mark, unicode.Dash, unicode.Pi, unicode.Pf, unicode.Cf) {
		return true
	}
	word, _, _ := strings.Cut(text, " ")
	return strings.Contains(word, "::") || strings.HasPrefix(string(content), "~ ") || isSpoken(text) || isBracketed(text) || isNumbered(word)
}

// isSpoken reports whether a line begins with a word and a colon, or with a name of up to three words and one.
func isSpoken(text string) bool {
	for i, word := range strings.Fields(text) {
		first, _ := utf8.DecodeRuneInString(word)
		at := strings.Index(word, "：")
		switch {
		case strings.HasSuffix(word, ":") || at >= 0 && utf8.RuneCountInString(word[:at]) <= 8:
			return i == 0 || unicode.IsUpper(first)
		case i == 2 || !unicode.IsUpper(first):
			return false
		}
	}
	return false
}

// isBracketed reports whether a line begins with a box to tick, a footnote, the target of a link or the head of a callout;
// a link continues a sentence.
func isBracketed(text string) bool {
	if text[0] != '[' || strings.HasPrefix(text, "[[") {
		return false
	}
	inner, rest, closed := strings.Cut(text[1:], "]")
	return !closed || len(inner) <= 1 || inner[0] == '^' || inner[0] == '!' || strings.HasPrefix(rest, ":")
}

// isNumbered reports whether a word is the number or letter of a list's item.
func isNumbered(word string) bool {
	n := countLeading([]byte(word), isDigit)
	if n == 0 && len(word) == 2 && ('a' <= word[0]|0x20 && word[0]|0x20 <= 'z') {
		n = 1
	}
	return n > 0 && n == len(word)-1 && (word[n] == '.' || word[n] == ')')
}

// listBelow returns the lines of a list right below a paragraph, without the marks of the paragraph's quote, and the list's
// last line. seen is the paragraph's last line, last the last one that is asked. It skips a list that asks itself.
func (n *reading) listBelow(paragraph ast.Node, last, seen, lines, size int) ([]string, int) {
	list := paragraph.NextSibling()
	for up := paragraph.Parent(); list == nil && up != nil && up.Kind() == ast.KindBlockquote; up = up.Parent() {
		list = up.NextSibling()
	}
	if list == nil || list.Kind() != ast.KindList {
		return nil, last
	}
	first, end := n.linesOf(list)
	if end < first || first <= seen || first > seen+2 || end-seen > lines { // an empty list ends before it begins
		return nil, last
	}
	above := n.text.line(last)
	marks := bytes.Count(above[:LeadingMarks(above)], []byte(">"))
	var text []string
	for i := seen + 1; i <= end; i++ {
		line := n.withoutComments(n.text.span(i))
		if size -= len(line); size < 0 || bytes.Contains(line, needle) {
			return nil, last
		}
		for range marks {
			if mark := bytes.TrimLeft(line, " \t"); bytes.HasPrefix(mark, []byte(">")) {
				line = bytes.TrimPrefix(mark[1:], []byte(" "))
			}
		}
		if !isBlank(line) && !IsBookkeeping(strings.TrimSpace(string(line))) {
			text = append(text, strings.TrimRight(strings.ToValidUTF8(string(line), "\uFFFD"), " \t"))
		}
	}
	return text, end
}

// linesOf returns the first and the last line of a block's text.
func (n *reading) linesOf(block ast.Node) (first, last int) {
	first, last = n.text.count(), -1
	_ = ast.Walk(block, func(b ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || b.Type() != ast.TypeBlock {
			return ast.WalkSkipChildren, nil
		}
		if lines := b.Lines(); lines.Len() > 0 {
			first = min(first, n.text.lineAt(lines.At(0).Start))
			last = max(last, n.text.lineAt(lines.At(lines.Len()-1).Start))
		}
		return ast.WalkContinue, nil
	})
	return first, last
}
