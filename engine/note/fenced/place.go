package fenced

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
)

// outdent takes the blanks from before a block, so that nobody takes it into an item above. They are no part of the code.
func (w *writer) outdent(begin int, n *ast.FencedCodeBlock) {
	w.replace(begin, n.Pos(), "")
	for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
		if begin = bytes.LastIndexByte(w.src[:line.Start], '\n') + 1; line.Padding == 0 {
			w.replace(begin, line.Start, "")
		}
	}
}

// separateHolder writes a blank line above the outermost quote or list around a block that is right below something. To Pandoc
// it is a part of text there, but for a list in an item: https://pandoc.org/MANUAL.html#extension-blank_before_blockquote
func (w *writer) separateHolder(n ast.Node) {
	var holder ast.Node
	for p := n.Parent(); p != nil; p = p.Parent() {
		isPart := p.Kind() == ast.KindBlockquote || p.Kind() == ast.KindList && p.Parent().Kind() != ast.KindListItem
		if isPart && p.PreviousSibling() != nil && !p.HasBlankPreviousLines() {
			holder = p
		}
	}
	if holder != nil {
		w.writeBlank(holder.Pos())
	}
}

// LongestBelow is the longest run of ticks below a block that an item of four columns begins with, up to the item's end; else 0.
// No line of such an item is a fence to Pandoc before a blank one, so the block ends at the next that is as long.
func LongestBelow(src []byte, n *ast.FencedCodeBlock) int {
	prefix := src[bytes.LastIndexByte(src[:n.Pos()], '\n')+1 : n.Pos()]
	quote := bytes.LastIndexByte(prefix, '>') + 1
	if n.Parent().Kind() != ast.KindListItem || n.PreviousSibling() != nil || len(prefix)-quote-min(1, quote) < 4 {
		return 0
	}
	end := len(src)
	for p := n.Parent(); p != nil; p = p.Parent() {
		if next := p.NextSibling(); next != nil {
			end = next.Pos()
			break
		}
	}
	_, below, _ := bytes.Cut(src[min(endOf(src, n), end):end], []byte("\n")) // its own fence is no other
	return LongestTicks(below)
}

// isIndented reports whether a block is right below another one and behind more blanks than what it is in. To Pandoc it
// continues the text there.
func isIndented(src []byte, n ast.Node) bool {
	if n.PreviousSibling() == nil || n.HasBlankPreviousLines() {
		return false
	}
	prefix := src[bytes.LastIndexByte(src[:n.Pos()], '\n')+1 : n.Pos()]
	if first := n.Parent().FirstChild().Pos(); n.Parent().Kind() == ast.KindListItem {
		return len(prefix) > first-bytes.LastIndexByte(src[:first], '\n')-1
	}
	quote := bytes.LastIndexByte(prefix, '>') + 1
	return len(prefix)-quote > min(1, quote)
}

// findTail returns the block itself or a quote around it, which is right below an item, or below a footnote or definition that
// holds it, or nil. To Pandoc it is a part of that, up to a blank line, and one that is indented up to the first line that is
// not. marked takes such a quote for the item's: https://github.com/markedjs/marked/blob/master/src/Tokenizer.ts
func (w *writer) findTail(n ast.Node) (top ast.Node, isHeld bool) {
	p := n
	top = n
	for !p.HasBlankPreviousLines() && p.Pos() > n.Pos()-near {
		above := p.PreviousSibling()
		switch {
		case above == nil && p.Parent() == nil:
			return nil, false
		case above == nil:
			p = p.Parent()
			top = p
		case above.Kind() == ast.KindList:
			return top, false
		case holds(w.src, above):
			return top, true
		default:
			p = above
		}
	}
	return nil, false
}
