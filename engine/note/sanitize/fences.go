package sanitize

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/codeblock"
	"vaultdispatcher/engine/note/fenced"
)

// fenceState follows which blocks of code are such to Logseq as well. It knows one
// length of fences, ends a block at the first line that begins with one, whatever began it,
// and gives up blocks in quotes and lists at lines that look like items. From then on it takes
// text for code and code for text.
// https://github.com/logseq/mldoc/blob/master/lib/syntax/block0.ml
type fenceState struct {
	end       int  // the end of the last block
	isLost    bool // from here on Logseq reads code as text, or may do so
	place     surroundings
	isDefined bool   // a definition is between the last two blocks
	fence     string // of the last block, as it is to be
}

// surroundings are the quotes around a text, and whether a list is around it. A list of dashes does not count: to
// Logseq its items are blocks like others.
type surroundings struct {
	quotes int
	inList bool
}

var (
	// itemLine looks like an item, a heading, a property or a definition, which end a quote or an item's text.
	itemLine  = lazyregexp.New(`(?m)^[ \t>]*(?:(?:[-+*:]|#+)(?:[ \t]|$)|[-+]?[0-9]|id:: )`)
	blankLine = lazyregexp.New(`(?m)^[ \t>]*\n`)
	// textItem begins a quote or an item that takes up the lines below it, up to a blank one.
	textItem = lazyregexp.New(`^[ \t]*(?:>|(?:[*+]|[0-9]+[.)])[ \t])`)
	// definitionLine begins a definition, whose indented text ends with its indentation.
	definitionLine = lazyregexp.New(`(?m)^[ \t>]*[:~](?:[ \t]|$)`)
	slideHead      = lazyregexp.New(`(?m)^---[ \t-]*\s*\z`)
)

// isPlainFence reports whether a block is code to Logseq too, and if not, whether Logseq sees it
// begin. The blocks of an answer are given from top to bottom.
func (f *fenceState) isPlainFence(src []byte, n *ast.FencedCodeBlock, text string) (isPlain, isSeen bool) {
	before := src[:n.Pos()]
	between := before[min(f.end, len(before)):]
	head := string(bytes.TrimRight(bytes.TrimLeft(before[bytes.LastIndexByte(before, '\n')+1:], " \t>"), " "))
	at, breaks := findPlace(src, n, between)
	f.isDefined, f.fence = bytes.ContainsAny(between, ":~") && definitionLine().Match(between), fenceOf(src, n, between)
	f.isLost = f.isLost || n.Pos() < f.end || fenced.MayOpen(between) || at.quotes > 0 && f.place.quotes > 0 && itemLine().Match(between)
	breaks = breaks || f.isDefined && bytes.HasSuffix(before, []byte(" ")) || // it may end at its first line that is not indented
		surroundings{at.quotes + f.place.quotes, at.inList || f.place.inList}.isEndedBy(text)
	inner := 0
	for line := range strings.Lines(text) {
		if language, _ := cutFence(line); language >= 0 {
			inner++
		}
	}
	isClosed := f.passFence(src, n)
	isSeen = !f.isLost && head == "" && !breaks
	f.isLost = f.isLost || !isClosed || breaks || inner%2 > 0 || inner > 0 && n.Parent().Kind() != ast.KindDocument || head != "" && head != "-"
	return isSeen && isClosed && inner == 0, isSeen
}

// isEndedBy reports whether a block in these surroundings ends for Logseq at a line of its text. In quotes deeper than two
// lines lose as many marks as it thinks.
func (at surroundings) isEndedBy(text string) bool {
	return at.quotes > 2 || (at.quotes > 0 || at.inList) && itemLine().MatchString(text) || at.inList && blankLine().MatchString(text)
}

// cutFence finds the fence that Logseq sees in a line, whatever began the block: where its language
// begins, or -1, and what is there.
func cutFence(line string) (at int, language string) {
	text := line[note.LooseMarks([]byte(line)):]
	if !strings.HasPrefix(text, "```") && !strings.HasPrefix(text, "~~~") {
		return -1, ""
	}
	text = text[note.RunLength([]byte(text)):]
	return len(line) - len(text), strings.Trim(text, " \t\n")
}

