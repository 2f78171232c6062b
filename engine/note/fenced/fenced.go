// Package fenced writes blocks of code so that readers of Markdown agree where they begin and end. They do not on code that is
// indented by four blanks, on a block that ends with the item or quote around it, and on one right below an item or below text
// with a bracket or formula that would end in it. Where they pair runs of backticks in other ways than CommonMark, so that code
// to one is text to another, it tells: [HasUnsureTicks] in a paragraph, [HasPairAbove] with the lines above it, [Ticks] in Logseq.
// [Flatten] does the same for code in a line, rules and headings, which Pandoc cuts in other ways.
package fenced

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	gtext "github.com/yuin/goldmark/text"

	"vaultdispatcher/engine/lazyregexp"
)

var expression = lazyregexp.New

var (
	// mayBegin is a line that may be indented code or a fence.
	mayBegin = expression("(?m)^[^\n]*(?: {4}|\t|```|~~~)")

	// holder begins a footnote or a definition, whose own text is indented by four blanks too.
	holder = expression(`(?m)^[ \t>]*(?:\[\^[^\]\n]+\]:|[:~][ \t])`)

	// blankLine is one in quotes too, and itemEnd ends the text of an item or begins another one.
	blankLine = expression(`(?m)^[ \t>]*\n`)
	itemEnd   = expression(`(?m)^[ \t>]*(?:\n|(?:[-*+]|\(?[0-9A-Za-z#]+[.)])[ \t\n])`)
	quoteLine = expression(`^[ \t*+0-9.)-]*>[ \t>]*`)
)

// near is how far above a block the begin of a formula or a partner of ticks is looked for, and the start of an address before code.
const near = 2048

// writer writes a text with other lines in some places, from top to bottom.
type writer struct {
	strings.Builder
	src   []byte
	from  int // what is before is written
	below int // where the lines below the last block begin
}

// replace writes text in the place of the bytes from begin to end.
func (w *writer) replace(begin, end int, text string) {
	w.Write(w.src[w.from:begin])
	w.WriteString(text)
	w.from = end
}

// Rewrite returns a text with its indented code in fences, each block of code closed in the item or quote that it is in, and
// blank lines where they tell a block from what is above. parse returns the blocks of a text, or nil.
func Rewrite(s string, parse func(src []byte) ast.Node) string {
	if !mayBegin().MatchString(s) {
		return s
	}
	w := writer{src: []byte(s)}
	root := parse(w.src)
	if root == nil {
		return s
	}
	var blocks []ast.Node
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && (n.Kind() == ast.KindCodeBlock || n.Kind() == ast.KindFencedCodeBlock) {
			blocks = append(blocks, n)
		}
		return ast.WalkContinue, nil
	})
	for i, n := range append(blocks, nil)[:len(blocks)] {
		switch n := n.(type) {
		case *ast.CodeBlock:
			if text, begin, end := write(w.src, n.Lines()); end > begin && !holds(w.src, n.PreviousSibling()) {
				w.replace(begin, end, text)
			}
		case *ast.FencedCodeBlock:
			w.separate(n)
			w.close(n, append(blocks, nil)[i+1])
		}
	}
	w.replace(len(s), len(s), "")
	return w.String()
}

// separate writes a blank line above a block, or above the quote around it, where it would be a part of what is right above.
func (w *writer) separate(n *ast.FencedCodeBlock) {
	begin := bytes.LastIndexByte(w.src[:n.Pos()], '\n') + 1
	above, text := BelowBlank(w.src[:max(w.below, begin)], w.below), w.src[begin:endOf(w.src, n)]
	w.separateHolder(n)
	blank := blankLine().FindIndex(text)
	switch top, isHeld := w.findTail(n); {
	case top == n && isHeld && w.src[n.Pos()-1] == ' ':
		w.writeBlank(n.Pos())
		w.replace(begin+len(bytes.TrimRight(w.src[begin:n.Pos()], " ")), n.Pos(), "")
	case top != nil && (top != n || itemEnd().Match(text)):
		w.writeBlank(top.Pos())
	}
	if blank != nil {
		text = text[:blank[0]]
	}
	if isOpen(above) || hasPair(above, nil) || isIndented(w.src, n) || reachesInto(w.src[begin-len(above):begin+len(text)], len(above)) {
		w.writeBlank(n.Pos())
	}
	if n.Parent().Kind() == ast.KindDocument && n.PreviousSibling() != nil && begin >= w.from {
		w.outdent(begin, n)
	}
}

// isOpen reports whether brackets or braces of a text end behind it. Pandoc looks for their ends first, and for blocks then.
func isOpen(text []byte) bool {
	var brackets, braces int
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			brackets++
		case ']':
			brackets = max(0, brackets-1)
		case '{':
			braces++
		case '}':
			braces = max(0, braces-1)
		}
	}
	return brackets+braces > 0
}

// reachesInto reports whether a formula of a text ends behind an offset that it begins before.
func reachesInto(text []byte, offset int) bool {
	return slices.ContainsFunc(findFormulas(text), func(at []int) bool { return at[0] < offset && offset < at[1] })
}

