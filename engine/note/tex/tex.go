// Package tex tells what acts in TeX: in formulas of MathJax and KaTeX, and in text that Pandoc gives to LaTeX. [Macros] writes
// macros that formulas define in the places where they are used.
package tex

import (
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

var expression = lazyregexp.New

// longTeX is a length of two digits, in units of a letter's size or more.
const longTeX = `[0-9]{2}[0-9.]*\s*(?:e[mx]|cm|pc|cc)|[0-9][0-9.]*\s*in`

var (
	// texOrders are macros of MathJax and KaTeX that link, load or style, or that give a name a meaning for all formulas
	// of the page; and those by which LaTeX reads, writes and runs, to which Pandoc gives what it finds in text, and Doxygen's.
	// https://docs.mathjax.org/en/latest/input/tex/macros.html, https://katex.org/docs/supported.html,
	// https://pandoc.org/MANUAL.html#extension-raw_tex
	texOrders = expression(`^(?:` + strings.Join(strings.Fields(`
		href url includegraphics require style class cssId data bbox mmlToken unicode fontfamily texttip mathtip toggle action
		actiontype label [a-z]*def let futurelet global (?:re)?new[a-z]*(?:command|environment|theorem|counter|length|if|box|char|toks|tagform|type|alphabet|cases|read|write)x?
		providecommand (?:Declare|(?:Re)?[Nn]ew|Provide)[A-Z][A-Za-z]* Newextarrow usetagform mathtoolsset definecolor colorlet setOptions catcode [A-Za-z]*[iI]nput[A-Za-z]* include import subimport literate
		includepdf includesvg includeonly write immediate openin openout
		read readline directlua luaexec ShellEscape usepackage RequirePackage documentclass special externaldocument Sexpr csname char U
		expandafter attachfile embedfile includemedia includestandalone pdfximage pdfobj pdfliteral (?:pdf)?file(?:dump|size|moddate) (?:pdf)?mdfivesum latelua luadirect
		loop hypertarget hyperlink mathchoice TextOrMath message errmessage show
		csvreader csvautotabular pgfplotstableread DTLloaddb font image dotfile mscfile diafile verbinclude htmlinclude
		latexinclude dontinclude snippet htmlonly cond copydoc scantokens scantextokens subfile subfileinclude addbibresource
		bibliography loadglsentries ExplSyntaxOn CatchFileDef verbatimfile py pyb pyc pys sage sagestr
		internal msc if(?:[a-eg-z][a-z]*|f[a-z]+)? enddocument [hv]size pdf(?:pages?attr|map(?:file|line)|catalog|annot|startlink|names|extension|outline|info) (?:latex|xml|docbook|man|rtf)(?:only|include) include(?:lineno|doc) mainpage anchor IfFileExists (?:At|Before|After)(?:Begin|End)[A-Z][A-Za-z]* (?:pre|x?app|e?pre|e?app)tocmd x?patchcmd [A-Za-z]*[lL]etcs UseName ExpandArgs csuse hypersetup setlength
		addtolength everypar everymath everydisplay pagecolor shipout batchmode scrollmode stop makeatletter globaldefs
		minCDarrowwidth minCDarrowheight AddToHook[A-Za-z]* AddToShipoutPicture[A-Z]* AddEverypageHook [a-z]*attachfile animategraphics
	addplot [a-z]*graphics pgf(?:declare)?image XeTeX(?:pic|pdf)file ctxlua ctxcommand start[a-z]*lua[a-z]* startMPcode externalfigure typefile
	TextField PushButton ChoiceMenu CheckBox graphicspath hyperbaseurl (?:lst|fv|tikz|tcb)set pgfkeys setkeys after(?:group|assignment) (?:nonstop|errorstop)mode
	usemodule pagenumbering (?:set|addto|(?:ref)?step)counter addtocontents addcontentsline`), "|") + `)$`)

	// texSwitches change the rest of what Pandoc gives to LaTeX, where they are in text. A formula ends with itself what they
	// change: https://github.com/jgm/pandoc/blob/main/data/templates/default.latex loads the colours.
	texSwitches = expression(`^(?:(?:color|tiny|scriptsize|footnotesize|small|large|Large|LARGE|[hH]uge|fontsize|linespread|(?:this)?pagestyle|(?:one|two)column|newgeometry|centering|ragged(?:left|right)` +
		`|counterwithin|(?:scale|resize|rotate|raise)box|footnotetext|marginpar|vspace|appendix|(?:front|main|back)matter|(?:double|onehalf)spacing|sloppy|obey(?:lines|spaces)|enlargethispage|e(?:nd)?group|vskip|[hv]box\s+to|advance|multiply|divide|hyphenation|selectlanguage)(?:[^A-Za-z]|$)` +
		`|(?:hspace\*?|rule\s*(?:\[[^\[\]]*\]\s*)?(?:\{[^{}]*\}\s*)?)\{\s*(?:-?\s*(?:[0-9]{3}|[3-9][0-9.]*\s*cm|` + longTeX + `)|-\s*[2-9][0-9.]*\s*(?:em|cm|pc|cc))|` + register + `)`)

	// register is a length or number of TeX that is given a value: by its sign, or right behind the name.
	register = `(?:[A-Za-z]*(?:skip|indent|offset|width|height|margin|sep|surround|stretch|penalty|tolerance|linechar)|escapechar|mag|looseness|hangafter|LT(?:left|right|pre|post)|(?:math|uc|lc|sf|del)code)` +
		`(?:\s*=?\s*[-+]?\s*(?:[0-9.\x60]|\\(?:[a-z]*(?:width|height|margin|indent|sep)|(?:base|par)[a-z]*skip)(?:[^A-Za-z]|$))|\s*=\s*[-+]?\s*\\[A-Za-z])`

	// texBlocks are environments that do so.
	texBlocks = expression(`^(?:begin|end)\s*\{(?:luacode|filecontents|py|sage|asy|document|r?code|bash|shell|(?:tikz)?picture|textblock)`)

	// plainTeX changes no formula but by its looks: how far the lines of tables are apart, until the page is drawn anew.
	plainTeX = expression(`^\\(?:def|renewcommand)\s*\{?\\arraystretch\}?\s*\{[0-9]?(?:\.[0-9]+)?\}`)

	// KaTeX has names with an @ that show one of two words. overTeX hides words, or draws over the text around a formula, by lengths that no formula needs: https://katex.org/docs/supported.html#spacing
	overTeX = expression(`^(?:@[a-z]{3}|(?:smash|[bx]?cancel|begin\s*\{[a-z]+\*?\})\s*\[[^\[\]]*\pL{2}[ ~]+\pL{2}|enclose\s*\{(?:\s*\pL+\s){4}|(?:(?:make|frame|mathmake)box|[ou](?:ver|nder)bracket|shove(?:left|right)|begin\s*\{multlined\})\s*(?:\[[^\[\]]*\]\s*){0,2}\[\s*[-+]?\s*(?:[0-9]{3}|` + longTeX +
		`)|begin\s*\{spreadlines\}\s*\{\s*(?:[0-9]{3}|` + longTeX + `)|xmathstrut\s*(?:\[[^\[\]]*\]\s*)?[\[{]\s*-?\s*[0-9]{2}|(?:up|left)root\s*\{?\s*-?\s*(?:[0-9]{3}|[3-9][0-9])|` +
		// and a number of columns: each is drawn
		`begin\s*\{\s*(?:x{0,2}alignat|alignedat)\s*\*?\s*\}\s*(?:\[[^\[\]]*\]\s*)?\{\s*(?:[0-9]\s*){3}|[hv]?phantom\s*\{[^{}]*(?:\{[^{}]*)?\pL{2}(?:[ ~]|\\[ ,;:])+\pL{2}|(?:(?:[rR]ule|Space)\s*(?:\[[^\[\]]*\]\s*)?(?:\{[^{}]*\}\s*){1,2}\{|rule\s*\[|(?:raise(?:box)?|lower|move(?:left|right)|above|genfrac\s*(?:\{[^{}]*\}\s*){2})\s*\{?)\s*[-+]?\s*(?:[0-9]{3}|` + longTeX +
		`)|(?:rule|Space|m?kern|[hmv]space\*?|[hm]skip)\s*(?:\[[^\[\]]*\]\s*)?\{?\s*(?:[-+]?\s*[0-9]{3}|-\s*(?:` + longTeX + `)))`)

	// smashed draws what is high over the text around the formula: rows, what is moved, groups in groups. So does the label
	// of one: https://katex.org/docs/supported.html#equation-numbering
	smashed  = expression(`^(?:smash\s*(?:\[[^\[\]]*\]\s*)?|tag\s*\*?\s*)\{`)
	smashTeX = expression(`\\\\|\\(?:begin|substack|cr|raise|raisebox|lower|[rR]ule|Space|above|atop|genfrac|cfrac)[^A-Za-z]|(?:\{[^{}]*){3}`)

	// longRow is the end of a row with such a length, which pushes away what is below it or draws over it.
	longRow = expression(`^(\\\\\*?)\[\s*[-+]?\s*(?:[0-9]{3}|` + longTeX + `)[0-9.]*\s*[a-z]*\s*\]`)

	// unseenTeX names a formula for the whole page, or loads what MathJax loads by itself, and shows nothing.
	unseenTeX = expression(`^\\(?:label|require)\s*\{[^{}$\\]*\}[ \t]*`)

	// formulaTag does so with what it shows: https://github.com/mathjax/MathJax-src/blob/master/ts/input/tex/Tags.ts
	formulaTag = expression(`^\\tag\*?\s*\{[^{}$\\]*\pL`)
)

// noScript is what is no JavaScript whatever follows, since nothing before it hides it there: a backslash, a letter before a
// quotation mark or a brace, a number alone in braces. plainArgument calls nothing by a name of more than three letters, and
// gives nothing a value that an attribute may be named like.
var (
	noScript      = expression(`^\{(?:[^"'\x60/]*[^\w$"'\x60/])?(?:\\(?:[^u]|u[^0-9A-Fa-f{])|[A-Za-z](?:'|_\{))|^\{[^"'\x60/]*(?:\\(?:[^u]|u[^0-9A-Fa-f{])|\^\{(?:-|[0-9]+[}+-]))`)
	plainArgument = expression(`^\{(?:\w*[\^+\-*, )|;!\n]|\w{0,3}\(|(?:[A-Za-z](?:_[A-Za-z0-9]+)?|[A-Z][A-Za-z]|[0-9]+|\w{0,3}\)) *=|(?:[A-Za-z]|[0-9]+|\w{0,3}\))/|[0-9]+\.)*\w*\}`)
)

// hasAttribute names a class or an id, or gives a value to what may be a name or is in a string, for who reads any signs as attributes:
// https://github.com/arve0/markdown-it-attrs/blob/master/utils.js
var hasAttribute = expression(`^\{[^}]*(?:[\s{/>"'=][.#](?:[^0-9]|$)|=[^}]*\pL[^}]*[\s/>"'][.#]|[\pL_][-:]+=|"[^}]*=|'[A-Za-z]{2,}[/>"']*=)`)

// IsArgument reports whether the braces that s begins with are an argument of TeX, and no attributes or code to what takes
// braces for them: https://mdxjs.com/docs/what-is-mdx/#expressions
func IsArgument(s string) bool {
	s = s[:min(len(s), near)]
	if end := BracesEnd(s); end >= 0 {
		s = s[:end+1]
	}
	return noScript().MatchString(s) && !hasAttribute().MatchString(s) || plainArgument().MatchString(s)
}

// BracesEnd returns where the braces end that s begins with, or -1 if nothing ends them, or a string, a template, an
// expression or a comment in them may hide a brace.
func BracesEnd(s string) int {
	depth := 0
	for i := 0; i < len(s) && strings.IndexByte("\"'`/", s[i]) < 0; i++ {
		if s[i] == '{' {
			depth++
		} else if s[i] == '}' {
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// blockName is the name of an environment. TeX begins and ends it by an order of that name.
var blockName = expression(`^(?:begin|end)\s*\{\s*([\w:@*]+)\s*\}`)

// nameOfBlock is the name of the environment that s begins or ends, or "".
func nameOfBlock(s string) string {
	if found := blockName().FindStringSubmatch(s[:min(len(s), 64)]); found != nil {
		return found[1]
	}
	return ""
}

// near is as much of a text as is read.
const near = 300

// IsOrder reports whether s, which begins behind a backslash, begins with the name of a macro that acts.
func IsOrder(s string) bool {
	n := 0
	for n < len(s) && n < 40 && 'a' <= s[n]|0x20 && s[n]|0x20 <= 'z' {
		n++
	}
	name := nameOfBlock(s)
	return texOrders().MatchString(s[:n]) || name != "" && (strings.ContainsAny(name, "_:@") || texOrders().MatchString(strings.Trim(name, "*"))) || overTeX().MatchString(s[:min(len(s), near)]) || texBlocks().MatchString(s[:min(len(s), 64)]) || isSmashed(s) || n > 4 && strings.HasPrefix(s, "html") && s[4] < 'a'
}

// isSmashed reports whether s begins with what hides how high its argument is, and that may be higher than a line.
func isSmashed(s string) bool {
	head := smashed().FindString(s[:min(len(s), near)])
	if head == "" {
		return false
	}
	rest := s[len(head):min(len(s), len(head)+near)]
	depth := 1
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return smashTeX().MatchString(rest[:i])
			}
		}
	}
	return true
}

// IsSwitch reports whether s, which begins behind a backslash in text, changes the looks of what follows to its end.
func IsSwitch(s string) bool {
	return texSwitches().MatchString(s[:min(len(s), near)]) || texSwitches().MatchString(nameOfBlock(s))
}

// IsPlain reports whether the order that s begins with changes no more than how far lines are apart.
func IsPlain(s string) bool { return plainTeX().MatchString(s[:min(len(s), near)]) }

// IsTag reports whether s begins with a label that a formula shows, and that names it for the whole page.
func IsTag(s string) bool {
	return formulaTag().MatchString(s[:min(len(s), near)]) && !isSmashed(s[1:])
}

// LongRow returns the end of a row that s begins with, if a length behind it is one that no formula needs, and where that length ends.
func LongRow(s string) (end string, next int) {
	if found := longRow().FindStringSubmatch(s[:min(len(s), near)]); found != nil {
		return found[1], len(found[0])
	}
	return "", 0
}

// UnseenOf is the order that s begins with if a formula shows the same without it; else "".
func UnseenOf(s string) string { return unseenTeX().FindString(s[:min(len(s), near)]) }
