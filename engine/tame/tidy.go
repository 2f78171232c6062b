package tame

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"vaultdispatcher/engine/lazyregexp"
)

// tidy makes of what note apps read in a text what a page has for it.
type tidy struct{ Style }

// Transform implements [parser.ASTTransformer].
func (s tidy) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	source := reader.Source()
	var headings []*ast.Heading
	var quotes []*ast.Blockquote
	var paragraphs []*ast.Paragraph
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			headings = append(headings, n)
		case *ast.Blockquote:
			quotes = append(quotes, n)
		case *ast.Paragraph:
			paragraphs = append(paragraphs, n)
		case *ast.CodeSpan:
			if len(wordsOf(n, source)) <= shortCode {
				n.SetAttributeString("class", []byte("short"))
			}
		case *east.Table:
			if s.Scrolls {
				n.SetAttributeString("tabindex", []byte("0"))
			}
		case *east.TableCell:
			labelCell(n, source)
		}
		return ast.WalkContinue, nil
	})
	s.nameParts(headings, source)
	for _, p := range paragraphs {
		partCard(p, source)
		partFields(p, source)
	}
	for _, q := range quotes {
		foldCallout(q, source)
	}
}

// nameParts puts headings below those of the page, without a gap, and names them where links may lead
// to them.
func (s tidy) nameParts(headings []*ast.Heading, source []byte) {
	var above []int // the levels of the headings above one, as they were written
	names := make(ids)
	for i, h := range headings {
		words := wordsOf(h, source)
		id := names.take(words)
		if i == 0 && h.Level == 1 && s.Titled {
			h.Parent().RemoveChild(h.Parent(), h) // the title of the page says it
			continue
		}
		for len(above) > 0 && above[len(above)-1] >= h.Level {
			above = above[:len(above)-1]
		}
		above = append(above, h.Level)
		h.Level = min(s.Top+len(above)-1, 6)
		if s.Part != nil && id != "" {
			h.SetAttributeString("id", []byte(id))
			s.Part(Part{id, words, h.Level})
		}
	}
}

// ids are the ids of headings, each with the number of the headings that wanted it too.
type ids map[string]int

// take returns the id that GitHub gives to a heading of these words
// (https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#section-links).
func (all ids) take(words string) string {
	wanted := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Pc):
			return unicode.ToLower(r)
		}
		return -1
	}, words)
	id := wanted
	for _, taken := all[id]; taken; _, taken = all[id] {
		all[wanted]++
		id = fmt.Sprintf("%s-%d", wanted, all[wanted])
	}
	all[id] = 0
	return id
}

// shortCode is how many bytes a piece of code has that fits into a line of a telephone.
const shortCode = 32

// longCell is how many bytes a cell has that needs a wide column.
const longCell = 60

// labelCell says which column a cell belongs to, as a narrow page has no head above it, and whether it is long.
func labelCell(cell *east.TableCell, source []byte) {
	if cell.Parent().Kind() == east.KindTableHeader {
		cell.SetAttributeString("scope", []byte("col"))
		return
	}
	if len(wordsOf(cell, source)) > longCell {
		cell.SetAttributeString("class", []byte("long"))
	}
	head := cell.Parent().Parent().FirstChild().FirstChild() // a table begins with its header
	for before := cell.PreviousSibling(); before != nil && head != nil; before = before.PreviousSibling() {
		head = head.NextSibling()
	}
	if head != nil {
		cell.SetAttributeString("data-label", []byte(wordsOf(head, source)))
	}
}

// wordsOf is the text of a node without its marks.
func wordsOf(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
			}
		case *wikilink:
			if entering {
				b.WriteString(n.label)
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

var callout = lazyregexp.New(`^\[![A-Za-z-]+\][-+]?[ \t]*(.*)`)

// foldCallout takes the first line of a callout as what unfolds it (https://help.obsidian.md/callouts).
func foldCallout(q *ast.Blockquote, source []byte) {
	first, ok := q.FirstChild().(*ast.Paragraph)
	if !ok || first.Lines().Len() == 0 {
		return
	}
	line := first.Lines().At(0)
	found := callout().FindSubmatch(bytes.TrimSpace(line.Value(source)))
	if found == nil {
		return
	}
	summary := string(found[1])
	if summary == "" {
		summary = "Note"
	}
	q.SetAttributeString("summary", []byte(summary))
	for n := first.FirstChild(); n != nil; n = first.FirstChild() {
		first.RemoveChild(first, n)
		if t, ok := n.(*ast.Text); ok && t.SoftLineBreak() {
			break
		}
	}
}

// partCard parts the front of a card from its back, at a line that is a question mark
// (https://www.stephenmwangi.com/obsidian-spaced-repetition/flashcards/q-and-a-cards/).
func partCard(p *ast.Paragraph, source []byte) {
	for n := p.FirstChild(); n != nil; n = n.NextSibling() {
		sign, ok := n.(*ast.Text)
		before, isText := n.PreviousSibling().(*ast.Text)
		if !ok || !isText || !before.SoftLineBreak() || !sign.SoftLineBreak() {
			continue
		}
		if s := string(bytes.TrimSpace(sign.Segment.Value(source))); s != "?" && s != "??" {
			continue
		}
		front := ast.NewParagraph()
		front.SetAttributeString("class", []byte("front"))
		for c := p.FirstChild(); c != n; c = p.FirstChild() {
			front.AppendChild(front, c)
		}
		p.RemoveChild(p, n)
		p.Parent().InsertBefore(p.Parent(), p, front)
		return
	}
}

// field matches a line that is a property as it is read: "Year: 1982".
var field = lazyregexp.New(`^\pL[\pL\pN _-]{0,39}: `)

// partFields keeps each property of a list of them on a line of its own.
func partFields(p *ast.Paragraph, source []byte) {
	for i := range p.Lines().Len() {
		line := p.Lines().At(i)
		if !field().Match(line.Value(source)) {
			return
		}
	}
	for n := p.FirstChild(); n != nil; n = n.NextSibling() {
		if t, ok := n.(*ast.Text); ok && t.SoftLineBreak() {
			t.SetHardLineBreak(true)
		}
	}
}