// writeBlank writes a blank line above the line of an offset, where there is none.
func (w *writer) writeBlank(at int) {
	begin := bytes.LastIndexByte(w.src[:at], '\n') + 1
	if begin <= w.from {
		return
	}
	above := w.src[:begin-1]
	above = above[bytes.LastIndexByte(above, '\n')+1:]
	quotes := quotesOf(w.src[begin:at])
	if len(bytes.Trim(above, "> \t")) > 0 || bytes.Count(above, []byte(">")) > strings.Count(quotes, ">") {
		w.replace(begin, begin, quotes+"\n")
	}
}

// close writes the fence that a block lacks. next is the block behind it, or nil. Above a fence right below there is a blank line then,
// since the fence would be one of this block to Pandoc.
func (w *writer) close(n *ast.FencedCodeBlock, next ast.Node) {
	end := endOf(w.src, n)
	line, _, _ := bytes.Cut(w.src[end:], []byte("\n"))
	size := runLength(w.src[n.Pos():])
	fence := bytes.Trim(line, " \t>")
	isFence := len(fence) >= size && fence[0] == w.src[n.Pos()] && runLength(fence) == len(fence)
	isNext := next != nil && next.Kind() == ast.KindFencedCodeBlock && next.Pos() <= end+len(line)
	if w.below = end; isFence && !isNext {
		w.below = min(end+len(line)+1, len(w.src))
		return
	}
	text := string(w.src[n.Pos() : n.Pos()+size])
	if n.Parent().Kind() != ast.KindDocument {
		text = continueLine(string(w.src[bytes.LastIndexByte(w.src[:n.Pos()], '\n')+1:n.Pos()])) + text
	}
	if w.src[end-1] != '\n' {
		text = "\n" + text
	}
	if end < len(w.src) {
		text += "\n"
	}
	if isNext {
		text += quotesOf(line) + "\n"
	}
	w.replace(end, end, text)
}

// endOf is where the text of a block ends.
func endOf(src []byte, n *ast.FencedCodeBlock) int {
	if k := n.Lines().Len(); k > 0 {
		return n.Lines().At(k - 1).Stop
	}
	if i := bytes.IndexByte(src[n.Pos():], '\n'); i >= 0 {
		return n.Pos() + i + 1
	}
	return len(src)
}

// quotesOf is a blank line in the quotes that a line begins with.
func quotesOf(line []byte) string {
	text := bytes.TrimLeft(line, " \t>")
	return string(bytes.TrimRight(line[:len(line)-len(text)], " \t"))
}

// holds reports whether a block may be a footnote or definition with the text below it.
func holds(src []byte, n ast.Node) bool {
	if n == nil || n.Kind() != ast.KindParagraph && n.Kind() != ast.KindTextBlock {
		return false
	}
	lines := n.Lines()
	return lines.Len() > 0 && holder().Match(src[lines.At(0).Start:lines.At(lines.Len()-1).Stop])
}

// write returns the fenced block in the place of the lines of code, and where they begin and end; nothing where a tab
// is a part of the indentation and of the code.
func write(src []byte, lines *gtext.Segments) (text string, begin, end int) {
	var b strings.Builder
	longest := 2
	for i := range lines.Len() {
		line := lines.At(i)
		at := bytes.LastIndexByte(src[:line.Start], '\n') + 1
		code := string(src[line.Start:line.Stop])
		prefix, ok := outdent(string(src[at:line.Start]))
		isBlank := strings.TrimSpace(code) == ""
		switch {
		case line.Padding > 0 || !ok && !isBlank:
			return "", 0, 0
		case isBlank:
			prefix, code = strings.TrimRight(string(src[at:line.Start]), " \t"), "\n"
		}
		if i == 0 {
			begin, text = at, prefix
			prefix = continueLine(prefix)
		}
		b.WriteString(prefix + strings.TrimSuffix(code, "\n") + "\n")
		longest, end = max(longest, LongestTicks([]byte(code))), line.Stop
	}
	fence := strings.Repeat("`", longest+1)
	last := continueLine(text) + fence
	if end > 0 && src[end-1] == '\n' {
		last += "\n"
	}
	return text + fence + "\n" + b.String() + last, begin, end
}

// outdent takes four columns of blanks from the end of what is before a line of code.
func outdent(prefix string) (string, bool) {
	if before, ok := strings.CutSuffix(prefix, "    "); ok && !strings.Contains(before, "\t") {
		return before, true
	}
	before, ok := strings.CutSuffix(prefix, "\t")
	return before, ok && len(before)%4 == 0 && !strings.Contains(before, "\t")
}

// continueLine is what a further line of the block begins with that this one begins: the signs of quotes stay, those of
// items are blanks. The first blank behind a quote's sign is a part of the sign.
func continueLine(prefix string) string {
	var b strings.Builder
	for i := range len(prefix) {
		switch c := prefix[i]; {
		case c == '>' || c == '\t':
			b.WriteByte(c)
		case c != ' ' && i > 0 && prefix[i-1] == '>':
			b.WriteString("  ")
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}
