package sanitize

import (
	"strings"
	"unicode"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note/target"
	"vaultdispatcher/engine/note/tex"
)

// bareAttribute is the name of an attribute that acts without a value. It allows signs that no name has between the
// letters: https://github.com/arve0/markdown-it-attrs/blob/master/utils.js
var bareAttribute = `(?i:` + strings.ReplaceAll(strings.Join(strings.Split("hidden|inert|popover|autofocus|contenteditable|download", ""), junk), junk+"|"+junk, "|") + `)\b`

const junk = `[\s/>"']*`

var (
	// callSign makes a group look like attributes (Pandoc, kramdown, goldmark, remark-directive) or like code (MDX, mdsvex:
	// https://mdxjs.com/docs/what-is-mdx/#expressions), as one of headSigns does where it begins. plainGroup is neither,
	// nor is an argument of TeX behind texGroup; nameGroup is one in a formula.
	callSign     = lazyregexp.New(`^\{[^}]*(?:=|[\w$\])][(\x60]|#|\.(?:[^\s0-9}]|[0-9]+[\pL_:]))`)
	plainGroup   = lazyregexp.New(`^\{(?:[A-Za-z0-9] *=[^}])?[A-Za-z0-9_^\\+\-*/ ,'|]*\}$`)
	bareGroup    = lazyregexp.New(`^\{(?:(?:[^}]*\b)?` + bareAttribute + `|[ \t-]*-[ \t]*\})`) // a dash is a class: https://pandoc.org/MANUAL.html#extension-header_attributes
	className    = lazyregexp.New(`^\.(?:\.?[^ \n.0-9{}]|[0-9]+[\pL_:-])`)
	valueName    = lazyregexp.New(`^(?:(\.+)(?:[^\s.0-9}#]|[0-9]+[\pL_:-])|([.#]*#[.#]*))`) // names a class or id where a space is before the equals sign
	namesByValue = lazyregexp.New(`=[^}]*(?:#|\.[^0-9])`)                                   // has a sign behind one: https://github.com/arve0/markdown-it-attrs/blob/master/utils.js
	bareName     = lazyregexp.New(`^` + bareAttribute)
	nameGroup    = lazyregexp.New(`^\{[\s\pZ]*(?:\.[^\s0-9}]|#(?:[^0-9]|[0-9]+[^\s0-9}])|[^}\\]*[\s\pZ]#[^0-9])`)
	texGroup     = lazyregexp.New(`(?:\\[A-Za-z]+(?:\{[^{}]*\})*|[\^_])[ \t]*$`)

	// headEnd is what ends a heading behind braces, and blockEnd a paragraph. To goldmark, Pandoc and markdown-it-attrs they are
	// attributes then, whatever is before them: https://github.com/yuin/goldmark/blob/master/parser/atx_heading.go
	headEnd  = lazyregexp.New(`^[ \t]*(?:#[# \t]*(?:\n|$)|\n[ \t>]*(?:=+|-+)[ \t]*(?:\n|$))`)
	blockEnd = lazyregexp.New(`^\}[ \t]*\n[ \t>]*\n`)

	// mathColor is a colour by its number, before what it colours.
	mathColor = lazyregexp.New(`(?:color(?:box)?|\{#[0-9A-Fa-f]{3,8}\})\{#[0-9A-Fa-f]{3,8}\}\{`)

	// mathAttribute is the name of an attribute that a formula has no use for, or one behind what ends emphasis, code or a link.
	mathAttribute = lazyregexp.New("(?:[A-Za-z:_.@-][A-Za-z:_-]|[*\\])`~+]\\{[A-Za-z<>!:+-]?)[ \\t\\n]*$")

	// emptyAttribute is a name alone in its braces, and emptyAct one that acts so.
	emptyAttribute = lazyregexp.New(`\{[A-Za-z_]+$`)
	emptyAct       = lazyregexp.New(`\{(?i:href|src|` + bareAttribute + `)$`)

	// luaCall is what SilverBullet would run in a formula: https://silverbullet.md/Space%20Lua
	luaCall = lazyregexp.New(`^\{[^{}$\n\\]*[A-Za-z][A-Za-z.:]+(?:[^{}$\n\\]*[\w)\]])?[ \t]*[("'\[{]`)
	// jsCall is what MDX without maths would run in a formula: https://mdxjs.com/docs/what-is-mdx/#expressions
	jsCall = lazyregexp.New(`^\{(?:[^{}$\\]|\{[^{}\\]*\})*(?:[A-Za-z_]\w*\.[A-Za-z_]\w*[ \t]*\(|[\w)\]][\w)\]][ \t]*[(\[][ \t]*["'\x60])`)
)

const headSigns = ".#:=%@/"

// braces is a group of braces, and where what it holds is found last: its groups, what looks like attributes or code, and
// the name of an attribute or class. It is read once, however many groups it holds.
type braces struct {
	end, group, call, bare, class int
	endsHead                      bool // they end a heading
}

// enterBraces notes where the braces end that open at i. Attributes in them apply to the text before them, for
// Obsidian's plugins, Pandoc, kramdown and others: {onclick=...}, {.class}.
// https://github.com/valentine195/obsidian-markdown-attributes/blob/main/src/processor.ts
func (w *textRewriter) enterBraces(i int) {
	if i < w.braces.end || i > w.lastBrace { // braces without an end are no group
		return
	}
	near, _, _ := strings.Cut(w.input[i:min(len(w.input), i+4096)], "}")
	near, _, _ = strings.Cut(near, "\n\n")
	w.braces = braces{end: min(i+len(near), len(w.input)-1), group: -1, call: -1, bare: -1}
	behind := w.input[w.braces.end+1 : min(len(w.input), w.braces.end+maxColumn)]
	w.braces.endsHead = headEnd().MatchString(behind) || w.input[w.lead] == '#' && isBlankToLineEnd(behind)
	w.braces.class = i + lastClass(w.input[i:w.braces.end])
	for end := w.braces.end + 1; end > i; {
		at := i + strings.LastIndexByte(w.input[i:end], '{')
		inner := w.input[at:end]
		w.braces.group = max(w.braces.group, at)
		if w.braces.call < 0 && (callSign().MatchString(inner) || end <= w.braces.end && inner[len(inner)-1] == '.') {
			w.braces.call = at
		}
		if w.braces.bare < 0 && bareGroup().MatchString(inner) {
			w.braces.bare = at
		}
		end = at
	}
}

