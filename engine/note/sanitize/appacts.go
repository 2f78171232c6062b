package sanitize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/codeblock"
	"vaultdispatcher/engine/note/sanitize/acts"
	"vaultdispatcher/engine/note/target"
	"vaultdispatcher/engine/note/tex"
)

var (
	// angleTarget is a target that may hold blanks. Without its brackets it is no HTML to
	// anyone.
	angleTarget = lazyregexp.New(`^\]\(<([^<>\[\]{}\\\n\t\x60@%]+)>`)

	startsWithDigit = lazyregexp.New(`^[0-9]`)
)

// writeAct writes a harmless form of the syntax at i that an app or its plugin would act on outside of code, and
// returns the offset behind that syntax, or i without one. In a formula it writes a space, where a backslash would be
// part of the formula.
func (w *textRewriter) writeAct(i int) int {
	rest := w.input[i:]
	if i == w.lead {
		if next := w.writeLineStart(i); next > i {
			return next
		}
	}
	if strings.IndexByte("-+*>", rest[0]) >= 0 && i < w.lead && (i == 0 || w.input[i-1] != rest[0]) {
		if at, mend := acts.Mark.Match(rest); at >= 0 {
			return w.breakLine(i, i+at, mend)
		}
	}
	if rest[0] == '{' {
		w.enterBraces(i)
		if i < w.mathEnd && mathColor().MatchString(w.input[max(0, i-11):min(len(w.input), i+12)]) {
			return i
		}
		if i < w.mathEnd && w.braces.end < w.mathEnd && (nameGroup().MatchString(rest[:min(len(rest), 32)]) || jsCall().MatchString(rest[:min(len(rest), 200)])) {
			return w.writeFor(`{\,`, i+1)
		}
	}
	if strings.IndexByte("({@[}8!?]<:^&%/", rest[0]) >= 0 && !w.isInAddress(i) {
		near := 200
		if rest[0] == '!' && i >= w.runEnd {
			w.runEnd = i + note.RunLength([]byte(rest))
			near += w.runEnd - i
		}
		if at, mend := textActs.Match(rest[:min(len(rest), near)]); at >= 0 {
			return w.breakAt(i, i+at, mend)
		}
	}
	if write := signs[rest[0]]; write != nil {
		return write(w, i)
	}
	return i
}

// isInAddress reports whether the sign at i acts elsewhere, but not in the address that it is a part of.
func (w *textRewriter) isInAddress(i int) bool {
	before, _ := utf8.DecodeLastRuneInString(w.input[:i])
	isBehind := before == '/' || unicode.In(before, unicode.L, unicode.Nd) // not in a text of its own, as behind an asterisk
	return w.input[i] == '/' && (i < w.urlEnd || before == ':' || isBehind) ||
		w.input[i] == '@' && i+1 < w.urlEnd && (isLetter(w.input[i+1]) || isBehind && strings.IndexByte("@{:", w.input[i+1]) < 0)
}

// signs are what writes each sign that may be a part of an act.
var signs = func() (table [256]func(w *textRewriter, i int) int) {
	for _, c := range []byte("=.hipacdHIPACD") {
		table[c] = (*textRewriter).writeAttribute
	}
	table['\\'], table['{'], table['['], table[']'] = (*textRewriter).writeEscape, (*textRewriter).writeBrace, (*textRewriter).writeOpen, (*textRewriter).writeClose
	table['^'], table[':'], table['-'] = (*textRewriter).writeName, (*textRewriter).writeColon, (*textRewriter).writeDash
	table['&'], table['|'] = (*textRewriter).writeEntity, (*textRewriter).writePipe
	return table
}()

func (w *textRewriter) writeBrace(i int) int {
	if i >= w.braces.end || i < w.mathEnd && w.braces.end <= w.mathEnd || !w.isCall(i) {
		return i
	}
	if i < w.urlEnd { // it would be taken for a part of the address
		w.WriteByte(' ')
	}
	return w.writeFor(`\{`, i+1)
}

