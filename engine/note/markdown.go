package note

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The parser knows CommonMark's blocks and, inline, only what can hide a line:
// code spans, HTML and what takes precedence over neither.
var markdown = parser.NewParser(
	parser.WithBlockParsers(append(BlockParsers(),
		util.Prioritized(parser.NewHTMLBlockParser(), 900))...),
	parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(parser.NewAutoLinkParser(), 300),
		util.Prioritized(parser.NewRawHTMLParser(), 400)),
)

// BlockParsers are the blocks of CommonMark but for HTML.
func BlockParsers() []util.PrioritizedValue {
	return []util.PrioritizedValue{
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	}
}

// layout is what the Markdown structure says about a note.
type layout struct {
	text  text
	root  ast.Node
	solid []region          // code and HTML, sorted, disjoint
	stand map[int]candidate // by the offset of "@agent-"
}

// candidate is a line whose text begins with "@agent-" right behind a quote
// marker.
type candidate struct {
	chain []ast.Node // the containers of its paragraph, outermost first
	node  ast.Node   // the paragraph
	index int        // of the line in it
}

// readStructure parses a note. It leaves out the lines before line from, the front matter. If it cannot read the note
// safely, it returns an empty layout and a reason.
func readStructure(p parser.Parser, t text, from int) (l layout, why Reason) {
	if tooDeep(t, from) {
		return l, TooDeep
	}
	root := ParseTree(p, plainBytes(t, from))
	if root == nil {
		return l, Unreadable
	}
	l = layout{text: t, root: root, stand: make(map[int]candidate)}
	l.walkTree(root, nil)
	slices.SortStableFunc(l.solid, func(a, b region) int { return cmp.Compare(a.Start, b.Start) })
	return l, ""
}

// ParseTree runs the Markdown parser. A fault in it must not end a process that
// watches over notes for years: there is no tree then, and the text it was given
// is left alone.
func ParseTree(p parser.Parser, src []byte) (root ast.Node) {
	defer func() {
		if recover() != nil {
			root = nil
		}
	}()
	return p.Parse(gtext.NewReader(src))
}

// ParseBlocks is ParseTree for a text whose lines are not parsed.
func ParseBlocks(src []byte) ast.Node {
	return ParseTree(parser.NewParser(parser.WithBlockParsers(BlockParsers()...)), src)
}

// plainBytes is the note as the Markdown parser is to see it, byte for byte at the
// same offsets: every line end is a line feed, the byte order mark and the front
// matter are blank lines.
func plainBytes(t text, from int) []byte {
	out := bytes.Clone(t.src)
	for i, c := range out {
		if c != '\r' {
			continue
		}
		if i+1 < len(out) && out[i+1] == '\n' {
			out[i] = ' '
		} else {
			out[i] = '\n'
		}
	}
	hide := t.textStart()
	if from > 0 {
		hide = t.nextStart(from - 1)
	}
	for i := range hide {
		if out[i] != '\n' {
			out[i] = ' '
		}
	}
	if hide > 0 {
		out[hide-1] = '\n' // the byte order mark must not indent the first line
	}
	return out
}

// walkTree collects the solid regions and the candidates below n.
func (l *layout) walkTree(n ast.Node, chain []ast.Node) {
	switch v := n.(type) {
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		l.addLines(n.Lines(), Code)
		return
	case *ast.HTMLBlock:
		l.addHTML(v)
		return
	case *ast.CodeSpan:
		l.addSpan(v)
		return
	case *ast.RawHTML:
		first, last := v.Segments.At(0), v.Segments.At(v.Segments.Len()-1)
		l.solid = append(l.solid, region{Span{first.Start, last.Stop}, htmlReason(l.text.src[first.Start:])})
		return
	case *ast.Paragraph, *ast.TextBlock, *ast.Heading:
		l.addCandidates(n, chain)
	case *ast.Blockquote, *ast.ListItem:
		chain = append(chain, n)
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		l.walkTree(c, chain)
	}
}

func (l *layout) addLines(lines *gtext.Segments, why Reason) {
	if n := lines.Len(); n > 0 {
		l.solid = append(l.solid, region{Span{lines.At(0).Start, lines.At(n - 1).Stop}, why})
	}
}

func (l *layout) addHTML(n *ast.HTMLBlock) {
	why := HTML
	if n.HTMLBlockType == ast.HTMLBlockType2 {
		why = Comment
	}
	l.addLines(n.Lines(), why)
	if n.HasClosure() {
		l.solid = append(l.solid, region{Span{n.ClosureLine.Start, n.ClosureLine.Stop}, why})
	}
}

func (l *layout) addSpan(n *ast.CodeSpan) {
	first, ok1 := n.FirstChild().(*ast.Text)
	last, ok2 := n.LastChild().(*ast.Text)
	if ok1 && ok2 {
		l.solid = append(l.solid, region{Span{first.Segment.Start, last.Segment.Stop}, InlineCode})
	}
}

func htmlReason(b []byte) Reason {
	if bytes.HasPrefix(b, []byte("<!--")) {
		return Comment
	}
	return HTML
}

// addCandidates looks at the lines of a paragraph. The parser has cut off the
// containers of each, so what it cut off must end with a quote marker; in a lazy
// continuation line it does not.
func (l *layout) addCandidates(n ast.Node, chain []ast.Node) {
	lines := n.Lines()
	for i := range lines.Len() {
		at := lines.At(i).Start
		if at < 0 || at > len(l.text.src) || !bytes.HasPrefix(l.text.src[at:], needle) {
			continue
		}
		before := l.text.src[l.text.starts[l.text.lineAt(at)]:at]
		if bytes.HasSuffix(bytes.TrimRight(before, " \t"), []byte(">")) && !inItem(before, chain) {
			l.stand[at] = candidate{chain: slices.Clone(chain), node: n, index: i}
		}
	}
}

// inItem reports whether a line that begins with before is text of a list item in
// the quote whose marker is the last on it: indented as deep as the item wants.
func inItem(before []byte, chain []ast.Node) bool {
	quote := bytes.LastIndexByte(before, '>')
	i := ownerIndex(chain, bytes.Count(before, []byte(">")))
	if i < 0 || i+1 >= len(chain) {
		return false
	}
	item, ok := chain[i+1].(*ast.ListItem)
	columns := columnsOf(before)
	return ok && columns[len(before)] > columns[quote+1]+item.Offset
}
