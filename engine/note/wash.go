package note

import (
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// answerMarkdown reads an answer as if HTML were text, which most of it is going
// to be. Links are read because a code span cannot begin inside a link's target.
var answerMarkdown = parser.NewParser(
	parser.WithBlockParsers(blockParsers()...),
	parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(parser.NewLinkParser(), 200)),
	parser.WithParagraphTransformers(
		util.Prioritized(parser.LinkReferenceParagraphTransformer, 100)),
)

// code is where an answer is code and so shown as it is.
type code struct {
	spans   []Span      // fenced blocks and code spans, sorted, disjoint
	top     []Span      // fenced blocks in no container
	inserts []insertion // what makes code run, made harmless; sorted
	closing string      // a fence, with the line end before it, that the answer lacks
}

type insertion struct {
	at   int
	text string
}

// readCode finds the code of an answer. Without spans, code spans count as text.
func readCode(s string, spans bool) code {
	var c code
	src := []byte(s)
	root, err := tree(answerMarkdown, src)
	if err != nil {
		return c // nothing is code then, and everything is rewritten
	}
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			c.addFence(src, n)
		case *ast.CodeSpan:
			if spans {
				c.addSpan(src, n)
			}
		}
		return ast.WalkContinue, nil
	})
	if last, ok := root.LastChild().(*ast.FencedCodeBlock); ok {
		c.closing = closingFence(s, last)
	}
	return c
}

func (c *code) addFence(src []byte, n *ast.FencedCodeBlock) {
	span := Span{n.Pos(), n.Pos()}
	if n.Info != nil {
		span.End = n.Info.Segment.Stop
		if runs(string(n.Language(src))) {
			c.inserts = append(c.inserts, insertion{n.Info.Segment.Start, "text "})
		}
	}
	if k := n.Lines().Len(); k > 0 {
		span.End = n.Lines().At(k - 1).Stop
	}
	c.spans = append(c.spans, span)
	if n.Parent().Kind() == ast.KindDocument {
		c.top = append(c.top, span)
	}
}

func (c *code) addSpan(src []byte, n *ast.CodeSpan) {
	first, ok1 := n.FirstChild().(*ast.Text)
	last, ok2 := n.LastChild().(*ast.Text)
	if !ok1 || !ok2 {
		return
	}
	span := Span{first.Segment.Start, last.Segment.Stop}
	c.spans = append(c.spans, span)
	inner := strings.TrimLeft(string(src[span.Start:span.End]), " \n")
	if strings.HasPrefix(inner, "$=") {
		c.inserts = append(c.inserts, insertion{span.End - len(inner) + 1, " "})
	}
}

// runs says whether a plugin of a note app executes a code block of the language
// when it shows the note. Inline, `$=` does the same.
func runs(language string) bool {
	switch strings.ToLower(language) {
	case "dataviewjs", "datacorejs", "datacorejsx", "datacorets", "datacoretsx", "js-engine", "meta-bind-js-view":
		return true
	}
	return false
}

func (c *code) fenced(off int) bool {
	for len(c.top) > 0 && c.top[0].End <= off {
		c.top = c.top[1:]
	}
	return len(c.top) > 0 && c.top[0].Start < off
}

// closingFence is the line that ends the last block of an answer, if it is a
// fenced one and the answer's last line is still its content.
func closingFence(s string, n *ast.FencedCodeBlock) string {
	end, lines := min(n.Pos(), len(s)), n.Lines()
	if lines.Len() > 0 {
		end = lines.At(lines.Len() - 1).Start
	}
	if end < strings.LastIndexByte(s, '\n')+1 {
		return ""
	}
	fence := s[min(n.Pos(), len(s)-1):]
	return "\n" + fence[:run([]byte(fence))]
}

// washer rewrites the text of an answer, from left to right.
type washer struct {
	strings.Builder
	in     string
	code   code
	lead   int // where the text of the current line begins, behind its containers
	lastGT int // the last '>' of the answer
	lone   int // the offset of a $$ without a partner, or -1
}

func wash(s string, c code) string {
	w := &washer{in: s, code: c, lastGT: strings.LastIndexByte(s, '>')}
	w.lone = w.loneFormula()
	w.lead = containers([]byte(s))
	for i := 0; i < len(s); {
		if end := w.verbatim(i); end > i {
			i = end
			continue
		}
		i = w.next(i)
	}
	return w.String()
}

// verbatim copies the code that begins at i and returns its end, or i.
func (w *washer) verbatim(i int) int {
	for len(w.code.spans) > 0 && w.code.spans[0].End <= i {
		w.code.spans = w.code.spans[1:]
	}
	if len(w.code.spans) == 0 || w.code.spans[0].Start > i {
		return i
	}
	end := w.code.spans[0].End
	for len(w.code.inserts) > 0 && w.code.inserts[0].at < end {
		in := w.code.inserts[0]
		w.code.inserts = w.code.inserts[1:]
		w.WriteString(w.in[i:in.at] + in.text)
		i = in.at
	}
	w.WriteString(w.in[i:end])
	if w.in[end-1] == '\n' {
		w.lead = end + containers([]byte(w.in[end:]))
	}
	return end
}

