package sanitize

import (
	"bytes"
	"slices"
	"strings"

	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/target"
)

// A definition of a link or footnote holds for the whole note, and the first one of a name wins
// (https://spec.commonmark.org/0.31.2/#matches). So those of an answer would say where the links of the person
// lead. Its links carry their targets themselves instead, and no `]:` of it defines anything.

// definition is one of a link, as CommonMark sees it.
type definition struct {
	span   note.Span // its lines, with the last line end
	tail   string    // how a link with its target ends
	isBare bool      // only quote marks are before its lines
	isUsed bool
}

var (
	// linkDefinition is a definition in the lines of a paragraph. Its label names no footnote.
	linkDefinition = lazyregexp.New(`^\[([^\[\]\\^](?:[^\[\]\\]|\\.)*|\\.(?:[^\[\]\\]|\\.)*)\]:[ \t]*\n?[ \t]*(<[^<>\n]*>|[^ \t\n<][^ \t\n]*)` +
		`(?:(?:[ \t]*\n[ \t]*|[ \t]+)("[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*(?:\n|$)`)
)

// addDefinitions notes the definitions that a paragraph begins with.
func (c *code) addDefinitions(src []byte, lines *gtext.Segments) {
	if lines.Len() == 0 || lines.At(0).Start >= len(src) || src[lines.At(0).Start] != '[' {
		return
	}
	text, line := string(lines.Value(src)), 0
	for text != "" {
		m := linkDefinition().FindStringSubmatch(text)
		if m == nil {
			return
		}
		last := line + strings.Count(strings.TrimSuffix(m[0], "\n"), "\n")
		end, _, _ := bytes.Cut(src[lines.At(last).Start:], []byte("\n"))
		d := definition{span: note.Span{Start: lineStart(src, lines.At(line).Start), End: min(len(src), lines.At(last).Start+len(end)+1)}, isBare: true}
		for ; line <= last; line++ {
			at := lines.At(line).Start
			d.isBare = d.isBare && len(bytes.Trim(src[lineStart(src, at):at], " \t>")) == 0
		}
		d.tail = target.LinkTail(m[2], m[3])
		c.defs = append(c.defs, d)
		if c.byLabel == nil {
			c.byLabel = make(map[string]int)
		}
		if label := util.ToLinkReference([]byte(m[1])); strings.TrimSpace(label) != "" {
			if _, ok := c.byLabel[label]; !ok {
				c.byLabel[label] = len(c.defs) - 1
			}
		}
		text = text[len(m[0]):]
	}
}

func lineStart(src []byte, at int) int { return bytes.LastIndexByte(src[:at], '\n') + 1 }

// replacement is text that takes the place of [at, next) of an answer, but not in formulas.
type replacement struct {
	start, end int
	text       string
}

// references finds in an answer what becomes inline links, and the footnotes.
type references struct {
	input string
	code  *code
	label string // of its footnotes; "" if the answer is a note of its own

	replacements []replacement // sorted
	notes        []footnote
	defined      map[string]bool // footnotes
	brackets     []bracket
	line         int // where the current line begins
	lead         int // where its text does
	room         int // how many bytes links may still get

	note    string      // the footnote that was defined last
	noteEnd int         // where the text of footnotes ends that it is in
	refers  [][2]string // which footnote refers to which in its text
}

type bracket struct {
	offset  int
	hasLink bool // a link ends in it
}

// footnote is the name of one: the offset of its ^, and its index in the replacements.
type footnote struct {
	offset, index int
	name          string
}

// findReferences returns what is to be replaced, sorted, and marks the definitions that are used.
func findReferences(s string, c *code, label string) []replacement {
	r := &references{input: s, code: c, label: label, defined: make(map[string]bool), room: len(s) + 4*target.LongestInlined}
	if !strings.Contains(s, "]") {
		return nil
	}
	r.beginLine(0)
	skips := slices.Clone(c.spans)
	for _, d := range c.defs {
		skips = append(skips, d.span)
	}
	slices.SortFunc(skips, func(a, b note.Span) int { return a.Start - b.Start })
	for i := 0; i < len(s); {
		for len(skips) > 0 && skips[0].End <= i {
			skips = skips[1:]
		}
		if len(skips) == 0 || skips[0].Start > i {
			i = r.read(i)
		} else if i = skips[0].End; s[i-1] == '\n' {
			r.beginLine(i)
		}
	}
	r.nameFootnotes()
	return r.replacements
}

// beginLine begins the line at i. No link spans a blank line.
func (r *references) beginLine(i int) {
	line, _, _ := strings.Cut(r.input[i:], "\n")
	r.line, r.lead = i, i+note.LooseMarks([]byte(line))
	if r.lead == i+len(line) {
		r.brackets = r.brackets[:0]
	}
}

// read reads the character at i and returns where the following one is.
func (r *references) read(i int) int {
	switch r.input[i] {
	case '\\':
		if i+1 < len(r.input) && r.input[i+1] != '\n' {
			return i + 2
		}
	case '\n':
		r.beginLine(i + 1)
	case '<':
		if n := len(autoLink().FindString(r.input[i:min(len(r.input), i+target.LongestInlined)])); n > 0 {
			return i + n
		}
	case '[':
		r.brackets = append(r.brackets, bracket{offset: i})
	case ']':
		if n := len(r.brackets) - 1; n >= 0 {
			b := r.brackets[n]
			r.brackets = r.brackets[:n]
			return r.closeBracket(b, i)
		}
	}
	return i + 1
}

