package tex

import (
	"strings"
)

// Macros writes macros that formulas define in the places where they are used: so a formula looks as it was written, and
// gives no name a meaning elsewhere.
type Macros struct {
	byName map[string]macro
	room   int // how many bytes may still be written
}

type macro struct {
	arguments int
	optional  string // in brackets: what the first one is where none is in brackets; "" if each is needed
	text      string
}

// NewMacros returns macros that write so many bytes.
func NewMacros(room int) *Macros { return &Macros{make(map[string]macro), room} }

var (
	// mayDefine is a formula that may define a macro.
	mayDefine = expression(`\\(?:(?:re)?newcommand|providecommand|[gex]?def|DeclareMathOperator)\b`)

	// definition gives a macro a meaning, but for the text behind it.
	definition = expression(`^\\(?:(?:re)?newcommand|providecommand)\*?\s*(?:\{\s*\\([A-Za-z]+)\s*\}|\\([A-Za-z]+))\s*(?:\[([1-9])\]\s*(\[[^\[\]]*\])?)?\s*\{` +
		`|^\\[gex]?def\s*\\([A-Za-z]+)\s*((?:#[1-9])*)\{` +
		`|^\\(DeclareMathOperator\*?)\s*(?:\{\s*\\([A-Za-z]+)\s*\}|\\([A-Za-z]+))\s*\{`)

	// takesGroup precedes a group that may be one macro.
	takesGroup = expression(`(?:[\^_]|\\(?:[dt]?frac|sqrt|(?:wide)?(?:hat|tilde|check)|bar|(?:over|under)(?:line|brace|rightarrow|leftarrow)|vec|d{1,4}ot|mathring|breve|acute|grave|math[a-z]+|boldsymbol|bm|pmb|operatorname))\s*$`)

	// inBrackets is an argument that may be left out.
	inBrackets = expression(`^\s*\[([^\[\]]*)\]`)

	endsInName = expression(`\\[A-Za-z]+$`)
	behind     = expression(`^[ \t]*(?:\n[ \t>]*)?`)
)

// MayDefine reports whether a text may define a macro.
func MayDefine(s string) bool { return mayDefine().MatchString(s) }

// Expand returns a formula with the macros that it or an earlier one defines written out. It returns false where it cannot.
func (m *Macros) Expand(formula string) (string, bool) {
	if !MayDefine(formula) && len(m.byName) == 0 {
		return formula, true
	}
	text, ok := m.expand(formula, 0)
	if ok && strings.TrimSpace(text) == "" && strings.TrimSpace(formula) != "" {
		text = "{}"
	}
	return text, ok
}

func (m *Macros) expand(s string, depth int) (string, bool) {
	var b strings.Builder
	isFilled := false // right before i
	for i := 0; i < len(s); {
		name := nameOf(s[i:])
		if name == "" {
			n := 1
			if s[i] == '\\' {
				n = min(2, len(s)-i)
			}
			if isFilled {
				write(&b, s[i:i+n])
			} else {
				b.WriteString(s[i : i+n])
			}
			i, isFilled = i+n, false
			continue
		}
		isFilled = false
		if n, ok := m.define(s[i:]); n > 0 || !ok {
			if !ok {
				return "", false
			}
			i += n
			i += len(behind().FindString(s[i:]))
			continue
		}
		used, isMacro := m.byName[name]
		if !isMacro {
			b.WriteString(s[i : i+1+len(name)])
			i += 1 + len(name)
			continue
		}
		text, n, ok := used.fill(s[i+1+len(name):])
		m.room -= len(text) + 1
		if !ok || depth > 16 || m.room < 0 {
			return "", false
		}
		if text, ok = m.expand(text, depth+1); !ok {
			return "", false
		}
		if takesGroup().MatchString(b.String()[max(0, b.Len()-40):]) {
			text = "{" + text + "}"
		}
		write(&b, text)
		i, isFilled = i+1+len(name)+n, true
	}
	return b.String(), true
}

// write adds a text; a space keeps a name from taking its first letter.
func write(b *strings.Builder, text string) {
	if text != "" && isLetter(text[0]) && endsInName().MatchString(b.String()[max(0, b.Len()-40):]) {
		b.WriteByte(' ')
	}
	b.WriteString(text)
}

// define notes the definition that s begins with, and returns its length; 0 without one, and false for one of another form.
func (m *Macros) define(s string) (length int, ok bool) {
	if at := mayDefine().FindStringIndex(s[:min(len(s), 24)]); at == nil || at[0] > 0 || IsPlain(s) {
		return 0, true
	}
	found := definition().FindStringSubmatch(s[:min(len(s), near)])
	if found == nil {
		return 0, false
	}
	text, n, ok := group(s[len(found[0])-1:])
	if !ok {
		return 0, false
	}
	name, one := found[1]+found[2]+found[5]+found[8]+found[9], macro{text: text, optional: found[4]}
	if name == "arraystretch" { // which a table reads
		return 0, true
	}
	for i := range len(found[6]) / 2 {
		if found[6][2*i+1] != byte('1'+i) {
			return 0, false
		}
		one.arguments++
	}
	if found[3] != "" {
		one.arguments = int(found[3][0] - '0')
	}
	if found[7] != "" {
		one.text = `\operatorname` + strings.TrimPrefix(found[7], "DeclareMathOperator") + "{" + text + "}"
	}
	m.byName[name] = one
	return len(found[0]) - 1 + n, true
}

// fill returns the text of a macro with its arguments, which s begins with, and their length.
func (m macro) fill(s string) (text string, length int, ok bool) {
	arguments := make([]string, m.arguments)
	for i := range arguments {
		if i == 0 && m.optional != "" {
			if given := inBrackets().FindStringSubmatch(s); given != nil {
				arguments[0], length = given[1], len(given[0])
			} else {
				arguments[0] = m.optional[1 : len(m.optional)-1]
			}
			continue
		}
		length += len(s[length:]) - len(strings.TrimLeft(s[length:], " \t\n"))
		rest := s[length:]
		switch name := nameOf(rest); {
		case rest == "":
			return "", 0, false
		case rest[0] == '{':
			inner, n, isGroup := group(rest)
			if !isGroup {
				return "", 0, false
			}
			arguments[i], length = inner, length+n
		case name != "":
			arguments[i], length = rest[:1+len(name)], length+1+len(name)
		case isLetter(rest[0]) || '0' <= rest[0] && rest[0] <= '9':
			arguments[i], length = rest[:1], length+1
		default:
			return "", 0, false // half a sign may be there
		}
	}
	var b strings.Builder
	for i := 0; i < len(m.text); i++ {
		if m.text[i] == '\\' && i+1 < len(m.text) {
			b.WriteByte(m.text[i])
			i++
		} else if m.text[i] == '#' && i+1 < len(m.text) {
			i++
			n := int(m.text[i]) - '1'
			if n < 0 || n >= len(arguments) {
				return "", 0, false
			}
			write(&b, arguments[n])
			continue
		}
		b.WriteByte(m.text[i])
	}
	return b.String(), length, true
}

// group is what the braces hold that s begins with, and their length.
func group(s string) (inner string, length int, ok bool) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return s[1:i], i + 1, true
			}
		}
	}
	return "", 0, false
}

// nameOf is the name of the macro that s begins with, or "".
func nameOf(s string) string {
	n := 1
	for s != "" && s[0] == '\\' && n < len(s) && isLetter(s[n]) {
		n++
	}
	return s[min(1, len(s)):min(n, len(s))]
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
