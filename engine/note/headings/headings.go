// Package headings sees to it that no heading of an answer has the name of one that its note has ([Fit]).
package headings

import (
	"bytes"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/wikilink"
)

// Fit makes the headings of clean answers bold that are equal to one of the note: a link to the
// note's own (`[[Note#Summary]]`, `#summary`) would lead into the answer. As equal counts what any app
// takes for the same: letters and digits, without regard to case, and a number that apps add to the second of two.
// Doing it twice gives the same as once.
func Fit(src []byte, answers []string) []string {
	fitted, own := answers, headingNames(nil)
	seen := make(headingNames)
	for i, answer := range answers {
		if !mayBeHeading().MatchString(answer) {
			continue
		}
		if own == nil {
			own = namesOf(src)
			fitted = append([]string(nil), answers...)
		}
		fitted[i] = own.fit(markdown, answer, seen)
		if strings.Contains(answer, "]:") || strings.Contains(answer, "\n:") { // some apps see more headings in these
			fitted[i] = own.fit(moreMarkdown, fitted[i], seen)
		}
	}
	return fitted
}

// mayBeHeading is a line that may be one, or that makes one of the line above.
var mayBeHeading = lazyregexp.New(`(?m)^[ \t>*+\-.)0-9]*(?:#{1,6}(?:[ \t]|$)|=+[ \t]*$|-[ \t]*$)`)

// headingNames counts headings by what a link names them by. It has the names that apps make of equal ones, too.
type headingNames map[string]int

var (
	linkTarget = lazyregexp.New(`\]\([^()\s]*\)`)

	// notShown is what of a heading is not shown: targets, labels of targets, tags and comments.
	notShown = lazyregexp.New(`\]\([^()\s]*\)|\]\[[^\[\]]*\]|</?[A-Za-z][^<>]*>|%%.*?%%|<!--.*?-->`)
)

// nameOf is what of a heading a link names.
func nameOf(text string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	if name == "" {
		return strings.TrimSpace(text)
	}
	return name
}

// readNames returns what a heading is named by, and what else some apps name it by: all that is written there, what is
// shown of it, and the last one of several lines.
func readNames(text string) (name string, others []string) {
	name = nameOf(wikilink.Shown(linkTarget().ReplaceAllString(text, "")))
	last, shown := strings.TrimRight(text, "\n"), wikilink.Shown(text)
	last = last[strings.LastIndexByte(last, '\n')+1:]
	written := []string{text, html.UnescapeString(notShown().ReplaceAllString(shown, "")), last}
	if shown != text { // a comment or tag may begin or end in the target of a link
		written = append(written, html.UnescapeString(wikilink.Shown(notShown().ReplaceAllString(text, ""))))
	}
	for _, other := range written {
		if other = nameOf(other); other != name {
			others = append(others, other)
		}
	}
	return name, others
}

// namesOf are the headings of a note.
func namesOf(src []byte) headingNames {
	text := bytes.ReplaceAll(bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	names := make(headingNames)
	eachHeading(markdown, bytes.TrimPrefix(text, []byte("\ufeff")), func(h *ast.Heading, text string) {
		name, others := readNames(text)
		if n := names[name]; n > 0 {
			names[name+strconv.Itoa(n)]++
		}
		for _, name := range append(others, name) {
			names[name]++
		}
	})
	return names
}

// moreMarkdown knows the text of footnotes and of definitions, too.
var (
	markdown     = parser.NewParser(parser.WithBlockParsers(note.BlockParsers()...))
	moreMarkdown = parser.NewParser(parser.WithBlockParsers(append(note.BlockParsers(),
		util.Prioritized(extension.NewDefinitionListParser(), 101),
		util.Prioritized(extension.NewDefinitionDescriptionParser(), 102),
		util.Prioritized(extension.NewFootnoteBlockParser(), 999))...))
)

// eachHeading calls do with the headings of a text that have words, from top to bottom.
func eachHeading(p parser.Parser, src []byte, do func(h *ast.Heading, text string)) {
	root := note.ParseTree(p, src)
	if root == nil {
		return
	}
	var headings []*ast.Heading
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering && h.Lines().Len() > 0 {
			headings = append(headings, h)
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	slices.SortStableFunc(headings, func(a, b *ast.Heading) int { return a.Lines().At(0).Start - b.Lines().At(0).Start })
	for _, h := range headings {
		if text := string(h.Lines().Value(src)); strings.TrimSpace(text) != "" {
			do(h, text)
		}
	}
}

// fit makes the headings of an answer bold that are among the names, or would be for an app that numbers equal ones.
func (own headingNames) fit(p parser.Parser, answer string, seen headingNames) string {
	src := []byte(answer)
	var b strings.Builder
	from := 0
	eachHeading(p, src, func(h *ast.Heading, text string) {
		name, others := readNames(text)
		n := seen[name]
		seen[name]++
		isEqual := n > 0 && own[name+strconv.Itoa(n)] > 0
		for _, name := range append(others, name) {
			isEqual = isEqual || own[name] > 0
		}
		if !isEqual {
			return
		}
		if start, end, bold := makeBold(src, h); start >= from {
			b.WriteString(answer[from:start] + bold)
			from = end
		}
	})
	return b.String() + answer[from:]
}

// makeBold is what takes the place of the lines of a heading: a paragraph of its own.
func makeBold(src []byte, h *ast.Heading) (start, end int, bold string) {
	lines := h.Lines()
	first, last := lines.At(0), lines.At(lines.Len()-1)
	start, end = lineStart(src, first.Start), lineEnd(src, last.Start)
	lead := src[start:first.Start]
	text := strings.TrimRight(string(src[first.Start:last.Stop]), " \t\n")
	isUnderlined := !bytes.HasSuffix(bytes.TrimRight(lead, " \t"), []byte("#"))
	if !isUnderlined {
		lead = bytes.TrimRight(bytes.TrimRight(lead, " \t"), "#")
	}
	empty := emptyLine(lead)
	var b strings.Builder
	if len(bytes.Trim(lead, " \t>")) == 0 && start > 0 && len(bytes.Trim(src[lineStart(src, start-1):start-1], " \t>")) > 0 {
		b.WriteString(empty + "\n")
	}
	signs := "**"
	if strings.Contains(text, signs) && !strings.Contains(text, "__") {
		signs = "__"
	}
	b.WriteString(string(lead) + signs + text + signs)
	if isUnderlined { // the line below is no more
		end = lineEnd(src, min(end+1, len(src)))
	}
	if end < len(src) && len(bytes.Trim(src[end+1:lineEnd(src, end+1)], " \t>")) > 0 {
		b.WriteString("\n" + empty)
	}
	return start, end, b.String()
}

func lineStart(src []byte, at int) int { return bytes.LastIndexByte(src[:at], '\n') + 1 }

// lineEnd is where the line ends that at is in.
func lineEnd(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(src)
}

// emptyLine is an empty line in the containers that lead begins with.
func emptyLine(lead []byte) string {
	return strings.TrimRight(strings.Map(func(r rune) rune {
		if r == '>' {
			return r
		}
		return ' '
	}, string(lead)), " ")
}