func (w *textRewriter) writeOpen(i int) int {
	if rest := w.input[i+1:]; strings.HasPrefix(rest, "[") && target.IsUnsafeNote(rest[1:min(len(rest), target.Longest-1)]) {
		return w.breakAt(i, i+1, `\`)
	}
	return i
}

// noBlanks spells what ends a target without its brackets.
var noBlanks = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29")

func (w *textRewriter) writeClose(i int) int {
	rest := w.input[i+1:]
	if strings.HasPrefix(rest, "(") && target.IsUnsafe(rest[1:]) || strings.HasPrefix(rest, ":") && !w.endsNoteLink(i) {
		return w.breakAt(i, i+1, `\`)
	}
	if m := angleTarget().FindStringSubmatch(w.input[i:min(len(w.input), i+target.Longest)]); m != nil && !w.overlapsCode(i, i+len(m[0])) {
		return w.writeFor("]("+noBlanks.Replace(m[1]), i+len(m[0]))
	}
	return i
}

// columnOrder precedes a dash in the orders that begin, part and end columns, behind three signs, anywhere in a line:
// https://github.com/ckRobinson/multi-column-markdown
var columnOrder = lazyregexp.New(`(?:start|end|break|column)$`)

func (w *textRewriter) writeDash(i int) int {
	word := columnOrder().FindString(w.input[max(0, i-6):i])
	if word == "" {
		return i
	}
	if before := strings.TrimSuffix(w.input[:i-len(word)], "multi-"); strings.HasSuffix(strings.TrimRight(before, target.Blanks), "---") || strings.HasSuffix(strings.TrimRight(before, target.Blanks), "===") {
		return w.breakAt(i, i, `\`)
	}
	return i
}

// modeline precedes the colon of such an order in text, of an address that GitHub links
// (https://github.github.com/gfm/#extended-protocol-autolink), of a directive of Sphinx
// (https://github.com/miyakogi/m2r), or of an order that removes a card:
// https://github.com/ObsidianToAnki/Obsidian_to_Anki/blob/master/src/setting-to-data.ts
var modeline = lazyregexp.New(`(?:^|[ \t\n>])(?:vi|[Vv]im(?:[<=>]?\d+)?|ex|kak(?:oune)?|sublime|kate(?:-[a-z]+\([^()\n]*\))?)$|(?i:local variables|\beval|\bxmpp)$|DELETE\s*ID$|\.\.[ \t]+(?:\|[^|\n]*\|[ \t]+)?[\w-]+$`)

func (w *textRewriter) writeColon(i int) int {
	rest := w.input[i:]
	switch {
	case strings.HasPrefix(rest, ":id=") && i > 0 && strings.IndexByte(" \t", w.input[i-1]) >= 0: // https://docsify.js.org/#/helpers
		return w.writeFor(": ", i+1)
	case namesBlock(w.input, i) || i >= w.urlEnd && modeline().MatchString(w.input[max(0, i-24):i]):
		return w.writeFor(`\:`, i+1)
	case !strings.HasPrefix(rest, "://") || i < w.urlEnd:
	case target.IsForeignScheme(w.input[:i]):
		return w.breakAt(i, i+1, `\`)
	default:
		w.urlEnd = min(len(w.input), i+target.Longest)
		if n := strings.IndexAny(w.input[i:w.urlEnd], " \t\n<>()[]\"'`"); n >= 0 {
			w.urlEnd = i + n
		}
	}
	return i
}

// writeEscape writes a backslash that is part of an act, and what belongs to it.
func (w *textRewriter) writeEscape(i int) int {
	rest := w.input[i+1:]
	switch {
	case rest == "":
	case rest[0] == '{':
		w.enterBraces(i + 1)
		if at, mend := acts.EscapedBrace.Match(rest[:min(len(rest), 4)]); at >= 0 {
			return w.writeFor(`\{`+mend, i+2)
		}
	case strings.HasPrefix(rest, "!!!"): // programs that include files ignore the backslash
		return w.writeFor(`\!!\!`, i+4)
	case strings.HasPrefix(rest, "](") && target.IsUnsafe(rest[2:]): // in the text of a link it ends one to marked
		return w.writeFor(`\]\(`, i+3)
	case rest[0] == '=' && w.isAttribute(i) && i < w.mathEnd:
		return w.writeFor(`{}\=`, i+2)
	case rest[0] == '=' && w.isAttribute(i):
		return w.writeFor(` \=`, i+2)
	case rest[0] == '\\' && tex.IsOrder(rest[1:]) && i >= max(w.mathEnd, w.paragraphAt(i).formula):
		return w.writeFor(`\\ `, i+2)
	case rest[0] == '\\' && (i < w.mathEnd || i >= w.paragraphAt(i).formula):
		if end, n := tex.LongRow(w.input[i:]); n > 0 {
			return w.writeFor(end, i+n)
		}
	case rest[0] == '<' && opensTag(rest[1:]):
		return w.writeFor("&lt;", i+2)
	case isLetter(rest[0]) || rest[0] == '@' && i < w.mathEnd:
		return w.writeOrder(i, rest)
	}
	return i
}