// closeBracket decides about the brackets at b and end, and returns where to go on.
func (r *references) closeBracket(b bracket, end int) int {
	next, isLink := r.resolve(b, end)
	if n := len(r.brackets) - 1; n >= 0 {
		r.brackets[n].hasLink = r.brackets[n].hasLink || b.hasLink || isLink
	}
	return next
}

func (r *references) resolve(b bracket, end int) (next int, isLink bool) {
	s, text := r.input, r.input[b.offset+1:end]
	behind := s[end+1:]
	switch {
	case strings.HasPrefix(text, "^"):
		return r.readFootnote(b.offset, end), false
	case strings.HasPrefix(behind, ":") && r.isText(b.offset):
		r.replace(end, end+1, "]")
		return end + 1, false
	case strings.HasPrefix(behind, "("), b.hasLink:
		return end + 1, true
	case strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]"), // a link between notes
		b.offset > 0 && s[b.offset-1] == '[' && strings.HasPrefix(behind, "]"),
		b.offset == r.lead && b.offset > r.line && len(text) == 1 && strings.Trim(text, "xX \t!-/:;<=>?*\"") == "", // a box of a task
		strings.HasPrefix(text, "!"): // a callout
		return end + 1, false
	}
	label, next := text, end+1
	if strings.HasPrefix(behind, "[]") {
		next += 2
	} else if strings.HasPrefix(behind, "[") && !strings.HasPrefix(behind, "[^") {
		if n := strings.IndexAny(behind[1:], "[]\\`\n"); n > 0 && behind[1+n] == ']' {
			label, next = behind[1:1+n], end+1+n+2
		}
	}
	if len(label) > 999 || strings.ContainsAny(label, "[]`") {
		return end + 1, false
	}
	i, ok := r.code.byLabel[util.ToLinkReference([]byte(label))]
	if !ok {
		return end + 1, false
	}
	d := &r.code.defs[i]
	if d.tail == "" || len(d.tail) > r.room {
		return end + 1, false
	}
	r.room -= len(d.tail)
	d.isUsed = true
	r.replace(end, next, d.tail)
	return next, true
}

func (r *references) replace(at, next int, text string) {
	r.replacements = append(r.replacements, replacement{at, next, text})
}

// word is more than the mark of any container; `ii.` is one of lists.
var word = lazyregexp.New(`\p{L}{2}.*[^.)\s]\s*$|\p{L}{3}\s*$`)

// isText reports whether the bracket at i, with words before it on its line or in an address, begins no
// definition.
func (r *references) isText(i int) bool {
	if i < r.line {
		return false
	}
	before, _, _ := strings.Cut(r.input[r.line:min(i, r.line+64)], "[")
	return strings.HasSuffix(r.input[r.line:i], "//") || word().MatchString(before)
}

// closesCircle reports whether a reference in the text of a footnote leads back to it, or may do so: in such a circle Pandoc's
// reader of CommonMark finds no end.
func (r *references) closesCircle(to string) bool {
	reached := map[string]bool{to: true}
	for range r.refers {
		for _, e := range r.refers {
			reached[e[1]] = reached[e[1]] || reached[e[0]]
		}
	}
	return reached[r.note] || len(r.refers) >= 64
}

// readFootnote notes the footnote with its name in the brackets at open and end. A definition counts only outside of
// containers: inside of one, goldmark loses the text of the definitions below.
func (r *references) readFootnote(open, end int) int {
	name := r.input[open+2 : end]
	if name == "" {
		return end + 1
	}
	key := strings.ToLower(name)
	isDefinition := open == r.line && strings.HasPrefix(r.input[end+1:], ":") && footnoteName().MatchString(name) && !target.IsUnsafeDefinition(r.input[end+2:])
	if !isDefinition && open < r.noteEnd {
		if r.closesCircle(key) {
			r.replace(open+1, open+2, `\^`)
			return end + 1
		}
		r.refers = append(r.refers, [2]string{r.note, key})
	}
	r.notes = append(r.notes, footnote{open + 1, len(r.replacements), name})
	r.replace(open+1, open+2, "^")
	if !isDefinition {
		return end + 1
	}
	r.note, r.defined[key] = key, true
	if r.replace(end, end+2, "]:"); end >= r.noteEnd {
		r.noteEnd = end + 2 + len(footnoteText().FindString(r.input[end+2:]))
	}
	return end + 2
}

// nameFootnotes gives those that the answer defines its label. Another one would lead to a footnote of the
// person and is text, and so is one that no text refers to, which readers do not show.
func (r *references) nameFootnotes() {
	count := make(map[string]int)
	for _, n := range r.notes {
		count[strings.ToLower(n.name)]++
	}
	for _, n := range r.notes {
		key := strings.ToLower(n.name)
		switch {
		case r.defined[key] && count[key] < 2, r.label != "" && !r.defined[key]:
			r.replacements[n.index].text = `\^`
		case r.label == "":
		case !strings.HasPrefix(n.name, r.label+"-"):
			r.replacements[n.index].text = "^" + r.label + "-"
		}
	}
}
