package sanitize

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/codeblock"
	"vaultdispatcher/engine/note/fenced"
	"vaultdispatcher/engine/note/sanitize/acts"
	"vaultdispatcher/engine/note/target"
	"vaultdispatcher/engine/note/tex"
)

// answerMarkdown reads an answer as if HTML were text, which most of it is going to be.
var answerMarkdown = parser.NewParser(
	parser.WithBlockParsers(note.BlockParsers()...),
	parser.WithInlineParsers(util.Prioritized(parser.NewCodeSpanParser(), 100)),
)

// code is where an answer is code and so shown as it is.
type code struct {
	spans    []note.Span // fenced blocks and code spans, sorted, disjoint
	own      map[int]int // where the text of a line of code with a tab begins, behind what holds it, by where the line begins
	split    ast.Node    // the table in which code was cut last
	tags     []int       // where code spans with a tag begin; sorted
	inserts  []insertion // text that makes code harmless; sorted
	fences   fenceState  // Logseq's reading of the blocks so far
	formulas fenced.Formulas
	defs     []definition   // of links, sorted
	byLabel  map[string]int // the first of them with each label
}

// insertion is text that is inserted before the byte at an offset, or replaces size bytes there.
type insertion struct {
	offset int
	text   string
	size   int // of the replaced text
}

// readCode finds the code of an answer. Without spans, code spans count as text.
func readCode(s string, spans bool) code { return readCodeIn(s, spans, surroundings{}) }

// readCodeIn is readCode for an answer in a place in a note, see [Replies].
func readCodeIn(s string, spans bool, place surroundings) code {
	c := code{fences: fenceState{place: place}, own: map[int]int{}}
	var line fenced.Ticks
	src := []byte(s)
	root := parseAnswer(src)
	if root == nil {
		return c // nothing is code then, and everything is rewritten
	}
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			c.addFence(src, n)
		case *ast.Paragraph, *ast.TextBlock, *ast.Heading:
			if n.Kind() != ast.KindHeading {
				c.addDefinitions(src, n.Lines())
			}
			if !spans || hasUnclearCode(src, n.Lines()) {
				return ast.WalkSkipChildren, nil
			}
		case *ast.CodeSpan:
			c.addSpan(src, n, &line)
		}
		return ast.WalkContinue, nil
	})
	return c
}

func (c *code) addFence(src []byte, n *ast.FencedCodeBlock) {
	span := note.Span{Start: n.Pos(), End: n.Pos()}
	info, text := "", string(n.Lines().Value(src))
	if n.Info != nil {
		span.End = n.Info.Segment.Stop
		info = string(n.Info.Segment.Value(src))
	}
	isKnown := codeblock.IsKnownLanguage(info) && !strings.Contains(info, "`")
	if codeblock.IsDiagram(info) {
		c.spaceOut(src, n.Lines())
		text = otherSpace().ReplaceAllString(text, " ")
		isKnown = codeblock.IsPlainDiagram(text)
	}
	switch words := strings.Fields(info); {
	case !isKnown:
		c.insert(n.Info.Segment.Start, len(info), codeblock.Plain(info))
	case len(words) > 1 && (n.Parent().Kind() != ast.KindDocument || strings.Contains(text, "```") || blankLine().MatchString(text)):
		// Pandoc takes a block with more words for code in a line, which ends here:
		// https://pandoc.org/MANUAL.html#extension-fenced_code_attributes
		c.insert(n.Info.Segment.Start, len(info), words[0])
	}
	k := n.Lines().Len()
	if k > 0 {
		span.End = n.Lines().At(k - 1).Stop
	}
	c.insertAll(acts.Split, string(src[span.Start:span.End]), span.Start)
	if anyTag().MatchString(text) {
		c.insertAll(acts.Slide, string(src[span.Start:span.End]), span.Start)
	}
	isPlain, isSeen := c.fences.isPlainFence(src, n, text)
	span.End = c.writeFence(src, n, max(span.End, n.Pos()+note.RunLength(src[n.Pos():])))
	for _, line := range n.Lines().Sliced(0, k) {
		c.disarm(rawLine(src, line), line.Start, isPlain)
		begin := bytes.LastIndexByte(src[:line.Start], '\n') + 1
		switch hasTab := bytes.IndexByte(src[begin:line.Stop], '\t') >= 0; {
		case hasTab && n.Parent().Kind() == ast.KindDocument:
			c.own[begin] = begin
		case hasTab && line.Padding == 0: // else readers differ about how much of a tab is text
			c.own[begin] = line.Start
		}
	}
	c.disarmQuery(src, n.Lines())
	if !isPlain {
		c.disarmLanguages(src, n, isSeen)
	}
	c.spans = append(c.spans, span)
}

// rawLine is a line as it is spelled, without the spaces that goldmark takes a part of a tab for.
func rawLine(src []byte, line gtext.Segment) string { return string(src[line.Start:line.Stop]) }

// insert notes text for the place of size bytes. Most comes from top to bottom.
func (c *code) insert(at, size int, text string) {
	i := len(c.inserts)
	for i > 0 && c.inserts[i-1].offset > at {
		i--
	}
	if in := (insertion{at, text, size}); i == 0 || c.inserts[i-1] != in {
		c.inserts = slices.Insert(c.inserts, i, in)
	}
}

// inTail is what ends no link's target and begins no title of one.
const inTail = "(?:[^()<>\"'\\\\`\n]|<[^()<>\"'\\\\`\n]+>)"

