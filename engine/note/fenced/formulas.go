package fenced

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// formula is one, or a sign behind a backslash: https://pandoc.org/MANUAL.html#extension-tex_math_dollars
// commonmark_x of Pandoc takes Unicode's blanks for blanks, and the sign behind a line end for the end of one.
var (
	formula     = expression(formulaOf("", ""))
	wideFormula = expression(formulaOf(`\pZ`, `(?:[ \t]*\n[ \t>]*)?`))
	formulaHere = expression(`^(?:` + formulaOf("", "") + `)`)
)

func formulaOf(blanks, beforeEnd string) string {
	return strings.ReplaceAll(`(?s)\\.|\$\$.+?\$\$|\$(?:\\.|[^\s$\\])(?:[ \t]*\n?[ \t]*(?:\\.|[^\s$\\]))*`+beforeEnd+`\$`, `[^\s`, `[^\s`+blanks)
}

// ReplaceFormulas returns a text with its formulas as replace returns them, each without its signs.
func ReplaceFormulas(text string, replace func(formula string) string) string {
	return formula().ReplaceAllStringFunc(text, func(f string) string {
		if f[0] != '$' {
			return f
		}
		n := runLength([]byte(f[:2]))
		return f[:n] + replace(f[n:len(f)-n]) + f[len(f)-n:]
	})
}

// findFormulas returns where the formulas of a paragraph begin and end to Pandoc, which looks for them before code.
func findFormulas(text []byte) (spans [][]int) {
	if bytes.Count(text, []byte("$")) < 2 {
		return nil
	}
	for _, at := range append(formula().FindAllIndex(text, -1), wideFormula().FindAllIndex(text, -1)...) {
		if text[at[0]] == '$' {
			spans = append(spans, at)
		}
	}
	slices.SortFunc(spans, func(a, b []int) int { return a[0] - b[0] })
	return spans
}

// Formulas tells what is in a formula to Pandoc. The zero value is ready, for one text.
type Formulas struct {
	block ast.Node // that was asked for last
	spans [][]int  // of its formulas from the last offset on, from its first byte
}

// Contain reports whether an offset of src, in a paragraph or heading, is in a formula, which may end in a quote right below.
// Offsets are given from top to bottom.
func (f *Formulas) Contain(src []byte, block ast.Node, offset int) bool {
	begin := block.Lines().At(0).Start
	if f.block != block {
		end := block.Lines().At(block.Lines().Len() - 1).Stop
		below := src[end:min(len(src), end+near)]
		if blank := blankLine().FindIndex(bytes.TrimPrefix(below, []byte("\n"))); blank != nil {
			below = below[:blank[0]]
		}
		f.block, f.spans = block, findFormulas(src[begin:end+len(below)])
	}
	for len(f.spans) > 0 && begin+f.spans[0][1] <= offset {
		f.spans = f.spans[1:]
	}
	return len(f.spans) > 0 && begin+f.spans[0][0] < offset
}
