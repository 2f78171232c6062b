package sanitize

import (
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

var (
	// mathActs is a macro of MathJax or KaTeX that links, loads or styles, or that gives a name a meaning for all
	// formulas of the page.
	// https://docs.mathjax.org/en/latest/input/tex/extensions/html.html,
	// https://docs.mathjax.org/en/latest/input/tex/macros.html
	mathActs = lazyregexp.New(`^\\(?:href|url|includegraphics|require|style|class|cssId|data|bbox|mmlToken|html[A-Z][A-Za-z]*|unicode|fontfamily|texttip|toggle|action|label|[gex]?def|let|newcommand|renewcommand|providecommand|(?:re)?newenvironment|DeclareMathOperator)(?:[^A-Za-z]|$)`)

	// drawer begins properties of another form.
	drawer = lazyregexp.New(`(?i)^:properties:`)

	// lineActs begins a line that Logseq or an app like Markdown Preview Enhanced
	// acts on: blocks of queries and exports, files to be read in.
	lineActs = lazyregexp.New(`^(?:#\+[A-Za-z]|@import)`)

	// angleTarget is a target that may hold blanks. Without its brackets it is no HTML to
	// anyone.
	angleTarget = lazyregexp.New(`^\]\(<([^<>()\[\]{}\\\n\t\x60@$%]+)>`)

	// noBraces makes words of orders to an app, as in a block of code ([code.makeText]).
	noBraces = strings.NewReplacer("{", "(", "}", ")")

	// codeLine is a line indented as code that Dataview would take for a query.
	codeLine = lazyregexp.New(`^\$?=`)
)

// writeAct writes what stands for the syntax at i that an app or its plugin would act on
// outside of code, and returns where the following character is, or i if there is none.
// In a formula a space is put where a backslash would be part of it.
func (w *textRewriter) writeAct(i int) int {
	rest := w.in[i:]
	if i == w.lead {
		if next := w.writeLineStart(i); next > i {
			return next
		}
	}
	switch rest[0] {
	case '\\':
		if len(rest) > 1 && rest[1] == '<' && len(rest) > 2 && (isLetter(rest[2]) || strings.IndexByte("/!?%", rest[2]) >= 0) {
			return w.writeFor("&lt;", i+2)
		}
		if mathActs().MatchString(rest[:min(len(rest), 24)]) {
			return w.writeFor(`\ `, i+1)
		}
	case '{':
		if len(rest) > 1 && strings.IndexByte("{%#", rest[1]) >= 0 { // {#name} names a heading or block
			return w.breakPair(i)
		}
	case '@':
		if strings.HasPrefix(rest[1:], "@") || strings.HasPrefix(rest[1:], "[") {
			return w.breakPair(i)
		}
	case '[':
		if strings.HasPrefix(rest[1:], ":") {
			return w.breakPair(i)
		}
	case ']':
		if strings.HasPrefix(rest[1:], "(") && isUnsafeLink(rest[2:]) || strings.HasPrefix(rest[1:], ":") && !w.endsNoteLink(i) {
			return w.breakPair(i)
		}
		if m := angleTarget().FindStringSubmatch(rest[:min(len(rest), maxTarget)]); m != nil && !w.overlapsCode(i, i+len(m[0])) {
			return w.writeFor("]("+strings.ReplaceAll(m[1], " ", "%20"), i+len(m[0]))
		}
	case '^':
		if w.isBlockName(i) {
			return w.writeFor(`\^`, i+1)
		}
	case ':':
		if namesBlock(w.in, i) {
			return w.writeFor(`\:`, i+1)
		}
		if strings.HasPrefix(rest[1:], "//") && i >= w.urlEnd {
			if isForeignScheme(w.in[:i]) {
				return w.breakPair(i)
			}
			w.urlEnd = min(len(w.in), i+maxTarget)
			if n := strings.IndexAny(w.in[i:w.urlEnd], " \t\n<>()[]\"'`"); n >= 0 {
				w.urlEnd = i + n
			}
		}
	}
	return i
}

// namesBlock reports whether the colon at i ends the key of a property by which Logseq finds the block
// that others link to, or the template that it puts into a new page, or begins a drawer of properties.
// Logseq finds them in more places than the beginning of a line, and drops signs from a key.
// https://github.com/logseq/logseq/blob/001e0d302d2db02356c9e4e061982fc86e71a1f0/deps/graph-parser/src/logseq/graph_parser/block.cljs
func namesBlock(s string, i int) bool {
	rest := s[i:]
	if !strings.HasPrefix(rest, "::") {
		return drawer().MatchString(rest[:min(len(rest), 12)])
	}
	if len(rest) > 2 && strings.IndexByte(" \t\n", rest[2]) < 0 {
		return false
	}
	key := s[strings.LastIndexAny(s[:i], " \t\n>")+1 : i]
	switch strings.ToLower(keySigns.Replace(key)) {
	case "id", "custom-id", "template":
		return true
	}
	return false
}

// keySigns makes the key that Logseq reads of one as it is spelled.
var keySigns = strings.NewReplacer(`"`, "", "^", "", "(", "", ")", "", "{", "", "}", "", "|", "", "_", "-")

// writeFor writes text in the place of what ends at next.
func (w *textRewriter) writeFor(text string, next int) int {
	w.WriteString(text)
	return next
}

// breakPair writes two characters so that they are read one by one.
func (w *textRewriter) breakPair(i int) int {
	w.WriteByte(w.in[i])
	if i < w.mathEnd {
		w.WriteByte(' ')
		return i + 1
	}
	w.WriteByte('\\')
	w.WriteByte(w.in[i+1])
	return i + 2
}

// writeLineStart takes the meaning from the beginning of a line: an order to Logseq, a
// query in indented code, a fence that not every app takes for text.
func (w *textRewriter) writeLineStart(i int) int {
	rest := w.in[i:min(len(w.in), i+maxTarget)]
	switch rest[0] {
	case '#', '@':
		if lineActs().MatchString(rest) {
			return w.writeFor(`\`+rest[:1], i+1)
		}
	case '=', '$':
		if codeLine().MatchString(rest) && strings.HasSuffix(w.in[:i], "    ") {
			return w.writeFor(`\`+rest[:1], i+1)
		}
	case '`', '~':
		line, _, _ := strings.Cut(rest, "\n")
		n := note.RunLength([]byte(line))
		info := strings.TrimLeft(line[n:], " \t")
		if n >= 3 && !strings.Contains(info, "`") && !isKnownLanguage(info) {
			if name, _, _ := strings.Cut(info, " "); strings.EqualFold(name, "text") {
				return w.writeFor(noBraces.Replace(line), i+len(line))
			}
			return w.writeFor(line[:n]+"text ", i+n)
		}
	}
	return i
}

// beginMath finds the end of the formula that n dollar signs at i begin, as Obsidian
// does. A formula that is missed, or one too many, costs looks and not safety.
func (w *textRewriter) beginMath(i, n int) {
	if i == w.mathEnd && i > 0 {
		w.mathEnd = 0
		return
	}
	if n > 2 || i < w.mathEnd || i < w.mathNone {
		return
	}
	sign := "$$"[:n]
	from := i + n
	if n == 1 && (from == len(w.in) || strings.IndexByte(" \t\n", w.in[from]) >= 0) {
		return
	}
	near := w.in[from:min(len(w.in), from+maxEmphasis)]
	if end := strings.Index(near, "\n\n"); end >= 0 && n == 1 {
		near = near[:end]
	}
	for at := 0; ; {
		end := strings.Index(near[at:], sign)
		if end < 0 {
			if n == 2 {
				w.mathNone = from
			} else {
				w.mathNone = from + len(near)
			}
			return
		}
		at += end + n
		if n == 2 || strings.IndexByte(" \t\\", near[at-n-1]) < 0 {
			w.mathEnd = from + at - n
			return
		}
	}
}
