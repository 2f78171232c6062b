// Package indented writes code that is indented by four blanks as fenced code. Readers of Markdown do not agree on what is
// indented code, but on fences they do: so what is in it may stay as it is.
package indented

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	gtext "github.com/yuin/goldmark/text"
)

var (
	// mayBegin is a line that may be indented code.
	mayBegin = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[^\n]*(?: {4}|\t)`) })

	// holder begins a footnote or a definition, whose own text is indented by four blanks too.
	holder = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t>]*(?:\[\^[^\]\n]+\]:|[:~][ \t])`)
	})
)

// Fence returns a text with its indented code in fences. parse returns its blocks, or nil.
func Fence(s string, parse func(src []byte) ast.Node) string {
	if !mayBegin().MatchString(s) {
		return s
	}
	src := []byte(s)
	root := parse(src)
	if root == nil {
		return s
	}
	var b strings.Builder
	from := 0
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		code, ok := n.(*ast.CodeBlock)
		if !ok || !entering || isHeld(src, code) {
			return ast.WalkContinue, nil
		}
		if text, begin, end := write(src, code.Lines()); end > begin {
			b.WriteString(s[from:begin] + text)
			from = end
		}
		return ast.WalkContinue, nil
	})
	return b.String() + s[from:]
}

// isHeld reports whether a block may be the text of a footnote or definition.
func isHeld(src []byte, n ast.Node) bool {
	above := n.PreviousSibling()
	if above == nil || above.Kind() != ast.KindParagraph && above.Kind() != ast.KindTextBlock {
		return false
	}
	lines := above.Lines()
	return lines.Len() > 0 && holder().Match(src[lines.At(0).Start:lines.At(lines.Len()-1).Stop])
}

// write returns the fenced block in the place of the lines of code, and where they begin and end; nothing where a tab
// is a part of the indentation and of the code.
func write(src []byte, lines *gtext.Segments) (text string, begin, end int) {
	var b strings.Builder
	longest := 2
	for i := range lines.Len() {
		line := lines.At(i)
		at := bytes.LastIndexByte(src[:line.Start], '\n') + 1
		code := string(src[line.Start:line.Stop])
		prefix, ok := outdent(string(src[at:line.Start]))
		isBlank := strings.TrimSpace(code) == ""
		switch {
		case line.Padding > 0 || !ok && !isBlank:
			return "", 0, 0
		case isBlank:
			prefix, code = strings.TrimRight(string(src[at:line.Start]), " \t"), "\n"
		}
		if i == 0 {
			begin, text = at, prefix
			prefix = continueLine(prefix)
		}
		b.WriteString(prefix + strings.TrimSuffix(code, "\n") + "\n")
		longest, end = max(longest, longestTicks(code)), line.Stop
	}
	fence := strings.Repeat("`", longest+1)
	last := continueLine(text) + fence
	if end > 0 && src[end-1] == '\n' {
		last += "\n"
	}
	return text + fence + "\n" + b.String() + last, begin, end
}

// outdent takes four columns of blanks from the end of what is before a line of code.
func outdent(prefix string) (string, bool) {
	if before, ok := strings.CutSuffix(prefix, "    "); ok && !strings.Contains(before, "\t") {
		return before, true
	}
	before, ok := strings.CutSuffix(prefix, "\t")
	return before, ok && len(before)%4 == 0 && !strings.Contains(before, "\t")
}

// continueLine is what a further line of the block begins with that this one begins: the signs of quotes stay, those of
// items are blanks.
func continueLine(prefix string) string {
	return strings.Map(func(r rune) rune {
		if r == '>' {
			return r
		}
		return ' '
	}, prefix)
}

func longestTicks(text string) (longest int) {
	for at := strings.IndexByte(text, '`'); at >= 0; at = strings.IndexByte(text, '`') {
		rest := strings.TrimLeft(text[at:], "`")
		longest, text = max(longest, len(text)-at-len(rest)), rest
	}
	return longest
}