// lastClass returns the place of the last sign in s that names a class or id, or -1.
func lastClass(s string) int {
	for end := len(s); ; {
		at := strings.LastIndexAny(s[:end], ".#")
		if at < 0 || at+1 < len(s) && strings.IndexByte(" \n0123456789", s[at+1]) < 0 {
			return at
		}
		end = at
	}
}

// isCall reports whether the group of braces that opens at i, with the text before it, looks like attributes or code.
// A backslash before the group is invisible, and programs that read a note's text obey it. Programs that have only
// the page obey a space before a sign.
func (w *textRewriter) isCall(i int) bool {
	group := w.input[i : w.braces.end+1]
	head := strings.TrimLeftFunc(group[1:], unicode.IsSpace)
	isHead := head != "" && strings.IndexByte(headSigns, head[0]) >= 0
	switch {
	case i <= w.braces.bare || w.braces.endsHead && i <= w.braces.call:
		return true
	case i > w.braces.call && !isHead && !w.hidesCall(i):
		return false
	case !isHead && texGroup().MatchString(w.input[max(0, i-48):i]):
		return !tex.IsArgument(w.input[i:]) || i >= w.mathEnd && namesByValue().MatchString(group)
	case i < w.braces.group: // a plain group holds no other group
		return true
	}
	return !plainGroup().MatchString(group) || w.hidesCall(i)
}

// hidesCall reports whether the braces that open at i hold a call or the like behind a brace that closes others, or none
// at all since it is in a string, a template, an expression or a comment. Those that begin a line may hold blank lines.
func (w *textRewriter) hidesCall(i int) bool {
	const longest = 1024
	s := w.input[i:min(len(w.input), i+longest)]
	if n := strings.Index(s, "\n\n"); n >= 0 && i != w.lead {
		s = s[:n]
	}
	if strings.Count(w.input[i:max(i, w.braces.end)], `"`)%2 > 0 { // that brace is in a string: https://github.com/arve0/markdown-it-attrs
		return true
	}
	if end := tex.BracesEnd(s); end >= 0 {
		return i+end > w.braces.end && strings.ContainsAny(s[:end], "=(`")
	}
	return len(s) == longest || strings.ContainsAny(s[:strings.LastIndexByte(s, '}')+1], "=(`")
}

// isAttribute reports whether a sign at i gives an attribute its value.
func (w *textRewriter) isAttribute(i int) bool {
	switch {
	case i >= w.braces.end || i == 0:
		return false
	case i < w.mathEnd:
		return w.braces.endsHead || blockEnd().MatchString(w.input[w.braces.end:]) || mathAttribute().MatchString(w.input[max(0, i-8):i]) || strings.IndexByte(" \t\n{'\"/>", w.input[i-1]) >= 0 && i <= w.braces.class
	}
	name := w.input[max(0, i-64):i] // without a value it does nothing: `f"{x=}"`
	return strings.IndexByte(" \t\n{=<>!:+-", w.input[i-1]) < 0 && (!strings.HasPrefix(w.input[i+1:], "}") || !emptyAttribute().MatchString(name) || emptyAct().MatchString(name))
}

// writeAttribute writes a sign of an attribute so that it gives nothing a value.
func (w *textRewriter) writeAttribute(i int) int {
	if isLetter(w.input[i]) {
		if i >= w.braces.end || i >= w.mathEnd || !bareName().MatchString(w.input[i:min(len(w.input), i+64)]) {
			return i
		}
		return w.writeFor(w.input[i:i+1]+"{}", i+1)
	}
	isClass := w.input[i] == '.' && i < w.braces.end && i > 0 && (strings.IndexByte("{ \t\n", w.input[i-1]) >= 0 || i < w.mathEnd && w.input[i-1] == '"') && className().MatchString(w.input[i:min(len(w.input), i+16)])
	switch {
	case isClass && i < w.mathEnd:
		return w.writeFor(".{}", i+1) // which shows nothing
	case isClass:
		return w.writeFor(". ", i+1)
	case w.input[i] == '=' && w.isAttribute(i):
		if i < w.mathEnd {
			return w.writeFor("{}=", i+1)
		}
		if m := valueName().FindStringSubmatch(w.input[i+1 : min(len(w.input), i+64)]); m != nil {
			return w.writeFor(" ="+strings.ReplaceAll(m[1]+m[2], "", " "), i+1+len(m[1]+m[2]))
		}
		if namesByValue().MatchString(w.input[i : w.braces.end+1]) {
			return w.writeFor(` \=`, i+1)
		}
		return w.writeFor(" =", i+1)
	}
	return i
}

// writeLua breaks the Lua that SilverBullet would run in braces at i, behind a dollar sign. No formula begins with a space.
func (w *textRewriter) writeLua(i int) int {
	switch {
	case !strings.HasPrefix(w.input[i:], "{"):
	case i >= w.mathEnd:
		w.enterBraces(i)
		return w.writeFor(`\{`, i+1)
	case luaCall().MatchString(w.input[i:min(len(w.input), i+target.Longest)]):
		w.WriteString(`\,`)
	}
	return i
}
