package note

import (
	"bytes"
	"fmt"
	"sort"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The depth up to which a note is read. Each container costs the Markdown parser
// a look at everything to its left, so a line of a million '>' would take hours;
// nobody nests this deep by hand.
//
// A marker and an answer get less, so that no answer can make a note unreadable
// that holds it.
const (
	maxMarks, maxColumn       = 100, 400 // of a note: markers at the beginning of a line, where the last may stand
	askMarks, askColumn       = 60, 150  // of a line that asks
	answerMarks, answerColumn = 32, 200  // of a line of an answer
)

// The parser knows CommonMark's blocks and, inline, only what can hide a line:
// code spans, HTML and what takes precedence over neither.
var markdown = parser.NewParser(
	parser.WithBlockParsers(append(blockParsers(),
		util.Prioritized(parser.NewHTMLBlockParser(), 900))...),
	parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(parser.NewAutoLinkParser(), 300),
		util.Prioritized(parser.NewRawHTMLParser(), 400)),
)

func blockParsers() []util.PrioritizedValue {
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
}

// read parses a note. Lines before line from, the front matter, are left out.
// It returns an error for what cannot be read safely.
func read(p parser.Parser, t text, from int) (*layout, error) {
	if line := tooDeep(t, from); line >= 0 {
		return nil, fmt.Errorf("reading the note's structure: line %d is nested too deep", line+1)
	}
	root, err := tree(p, plain(t, from))
	if err != nil {
		return nil, err
	}
	l := &layout{text: t, root: root, stand: make(map[int]candidate)}
	l.walk(root, nil)
	sort.SliceStable(l.solid, func(i, j int) bool { return l.solid[i].Start < l.solid[j].Start })
	return l, nil
}

// tree runs the Markdown parser. A panic in it must not end a process that
// watches over notes for years; the note is then left alone.
func tree(p parser.Parser, src []byte) (root ast.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, fmt.Errorf("reading the note's structure: the Markdown parser gave up: %v", r)
		}
	}()
	return p.Parse(gtext.NewReader(src)), nil
}

// plain is the note as the Markdown parser is to see it, byte for byte at the
// same offsets: every line end is a line feed, the byte order mark and the front
// matter are blank lines.
func plain(t text, from int) []byte {
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
	hide := t.base()
	if from > 0 {
		hide = t.next(from - 1)
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

// tooDeep is the first line that opens more containers than are read, or -1.
func tooDeep(t text, from int) int {
	for i := from; i < t.count(); i++ {
		line := t.line(i)
		if containers(line) > maxMarks && excess(line, maxMarks, maxColumn) >= 0 {
			return i
		}
	}
	return -1
}

// excess is the offset of the first quote or list marker of a line that is more
// than marks deep or stands behind column, or -1.
func excess(line []byte, marks, column int) int {
	for i, at := 0, 0; i < len(line); {
		n, width := container(line[i:], at)
		if n == 0 {
			break
		}
		if line[i] != ' ' && line[i] != '\t' {
			if marks--; marks < 0 || at > column {
				return i
			}
		}
		i, at = i+n, at+width
	}
	return -1
}

// lead is the length of the quote and list markers, and the space around them,
// that a line begins with.
func lead(line []byte) int {
	i := 0
	for at := 0; i < len(line); {
		n, width := container(line[i:], at)
		if n == 0 {
			break
		}
		i, at = i+n, at+width
	}
	return i
}

// container is the length and the width of the space or the marker that b begins
// with at column at; both are 0 for anything else.
func container(b []byte, at int) (length, width int) {
	switch b[0] {
	case '\t':
		return 1, 4 - at%4
	case ' ':
		return 1, 1
	}
	n := mark(b)
	return n, n
}

// mark is the length of the container marker that b begins with, or 0.
func mark(b []byte) int {
	n := leading(b, digit)
	var c byte
	if n < len(b) {
		c = b[n]
	}
	switch {
	case n == 0 && c == '>':
		return 1
	case n == 0 && (c == '-' || c == '+' || c == '*'), n > 0 && n < 10 && (c == '.' || c == ')'):
		n++
	default:
		return 0
	}
	if n < len(b) && b[n] != ' ' && b[n] != '\t' {
		return 0
	}
	return n
}

// walk collects the solid regions and the candidates below n.
func (l *layout) walk(n ast.Node, chain []ast.Node) {
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
		l.walk(c, chain)
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
		before := bytes.TrimRight(l.text.src[l.text.starts[l.text.at(at)]:at], " \t")
		if bytes.HasSuffix(before, []byte(">")) {
			l.stand[at] = candidate{chain: append([]ast.Node(nil), chain...)}
		}
	}
}
