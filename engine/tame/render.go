// Package tame turns markdown that others wrote into a part of a page: answers, and texts made of
// notes.
//
//	html := tame.HTML(text, tame.Style{Top: 3})
//
// # Promises
//
// Nothing of a text is run, a link leads only to the pages that [Style.Link] and [Style.Page] name, and
// only the pictures that [Style.Picture] names are loaded: others are their words. HTML is its text,
// comments are left out. Callouts and diagrams are folded.
// A text that would take far longer to read than it is long is shown as it is written.
package tame

import (
	"bytes"
	"cmp"
	"html"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	links "vaultdispatcher/engine/note/wikilink"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Style is how a text becomes part of a page.
type Style struct {
	Top     int                         // the level of its highest headings
	Titled  bool                        // the page says its first heading above it
	Targets bool                        // the target of a web link follows the link
	Scrolls bool                        // tables and code that are too wide scroll, also by keyboard
	Link    func(target string) string  // the address of the page of a note; "" = no page. nil = no note has one
	Page    func(target string) string  // the address of the page that a link of Markdown leads to; "" = none. nil = no link does
	Picture func(target string) string  // the address of a picture; "" = its words. nil = no picture has one
	Part    func(Part)                  // is told of each heading that links can lead to; nil = of none
	Marks   func(words string) [][2]int // the parts of a run of letters that match the search; nil = no marks
}

// Part is a part of a text, below a heading.
type Part struct {
	ID, Words string
	Level     int
}

// HTML returns a text as part of a page.
func HTML(text string, s Style) string {
	if !isTame(text) {
		return s.markWords("<pre>" + html.EscapeString(text) + "</pre>\n")
	}
	markdown := goldmark.New(
		goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone))),
		goldmark.WithParserOptions(
			parser.WithInlineParsers(util.Prioritized(wikilinks{}, 150)), // before links, behind code
			parser.WithASTTransformers(util.Prioritized(tidy{s}, 100))),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(plain{s}, 100))),
	)
	var b bytes.Buffer
	if err := markdown.Convert([]byte(text), &b); err != nil { // into memory: it cannot fail
		return ""
	}
	return s.markWords(strings.ReplaceAll(b.String(), `<th scope="col"></th>`, "<td></td>")) // a head without words heads nothing
}

// htmlPart is an element's tag, a character that is spelled by its name, or a run of letters: one
// word, or a clause without signs between its words.
var htmlPart = lazyregexp.New(`<[^>]*>|&[^;]*;|[\pL\pN\pM]+`)

// markWords marks the matches of a search in the text of a page; no value of an attribute has a < or a
// >.
func (s Style) markWords(page string) string {
	if s.Marks == nil {
		return page
	}
	return htmlPart().ReplaceAllStringFunc(page, func(part string) string {
		if part[0] == '<' || part[0] == '&' {
			return part
		}
		out, done := "", 0
		for _, at := range s.Marks(part) {
			out += part[done:at[0]] + "<mark>" + part[at[0]:at[1]] + "</mark>"
			done = at[1]
		}
		return out + part[done:]
	})
}

// wikilink is a link to a note, or a note that is embedded.
type wikilink struct {
	ast.BaseInline
	target, label string
}

var kindWikilink = ast.NewNodeKind("Wikilink")

func (*wikilink) Kind() ast.NodeKind            { return kindWikilink }
func (n *wikilink) Dump(source []byte, lvl int) { ast.DumpHelper(n, source, lvl, nil, nil) }

type wikilinks struct{}

// Trigger implements [parser.InlineParser].
func (wikilinks) Trigger() []byte { return []byte{'[', '!'} }

