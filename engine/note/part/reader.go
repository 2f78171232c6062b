package part

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// reader is a note whose blocks are known by their lines, from 0.
type reader struct {
	*note.Page
	src   []byte
	spans []note.Span // of the lines
	root  ast.Node
	whole map[int]bool // lines of questions, answers, code and HTML
	asks  map[int]bool // those of questions and answers
}

func newReader(page *note.Page) (*reader, error) {
	r := &reader{Page: page, src: page.Text, spans: note.LineSpans(page.Text), root: page.Tree(), whole: make(map[int]bool), asks: make(map[int]bool)}
	if r.root == nil || note.IsTooDeep(page.Text) {
		return nil, errUnread
	}
	front := len(note.Properties(page.Text))
	if front > 0 {
		front += 2
	}
	r.markAsking()
	r.markCode(r.root)
	doubt := false // a comment or formula that begins in HTML may go on, for some app, to wherever
	for i := range r.spans {
		for _, mark := range []string{"%%", "$$"} {
			at := bytes.Index(r.lineBytes(i), []byte(mark))
			doubt = doubt || at >= 0 && r.whole[i] && !r.IsExample(r.spans[i].Start+at)
		}
		r.whole[i] = r.whole[i] || doubt || i < front
	}
	return r, nil
}

// markAsking notes the lines of questions and answers.
func (r *reader) markAsking() {
	doc := r.Doc()
	for _, m := range doc.Markers {
		for i := m.Line - 1; i < m.Ends; i++ {
			r.asks[i] = true
		}
	}
	for _, b := range doc.Blocks {
		for i := r.lineOf(b.Start); i <= r.lineOf(max(b.Start, b.End-1)); i++ {
			r.asks[i] = true
		}
	}
	for i, s := range r.spans {
		r.asks[i] = r.asks[i] || bytes.Contains(r.src[s.Start:s.End], []byte(note.MarkerStart))
		r.whole[i] = r.asks[i]
	}
}

// markCode notes the lines of code and HTML.
func (r *reader) markCode(n ast.Node) {
	switch n.Kind() {
	case ast.KindCodeBlock, ast.KindFencedCodeBlock, ast.KindHTMLBlock:
		first, last := r.lineOf(n.Pos()), r.lineOf(n.Pos())
		if lines := n.Lines(); lines.Len() > 0 {
			first, last = min(first, r.lineOf(lines.At(0).Start)), r.lineOf(lines.At(lines.Len()-1).Start)
		}
		if html, ok := n.(*ast.HTMLBlock); ok && html.HasClosure() {
			last = r.lineOf(html.ClosureLine.Start)
		}
		if n.Kind() == ast.KindFencedCodeBlock && last+1 < len(r.spans) && fenceMark().Match(r.lineBytes(last+1)) {
			last++
		}
		for i := first; i <= last; i++ {
			r.whole[i] = true
		}
		return
	}
	for c := n.FirstChild(); c != nil && c.Type() == ast.TypeBlock; c = c.NextSibling() {
		r.markCode(c)
	}
}

var fenceMark = lazyregexp.New("^[ \t>]*(?:```|~~~)")

func (r *reader) lineBytes(i int) []byte { return r.src[r.spans[i].Start:r.spans[i].End] }

func (r *reader) isMute(i int) bool { return note.IsMute(r.lineBytes(i)) }

// lineOf is the line of an offset.
func (r *reader) lineOf(off int) int {
	return max(0, sort.Search(len(r.spans), func(i int) bool { return r.spans[i].Start > off })-1)
}

// keptWords is kept text within a line of words: a name of a block, a footnote, a picture.
var keptWords = lazyregexp.New(`[ \t]+\^[A-Za-z0-9-]+[ \t]*$|\[\^[^\]\s]+\]:?|!\[[^\]\n]*\]\([^)\n]*\)`)

// keptLine is a line that is kept: a field, a definition of a link, the name of a block alone.
var keptLine = lazyregexp.New(`^[ \t>]*(?:(?:[-*+][ \t]+)?\[?\(?[\p{L}_][\p{L}\p{N} _/-]*::(?:[ \t]|$)|\[[^\]^\n][^\]\n]*\]:[ \t]|\^[A-Za-z0-9-]+[ \t]*$)`)

// stays reports whether a line is kept as a whole.
func (r *reader) stays(i int) bool {
	s := r.spans[i]
	if known, ok := r.whole[i]; ok && known {
		return true
	}
	is := keptLine().Match(r.lineBytes(i)) || s.Start == s.End && r.Hides(s.Start)
	if s.Start < s.End && !is {
		goesOn := func(i int) bool { return r.Hides(r.spans[i-1].End) && r.Hides(r.spans[i].Start) }
		is = i > 0 && goesOn(i) || i+1 < len(r.spans) && goesOn(i+1)
		is = is || isRest(r.lineBytes(i), r.keptIn(s))
	}
	r.whole[i] = is
	return is
}

// isRest reports whether a line consists of kept text alone.
func isRest(text []byte, kept []note.Span) bool {
	rest := []byte{}
	from := 0
	for _, part := range kept {
		rest, from = append(rest, text[from:part.Start]...), part.End
	}
	rest = append(rest, text[from:]...)
	return len(kept) > 0 && note.LooseMarks(rest) == len(rest)
}

// keptIn returns the kept text of a line of prose, by offsets in it: comments, formulas and tags, but no code within
// the line.
func (r *reader) keptIn(s note.Span) (parts []note.Span) {
	for off := s.Start; off < s.End; off++ {
		if !r.Hides(off) {
			continue
		}
		begin := off
		for off < s.End && r.Hides(off) {
			off++
		}
		if begin == 0 || r.src[begin-1] != '`' {
			parts = append(parts, note.Span{Start: begin - s.Start, End: off - s.Start})
		}
	}
	for _, found := range keptWords().FindAllIndex(r.src[s.Start:s.End], -1) {
		one := note.Span{Start: found[0], End: found[1]}
		free := !slices.ContainsFunc(parts, func(p note.Span) bool { return p.Start < one.End && one.Start < p.End })
		if free && !r.Hides(s.Start+one.Start) {
			parts = append(parts, one)
		}
	}
	slices.SortFunc(parts, func(a, b note.Span) int { return a.Start - b.Start })
	return parts
}

// words are those of a text, for their number.
func words(text string) []string {
	return slices.DeleteFunc(strings.Fields(sign.ReplaceAllString(text, "")), func(word string) bool {
		return !strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	})
}
