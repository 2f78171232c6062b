package replies

import "strings"

// Agents forget to escape the backslashes of LaTeX and of Windows paths, and JSON then reads \theta as a tab and
// "heta". Such a backslash is literal
//
//   - where it begins no escape of JSON (\alpha, C:\Users);
//   - as \b or \f before a letter, or in a string with a slip. A slip is such a \b or \f, or a
//     backslash of the line before: no answer wants a backspace;
//   - as \n, \t or \r before the rest of a LaTeX command, inside $ or in a string with a slip;
//   - as \n, \t or \r in a path behind a drive (X:\).
//
// If these could also be the line end of a well escaped answer, as in "$$\nu = 1\n$$" or "Team A:\nAnna\nBob", they
// are a line end unless more speaks against it.

// backslashes says of a string's inside which backslashes are literal.
type backslashes struct {
	body    string
	hasSlip bool
	places  []place // of each byte
}

// place is the kind of text around a byte.
type place uint8

const (
	inMath place = 1 << iota
	inPath
	newlines // inside $$, a \n is a line end where it can be
)

func readBackslashes(body string) backslashes {
	b := backslashes{body: body, places: make([]place, len(body))}
	for i := 0; i < len(body); i += b.width(i) {
		if body[i] == '\\' && (!isEscape(body[i:]) || isOneOf(body[i+1], "bf") && b.isLetter(i+2)) {
			b.hasSlip = true
			break
		}
	}
	b.findMath()
	b.findPaths()
	return b
}

// isLiteral is asked of a backslash that no other one escapes.
func (b backslashes) isLiteral(i int) bool {
	switch {
	case !isEscape(b.body[i:]):
		return true
	case isOneOf(b.body[i+1], "bf"):
		return b.hasSlip
	case !b.isWhite(i):
		return false
	case b.places[i]&inPath != 0:
		return true
	}
	known, weak := b.command(i)
	switch {
	case !known:
		return false
	case b.places[i]&inMath != 0:
		return !weak || b.places[i]&newlines == 0
	}
	return b.hasSlip && (!weak || i > 0 && isOneOf(b.body[i-1], " {([^_=+*/"))
}

// command reports whether a backslash begins a LaTeX command, and one whose rest may as
// well be a word or a variable at the beginning of a line.
func (b backslashes) command(i int) (known, weak bool) {
	end := i + 1
	for b.isLetter(end) {
		end++
	}
	weak, known = commands[b.body[i+1:end]]
	return known, weak
}

// isWhite reports whether \n, \t or \r begins at i.
func (b backslashes) isWhite(i int) bool {
	return i+1 < len(b.body) && b.body[i] == '\\' && isOneOf(b.body[i+1], "ntr")
}

// isLineEnd reports whether such an escape begins at i and can be nothing else.
func (b backslashes) isLineEnd(i int) bool {
	if !b.isWhite(i) {
		return false
	}
	known, _ := b.command(i)
	return !known
}

func (b backslashes) isLetter(i int) bool {
	return i < len(b.body) && (b.body[i]|0x20 >= 'a' && b.body[i]|0x20 <= 'z')
}

// width is how many bytes belong together at i: an escape, or an escaped dollar.
func (b backslashes) width(i int) int {
	switch {
	case b.body[i] != '\\' || i+1 == len(b.body):
		return 1
	case strings.HasPrefix(b.body[i:], `\\$`):
		return 3
	}
	return 2
}

func isOneOf(c byte, set string) bool { return strings.IndexByte(set, c) >= 0 }

// findMath marks the text between $ and $, or $$ and $$. A lone $ opens if no space follows, and closes if no space
// is before it and no digit follows, as in pandoc (https://pandoc.org/MANUAL.html#math), so that prices are not
// formulas.
func (b backslashes) findMath() {
	for i := 0; i < len(b.body); i += b.width(i) {
		if b.body[i] != '$' {
			continue
		}
		find, wide := b.closeInline, 1
		if strings.HasPrefix(b.body[i:], "$$") {
			find, wide = b.closeDisplay, 2
		}
		end, how := find(i + wide)
		if end < 0 {
			i += wide - 1
			continue
		}
		for at := i + wide; at < end; at++ {
			b.places[at] = how
		}
		if b.isLineEnd(end-2) && end-2 > i+wide { // a line end after $$ belongs to one before $$
			b.places[i+wide] |= newlines
		}
		i = end + wide - 1
	}
}

// closeInline returns where the formula ends that begins at start, or -1.
func (b backslashes) closeInline(start int) (int, place) {
	for i := start; i < len(b.body); i += b.width(i) {
		switch {
		case b.body[i] < ' ' || b.isLineEnd(i) || i == start && b.body[i] == ' ':
			return -1, 0
		case b.body[i] != '$':
		case i == start || b.body[i-1] == ' ' || i+1 < len(b.body) && isOneOf(b.body[i+1], "0123456789"):
			return -1, 0
		default:
			return i, inMath
		}
	}
	return -1, 0
}

// closeDisplay does the same for a block. It also reports whether the block's line ends are well escaped: a line end
// is where no command can be, or a command has its backslash escaped.
func (b backslashes) closeDisplay(start int) (int, place) {
	how := inMath
	for i := start; i < len(b.body); i += b.width(i) {
		if strings.HasPrefix(b.body[i:], "$$") {
			return i, how
		}
		isEscaped := strings.HasPrefix(b.body[i:], `\\`) && b.isLetter(i+2)
		if !b.hasSlip && (isEscaped || b.isLineEnd(i)) {
			how |= newlines
		}
	}
	return -1, 0
}