// Parse implements [parser.InlineParser].
func (wikilinks) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	found, ok := links.At(line)
	target := strings.TrimSuffix(found.To, `\`) // in a table the | is escaped
	if !ok || target == "" {
		return nil
	}
	block.Advance(found.End)
	return &wikilink{target: target, label: cmp.Or(found.Label, strings.ReplaceAll(target, "#", " › "))}
}

// plain writes what must not work on a page as its words.
type plain struct{ Style }

// RegisterFuncs implements [renderer.NodeRenderer].
func (s plain) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindLink, s.writeLink)
	r.Register(ast.KindImage, s.writePicture)
	r.Register(ast.KindAutoLink, whole(func(n ast.Node, source []byte) string {
		return html.EscapeString(string(n.(*ast.AutoLink).Label(source)))
	}))
	r.Register(ast.KindRawHTML, whole(func(n ast.Node, source []byte) string {
		return htmlAsText(string(n.(*ast.RawHTML).Segments.Value(source)), "code")
	}))
	r.Register(ast.KindHTMLBlock, whole(func(n ast.Node, source []byte) string {
		b := n.(*ast.HTMLBlock)
		all := b.Lines().Value(source)
		if b.HasClosure() {
			all = append(all[:len(all):len(all)], b.ClosureLine.Value(source)...)
		}
		return htmlAsText(string(all), "pre")
	}))
	r.Register(kindWikilink, whole(func(n ast.Node, _ []byte) string {
		link := n.(*wikilink)
		if s.Link != nil {
			if to := s.Link(link.target); to != "" {
				return `<a href="` + html.EscapeString(to) + `">` + html.EscapeString(link.label) + `</a>`
			}
		}
		return `<cite title="` + html.EscapeString(link.target) + `">` + html.EscapeString(link.label) + `</cite>`
	}))
	r.Register(ast.KindFencedCodeBlock, whole(func(n ast.Node, source []byte) string {
		code := s.openCode() + html.EscapeString(string(n.Lines().Value(source))) + "</code></pre>\n"
		if string(n.(*ast.FencedCodeBlock).Language(source)) == "mermaid" {
			return "<details><summary>As Mermaid</summary>" + code + "</details>\n"
		}
		return code
	}))
	r.Register(ast.KindCodeBlock, whole(func(n ast.Node, source []byte) string {
		return s.openCode() + html.EscapeString(string(n.Lines().Value(source))) + "</code></pre>\n"
	}))
	r.Register(ast.KindBlockquote, writeQuote)
}

// openCode opens a block of code.
func (s plain) openCode() string {
	if s.Scrolls {
		return `<pre tabindex="0"><code>`
	}
	return "<pre><code>"
}

var webTarget = lazyregexp.New(`^(?i:https?://|mailto:)`)

// writeLink writes the words of a link and, if wanted, its target: but for pages, the page itself links nowhere.
func (s plain) writeLink(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	to := string(n.(*ast.Link).Destination)
	if page := addressOf(s.Page, to); page != "" {
		tag := "</a>"
		if entering {
			tag = `<a href="` + html.EscapeString(page) + `">`
		}
		_, _ = w.WriteString(tag)
		return ast.WalkContinue, nil
	}
	if !entering && s.Targets && webTarget().MatchString(to) && wordsOf(n, source) != to {
		_, _ = w.WriteString(" <code>" + html.EscapeString(to) + "</code>")
	}
	return ast.WalkContinue, nil
}

// writePicture writes a picture that has an address, and of others the words.
func (s plain) writePicture(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	address := addressOf(s.Picture, string(n.(*ast.Image).Destination))
	if address == "" {
		return ast.WalkContinue, nil
	}
	if entering {
		_, _ = w.WriteString(`<img src="` + html.EscapeString(address) + `" alt="` + html.EscapeString(wordsOf(n, source)) + `">`)
	}
	return ast.WalkSkipChildren, nil
}

// addressOf is where a link or a picture of Markdown leads; empty where it is only its words.
func addressOf(find func(target string) string, target string) string {
	if find == nil {
		return ""
	}
	return find(target)
}

// whole writes a node with all that is in it.
func whole(write func(n ast.Node, source []byte) string) renderer.NodeRendererFunc {
	return func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString(write(n, source))
		}
		return ast.WalkSkipChildren, nil
	}
}

func writeQuote(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	begin, end := "<blockquote>\n", "</blockquote>\n"
	if summary, folded := n.AttributeString("summary"); folded {
		begin, end = "<details><summary>"+html.EscapeString(string(summary.([]byte)))+"</summary>\n", "</details>\n"
	}
	if !entering {
		begin = end
	}
	_, _ = w.WriteString(begin)
	return ast.WalkContinue, nil
}

// htmlAsText returns HTML as its source text; a comment becomes "".
func htmlAsText(text, element string) string {
	if strings.HasPrefix(strings.TrimSpace(text), "<!--") {
		return ""
	}
	return "<" + element + ">" + html.EscapeString(text) + "</" + element + ">"
}