var (
	linkTail  = lazyregexp.New(`\][(\[]`)
	splitText = lazyregexp.New("\\[[^\\[\\]`]*`[^`\\[\\]]*\\]") // a tick in brackets, whose partner is behind them
	// Brackets without a tick begin or end no code, whatever they are.
	plainTail = lazyregexp.New("^\\](?:\\((?:" + inTail + "|\\(" + inTail + "*\\))*(?: \"[^\"<>\\\\`\n]*\")?\\)|\\[[^\\[\\]\\\\`\n]*\\])")
)

// hasUnclearCode reports whether it takes all the rules of links to see where the code spans of a paragraph begin: a backtick in
// a link's target begins none, and so turns around what is code and what is text behind it. Nothing counts as code there.
func hasUnclearCode(src []byte, lines *gtext.Segments) bool {
	if lines.Len() == 0 {
		return false
	}
	b := src[lines.At(0).Start:lines.At(lines.Len()-1).Stop]
	if bytes.IndexByte(b, '`') < 0 {
		return false
	}
	if b[0] == '[' && bytes.Contains(b, []byte("]:")) && !definesFootnotes(b) || splitText().Match(b[fenced.SureCode(b):]) || fenced.HasUnsureTicks(b) || fenced.HasPairAbove(src, lines.At(0).Start, b) {
		return true
	}
	for _, at := range linkTail().FindAllIndex(b, -1) {
		if !plainTail().Match(b[at[0]:]) {
			return true
		}
	}
	return false
}

// splitsCode is what ends code in a table: the end of its cell or row.
var splitsCode = lazyregexp.New(`\n|(?:^|[^\\])\|`)

// blockOf returns the block around an inline node.
func blockOf(n ast.Node) ast.Node {
	for n.Type() == ast.TypeInline {
		n = n.Parent()
	}
	return n
}

func (c *code) addSpan(src []byte, n *ast.CodeSpan, line *fenced.Ticks) {
	first, ok1 := n.FirstChild().(*ast.Text)
	last, ok2 := n.LastChild().(*ast.Text)
	if !ok1 || !ok2 {
		return
	}
	span := note.Span{Start: first.Segment.Start, End: last.Segment.Stop}
	open := bytes.LastIndexByte(src[:span.Start], '`') // a line end behind it is no part of the text
	block := blockOf(n)
	if inside := src[open+1 : span.End]; block == c.split || splitsCode().Match(inside) && fenced.HasTableRule(fenced.WithBlockAbove(src, block.Lines().At(0).Start)) {
		c.split = block // whose other ticks are paired in another way then
		return
	}
	text := string(src[span.Start:span.End])
	isPlain := line.IsPlain(src, open, span.End)
	c.disarm(string(src[open:span.End]), open, isPlain) // its first line begins with a tick
	if c.formulas.Contain(src, block, open) {
		c.disarmTeX(text, span.Start)
	}
	c.disarmSpan(string(src[open+1:span.End]), open+1)
	if anyTag().MatchString(text) {
		c.tags = append(c.tags, span.Start)
	}
	c.spans = append(c.spans, span)
}

// disarmSpan breaks the act that the code of a span begins with, by brackets or a space; and those that code would begin
// with for who reads its ticks in other pairs.
func (c *code) disarmSpan(text string, start int) {
	if begin, at, mend := findSpanAct(text, 0); mend == " " {
		c.insert(start+at, 0, mend)
	} else if at >= 0 {
		c.insert(start+begin, 0, "(")
		c.insert(start+len(text), 0, ")")
	}
	for i := 0; i < len(text); {
		next := strings.IndexByte(text[i:], '`')
		if next < 0 {
			return
		}
		i += next + note.RunLength([]byte(text[i+next:]))
		if _, at, mend := findSpanAct(text, i); at >= 0 {
			c.insert(start+at, 0, mend)
		}
	}
}

// otherSpace is one of Unicode's, which Mermaid takes for a simple one.
var otherSpace = lazyregexp.New(`[\x{a0}\x{1680}\x{2000}-\x{200a}\x{202f}\x{205f}\x{3000}]`)

// spaceOut makes simple spaces of the others.
func (c *code) spaceOut(src []byte, lines *gtext.Segments) {
	for _, line := range lines.Sliced(0, lines.Len()) {
		for _, at := range otherSpace().FindAllStringIndex(rawLine(src, line), -1) {
			c.insert(line.Start+at[0], at[1]-at[0], " ")
		}
	}
}

// disarmTeX breaks orders of TeX in code that is a formula to Pandoc.
func (c *code) disarmTeX(line string, start int) {
	for at := range line {
		if line[at] == '\\' && tex.IsOrder(line[at+1:]) {
			c.insert(start+at+1, 0, " ")
		}
	}
}

// disarmQuery breaks the query that a block of code begins with, or a definition.
func (c *code) disarmQuery(src []byte, lines *gtext.Segments) {
	for i := range lines.Len() {
		line := lines.At(i)
		text := rawLine(src, line)
		if strings.Trim(text, target.Blanks) == "" {
			continue
		}
		switch begin, at, _ := findSpanAct(strings.TrimRight(text, "\n"), 0); {
		case c.fences.isDefined && definitionLine().MatchString(text) && !strings.HasPrefix(text, "    "):
			c.insert(line.Start, 0, "    ") // https://github.com/markdown-it/markdown-it-deflist takes the fence for what it defines
		case at < 0:
		case text[begin] == '=':
			c.insert(line.Start+begin, 0, "formula: ")
		}
		return
	}
}