// disarmLanguages turns blocks that Logseq may see in the code of another one into blocks of plain text. In a quote
// or list it breaks their fences with a space instead.
func (c *code) disarmLanguages(src []byte, n *ast.FencedCodeBlock, isOpen bool) {
	isSeen := isOpen
	for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
		at, language := cutFence(rawLine(src, line))
		if at < 0 {
			continue
		}
		switch isOpen = !isOpen; {
		case !isOpen && isSeen || codeblock.IsKnownLanguage(language):
		case c.fences.place != surroundings{}:
			c.insert(line.Start+note.LooseMarks([]byte(rawLine(src, line)))+1, 0, " ")
		default:
			c.insert(line.Start+strings.LastIndex(rawLine(src, line), language), len(language), codeblock.Plain(language))
		}
	}
}

// passFence sets the end to that of a block, and reports whether a line closes the block.
func (f *fenceState) passFence(src []byte, n *ast.FencedCodeBlock) bool {
	f.end = n.Pos()
	if k := n.Lines().Len(); k > 0 {
		f.end = n.Lines().At(k - 1).Stop
	} else if i := bytes.IndexByte(src[f.end:], '\n'); i >= 0 {
		f.end += i + 1
	} else {
		f.end = len(src)
	}
	line, _, _ := bytes.Cut(src[f.end:], []byte("\n"))
	fence := bytes.Trim(line, " \t>")
	if len(fence) < note.RunLength(src[n.Pos():]) || fence[0] != src[n.Pos()] || note.RunLength(fence) < len(fence) {
		return false
	}
	f.end += len(line)
	return true
}

// findPlace returns the surroundings of a block. isBroken says that the block is outside of quotes and lists, but
// right below the text of one; between are the lines behind the last block.
func findPlace(src []byte, n ast.Node, between []byte) (at surroundings, isBroken bool) {
	before := bytes.TrimRight(src[:n.Pos()], " \t>")
	if len(before) < 2 || bytes.HasSuffix(bytes.TrimRight(before[:len(before)-1], " \t>"), []byte("\n")) && !bytes.HasSuffix(before, []byte(" \n")) {
		between = nil // a blank line above; one of blanks is none to Logseq in an item
	}
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindBlockquote {
			at.quotes++
		}
		at.inList = at.inList || between != nil && isTextList(p)
	}
	if between == nil || at.quotes > 0 || at.inList {
		return at, false
	}
	for line := range bytes.Lines(between[:bytes.LastIndexByte(between, '\n')+1]) {
		isBroken = len(bytes.Trim(line, " \t>\n")) > 0 && (isBroken || textItem().Match(line))
	}
	above := n.PreviousSibling()
	return at, isBroken || above != nil && (above.Kind() == ast.KindBlockquote || isTextList(above))
}

func isTextList(n ast.Node) bool {
	list, ok := n.(*ast.List)
	return ok && list.Marker != '-'
}

// fenceOf is the fence that a block is to have, of ticks. One of tildes is text to Pandoc right below text, and the mark of
// a definition: https://pandoc.org/MANUAL.html#definition-lists. One as long as ticks in that text would be their partner, and
// one of three ticks below dashes the properties of a slide: https://github.com/slidevjs/slidev/blob/main/packages/parser/src/core.ts
func fenceOf(src []byte, n *ast.FencedCodeBlock, between []byte) string {
	fence := src[min(n.Pos(), len(src)-1):]
	size := note.RunLength(fence)
	if fence[0] == '~' {
		size = max(size, fenced.LongestTicks(n.Lines().Value(src))+1)
	}
	if bytes.HasPrefix(bytes.TrimLeft(fence, "`~ \t"), []byte("y")) && slideHead().Match(between) {
		size = max(size, 4)
	}
	return strings.Repeat("`", max(size, fenced.LongestBelow(src, n)+1, fenced.LongestTicks(fenced.BelowBlank(src[:n.Pos()], n.Pos()-len(between)))+1))
}

// writeFence writes the fences of a block that ends at end as they are to be, and returns where it ends with the last one.
func (c *code) writeFence(src []byte, n *ast.FencedCodeBlock, end int) int {
	sign, fence := src[n.Pos()], c.fences.fence
	c.insert(n.Pos(), note.RunLength(src[n.Pos():]), fence)
	var f fenceState
	if !f.passFence(src, n) {
		return end
	}
	at := bytes.LastIndexByte(src[:f.end], '\n') + 1
	at += bytes.IndexByte(src[at:], sign)
	size := note.RunLength(src[at:])
	c.insert(at, size, fence)
	return at + size
}