// next writes the character at i, or what takes its place, and returns where the
// following one stands.
func (w *washer) next(i int) int {
	switch c := w.in[i]; c {
	case '\\':
		end := min(i+2, len(w.in))
		if end == i+2 && w.in[i+1] != '\n' {
			w.WriteString(w.in[i:end])
			return end
		}
	case '\n':
		w.lead = i + 1 + containers([]byte(w.in[i+1:]))
	case '<':
		return w.angle(i)
	case '!':
		return w.image(i)
	case '%':
		n := run([]byte(w.in[i:]))
		w.WriteString("%" + strings.Repeat(`\%`, n-1))
		return i + n
	case '$':
		if i == w.lone {
			w.WriteString(`\$\$`)
			return i + 2
		}
		n := run([]byte(w.in[i:]))
		w.WriteString(w.in[i : i+n])
		return i + n
	}
	w.WriteByte(w.in[i])
	return i + 1
}

// loneFormula is the last of an odd number of $$ in the text.
func (w *washer) loneFormula() int {
	lone, odd := -1, false
	spans := w.code.spans
	for i := 0; i < len(w.in); i++ {
		for len(spans) > 0 && spans[0].End <= i {
			spans = spans[1:]
		}
		switch {
		case len(spans) > 0 && spans[0].Start <= i:
			i = spans[0].End - 1
		case w.in[i] == '\\':
			i++
		case w.in[i] == '$':
			n := run([]byte(w.in[i:]))
			if n == 2 {
				lone, odd = i, !odd
			}
			i += n - 1
		}
	}
	if !odd {
		return -1
	}
	return lone
}

var (
	autoLink = regexp.MustCompile("^<(?:https?://|mailto:)[^\\s<>\\[\\]\\\\`%$]+(?:%[^\\s<>\\[\\]\\\\`%$]+)*>")
	emphasis = regexp.MustCompile(`(?i)^</?(?:b|i|em|strong|u|s|sub|sup|kbd|mark|del|ins|small|br) ?/?>`)
	imageTag = regexp.MustCompile("(?i)^<img\\s[^<>`]*?\\bsrc\\s*=\\s*[\"']?(https?://[^\\s\"'<>\\[\\]\\\\`%$]+)[^<>`]*>")

	embedded   = regexp.MustCompile("^!\\[\\[[^\\[\\]\n<>`:\\\\]+\\]\\]")
	localImage = regexp.MustCompile("^!\\[[^\\[\\]\n<>`!\\\\]*\\]\\((?:[A-Za-z0-9_.% -]|/[A-Za-z0-9_.% -])+/?\\)")
)

// angle decides about a '<'. Kept are comparisons, plain links and emphasis; a tag
// that has its line for itself would begin a block of HTML, which swallows what
// follows up to the next blank line.
func (w *washer) angle(i int) int {
	rest := w.in[i:]
	if len(rest) < 2 || !letter(rest[1]) && !strings.ContainsRune("/!?%", rune(rest[1])) ||
		i > w.lastGT && i != w.lead {
		w.WriteByte('<')
		return i + 1
	}
	if m := autoLink.FindString(rest); m != "" {
		w.WriteString(m)
		return i + len(m)
	}
	if m := emphasis.FindString(rest); m != "" && !(i == w.lead && blankUpToEOL(rest[len(m):])) {
		w.WriteString(m)
		return i + len(m)
	}
	if m := imageTag.FindStringSubmatch(rest); m != nil && !w.holdsCode(i, i+len(m[0])) {
		w.WriteString("<" + m[1] + ">")
		return i + len(m[0])
	}
	w.WriteString("&lt;")
	return i + 1
}

func blankUpToEOL(s string) bool {
	s = strings.TrimLeft(s, " \t")
	return s == "" || s[0] == '\n'
}

func (w *washer) holdsCode(from, to int) bool {
	i := slices.IndexFunc(w.code.spans, func(s Span) bool { return s.End > from })
	return i >= 0 && w.code.spans[i].Start < to
}

// image decides about one or more '!' at i. Before an image of the vault they
// stay; before any other image they go, and it is a link.
func (w *washer) image(i int) int {
	n := run([]byte(w.in[i:]))
	last := i + n - 1
	if !strings.HasPrefix(w.in[i+n:], "[") || embedded.MatchString(w.in[last:]) || localImage.MatchString(w.in[last:]) {
		w.WriteString(w.in[i : i+n])
	}
	return i + n
}