// writeOrder writes the backslash of an order of TeX that acts, and what belongs to it; rest is behind it.
func (w *textRewriter) writeOrder(i int, rest string) int {
	switch {
	case i < w.mathEnd && tex.IsTag(w.input[i:]):
		at := i + 1 + strings.IndexByte(rest, '{') + 1
		return w.writeFor(w.input[i:at]+`\,`, at)
	case !tex.IsOrder(rest) && (i < w.mathEnd || !tex.IsSwitch(rest)) || tex.IsPlain(w.input[i:]):
	case i >= max(w.mathEnd, w.paragraphAt(i).formula):
		return w.writeFor(`\\ `, i+1)
	case i >= w.mathEnd:
		return w.writeFor(`\\`, i+1)
	default:
		if m := tex.UnseenOf(w.input[i:]); m != "" && i+len(m) <= w.mathEnd {
			return i + len(m)
		}
		return w.writeFor(`\ `, i+1)
	}
	return i
}

// writeFor writes text in the place of what ends at next.
func (w *textRewriter) writeFor(text string, next int) int {
	w.WriteString(text)
	return next
}

// breakAt writes what is before at, and the mend that has the character there read by itself, and returns where the
// following character is. In a formula the mend is a space.
func (w *textRewriter) breakAt(i, at int, mend string) int {
	if i < w.mathEnd {
		if mend = " "; w.input[at-1] == ' ' {
			mend = ""
		} else if w.input[i] == '&' { // a space would begin an id there
			mend = `\,`
		}
	}
	w.WriteString(w.input[i:at] + mend)
	if mend != `\` {
		return at
	}
	w.WriteByte(w.input[at])
	return at + 1
}

// breakLine is breakAt for signs that a line begins with. In a formula a space would not do, but a thin one of TeX.
func (w *textRewriter) breakLine(i, at int, mend string) int {
	if mend == `\` && i >= w.mathEnd {
		return w.breakAt(i, at, mend)
	}
	return w.writeFor(w.input[i:at]+strings.Replace(mend, `\`, `\,`, 1), at)
}

// writeLineStart takes the meaning from the beginning of a line: an order to Logseq, a
// query in indented code, a fence that not every app takes for text.
func (w *textRewriter) writeLineStart(i int) int {
	rest := w.input[i:min(len(w.input), i+target.Longest)]
	if at, mend := lineActs.Match(rest); at >= 0 {
		return w.breakLine(i, i+at, mend)
	}
	if (i == 0 || w.input[i-1] == '\n') && acts.First().MatchString(w.input[i:min(len(w.input), i+8*target.Longest)]) {
		w.WriteByte(' ')
	}
	switch rest[0] {
	case '=', '$':
		if strings.HasPrefix(strings.TrimPrefix(rest, "$"), "=") && strings.HasSuffix(w.input[:i], "    ") { // code to some, and a query to Dataview
			return w.writeFor(`\`+rest[:1], i+1)
		}
	case '`', '~':
		line, _, _ := strings.Cut(rest, "\n")
		n, end := note.RunLength([]byte(line)), i+len(line)
		info := strings.TrimLeft(line[n:], " \t")
		if n >= 3 && !strings.Contains(info, "`") && !codeblock.IsKnownLanguage(info) {
			return w.writeFor(line[:n]+codeblock.Plain(info), end)
		}
	}
	return i
}

// beginMath finds the end of the formula that n dollar signs at i begin, as Obsidian and Pandoc do: with one, at the next,
// unless that is behind a blank or before a digit, as in prices. A formula that is missed, or one too many, costs looks and not safety.
func (w *textRewriter) beginMath(i, n int) {
	if i == w.mathEnd && i > 0 {
		w.mathEnd = 0
		return
	}
	from := i + n
	if n > 2 || i < w.mathEnd || i < w.mathNone || n == 1 && (from == len(w.input) || strings.IndexByte(" \t\n", w.input[from]) >= 0) {
		return
	}
	near := w.input[from:min(len(w.input), from+maxEmphasis)]
	if end := strings.Index(near, "\n\n"); end >= 0 && n == 1 {
		near = near[:end]
	}
	end := strings.Index(near, "$$"[:n])
	for end > 0 && n == 1 && near[end-1] == '\\' {
		if next := strings.IndexByte(near[end+1:], '$'); next >= 0 {
			end += 1 + next
		} else {
			end = -1
		}
	}
	switch {
	case end < 0 && n == 2:
		w.mathNone = from
	case end < 0:
		w.mathNone = from + len(near)
	case n == 2 || strings.IndexByte(" \t", near[end-1]) < 0 && !startsWithDigit().MatchString(w.input[from+end+1:]):
		w.mathEnd = from + end
	}
}
