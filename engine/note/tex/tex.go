package sanitize

import (
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// longTeX is a length of two digits, in units of a letter's size or more.
const longTeX = `[0-9]{2}[0-9.]*\s*(?:e[mx]|cm|pc|cc)|[0-9][0-9.]*\s*in`

var (
	// texOrders are macros of MathJax and KaTeX that link, load or style, or that give a name a meaning for all formulas
	// of the page; and those by which LaTeX reads, writes and runs, to which Pandoc gives what it finds in text, and Doxygen's.
	// https://docs.mathjax.org/en/latest/input/tex/macros.html, https://katex.org/docs/supported.html,
	// https://pandoc.org/MANUAL.html#extension-raw_tex
	texOrders = lazyregexp.New(`^(?:` + strings.Join(strings.Fields(`
		href url includegraphics require style class cssId data bbox mmlToken unicode fontfamily texttip mathtip toggle action
		actiontype label def gdef edef xdef let futurelet global newcommand renewcommand providecommand newenvironment
		renewenvironment DeclareMathOperator DeclarePairedDelimiter DeclarePairedDelimiters DeclarePairedDelimiterX
		DeclarePairedDelimiterXPP Newextarrow NewDocumentCommand RenewDocumentCommand ProvideDocumentCommand newtagform
		renewtagform usetagform mathtoolsset definecolor setOptions catcode input include import subimport InputIfFileExists
		includepdf includesvg includeonly lstinputlisting verbatiminput VerbatimInput inputminted write immediate openin openout
		read readline directlua luaexec ShellEscape usepackage RequirePackage documentclass special externaldocument Sexpr csname
		expandafter attachfile embedfile includemedia includestandalone pdfximage pdfobj pdfliteral pdffiledump latelua luadirect
		loop newcolumntype DeclareDocumentCommand DeclareRobustCommand hypertarget hyperlink ltxinput endinput verbatimtabinput
		csvreader csvautotabular pgfplotstableread DTLloaddb font image dotfile mscfile diafile verbinclude htmlinclude
		latexinclude dontinclude snippet htmlonly cond copydoc scantokens scantextokens subfile subfileinclude addbibresource
		bibliography loadglsentries ExplSyntaxOn CatchFileDef verbatimfile newread newwrite py pyb pyc pys sage sagestr`), "|") + `)$`)

	// texBlocks are environments that do so.
	texBlocks = lazyregexp.New(`^begin\s*\{(?:luacode|filecontents|py|sage|asy|document|r?code|bash|shell)`)

	// plainTeX changes no formula but by its looks: how far the lines of tables are apart, until the page is drawn anew.
	plainTeX = lazyregexp.New(`^\\(?:def|renewcommand)\s*\{?\\arraystretch\}?\s*\{[0-9.]+\}`)

	// overTeX draws over the text around a formula, by lengths that no formula needs: https://katex.org/docs/supported.html#spacing
	overTeX = lazyregexp.New(`^(?:(?:[rR]ule\s*(?:\[[^\[\]]*\]\s*)?(?:\{[^{}]*\}\s*){1,2}\{|rule\s*\[|(?:raise(?:box)?|lower)\s*\{?)\s*[-+]?\s*(?:[0-9]{3}|` + longTeX +
		`)|(?:rule|m?kern|[hmv]space\*?|[hm]skip|move(?:left|right))\s*(?:\[[^\[\]]*\]\s*)?\{?\s*(?:[-+]?\s*[0-9]{3}|-\s*(?:` + longTeX + `)))`)

	// formulaLabel names a formula for the whole page, and shows nothing.
	formulaLabel = lazyregexp.New(`^\\label\s*\{[^{}$\\]*\}`)

	// formulaTag does so with what it shows: https://github.com/mathjax/MathJax-src/blob/master/ts/input/tex/Tags.ts
	formulaTag = lazyregexp.New(`^\\tag\*?\s*\{[^{}$\\]*\pL`)
)

// isTeXOrder reports whether s begins with the name of a macro that acts.
func isTeXOrder(s string) bool {
	n := 0
	for n < len(s) && n < 40 && isLetter(s[n]) {
		n++
	}
	return texOrders().MatchString(s[:n]) || overTeX().MatchString(s[:min(len(s), maxTarget)]) || texBlocks().MatchString(s[:min(len(s), 64)]) || n > 4 && strings.HasPrefix(s, "html") && s[4] < 'a'
}

// disarmTeX breaks orders of TeX in code that is a formula to Pandoc.
func (c *code) disarmTeX(line string, start int) {
	for at := range line {
		if line[at] == '\\' && isTeXOrder(line[at+1:]) {
			c.insert(start+at+1, 0, " ")
		}
	}
}
