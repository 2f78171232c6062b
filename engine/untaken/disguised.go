package untaken

import (
	"bytes"
	"encoding/binary"
	"html"
	"strings"
	"unicode"
	"unicode/utf16"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// disguised is the reason of a line that looks right and is none: an input method, an editor or a converter has put other
// characters into it.
const disguised = "it holds characters that cannot be seen, are wider than they look, or are escaped; type the line anew with a plain > and @"

// mostAddress is how far into a line an address is looked for, in bytes.
const mostAddress = 1 << 10

// findDisguised finds the lines of a note that may be markers, did each character before the question count as what it looks
// like.
func findDisguised(src []byte, roles []string) map[int]fix {
	if !hasAt(string(src)) || isWide(src) {
		return nil
	}
	var found map[int]fix
	for i, line := range note.Lines(src) {
		if !hasAt(line) || isWide([]byte(line)) {
			continue
		}
		plain := undisguise(line)
		if plain == line || linked().MatchString(line) {
			continue
		}
		if f := mendPlain(plain, roles); f.takes > 0 {
			if found == nil {
				found = make(map[int]fix)
			}
			if found[i+1] = f; len(found) == mostMisses {
				break
			}
		}
	}
	return found
}

// mendPlain is what is meant by a line in whose place plain ones stand. It begins with the marker, or the marker is the
// last of several lines.
func mendPlain(plain string, roles []string) fix {
	at := strings.Count(plain, "\n")
	head, last := "", plain
	if i := strings.LastIndexByte(plain, '\n'); i >= 0 {
		head, last = plain[:i+1], plain[i+1:]
	}
	doc := note.Parse([]byte(last))
	if len(doc.Misses) > 0 && isDeliberate(doc.Misses[0].Why) {
		return fix{}
	}
	if i := strings.Index(last, note.MarkerStart); i < 0 || !isQuotePrefix(last[:i]) || len(doc.Misses) > 0 {
		f := mendLine(last, roles).fix
		if i >= 0 && len(doc.Misses) > 0 {
			f = mendMiss([]string{last}, doc.Misses[0], roles)
		}
		if f.takes == 0 || f.at > 0 {
			return fix{}
		}
		last = f.text
	}
	return fix{head + last, 1, at}
}

// isDisguised reports whether a line that is no marker for a reason is none for how it is written rather than for what it
// says. plain is what it means then.
func isDisguised(line string, why note.Reason, plain fix) bool {
	isHidden := strings.ContainsAny(line, "&\x00") && (why == note.NoQuote || why == note.NotFirst || why == spelling)
	return plain.takes > 0 && (isHidden || isAboutName(why))
}

// ats are the spellings of an @, as people see it; the last is that of UTF-7 (https://www.rfc-editor.org/rfc/rfc2152). One behind
// a backslash is none: it is escaped so that nobody is asked.
var ats = []string{"@", "＠", "﹫", "+AEA-agent"}

// entity is a character by its name or number in HTML, entityAt an @ so.
var (
	entity   = lazyregexp.New(`&(?:#\d{1,8}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
	entityAt = lazyregexp.New(`&(?:commat|#0*64|#[xX]0*40);`)
)

// hasAt reports whether an @ stands in a text, in any spelling.
func hasAt(text string) bool {
	return indexAt(text) >= 0
}

// indexAt is where the first @ of a text is, in any spelling; -1 where there is none.
func indexAt(text string) int {
	first := -1
	for _, at := range ats {
		if i := strings.Index(text, at); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	if strings.Contains(text, "&") {
		if found := entityAt().FindStringIndex(text); found != nil && (first < 0 || found[0] < first) {
			first = found[0]
		}
	}
	return first
}

// looks are other spellings of the marks before a question; those of HTML are read before.
var looks = strings.NewReplacer("＞", ">", "﹥", ">", "›", ">", "❯", ">", "＠", "@", "﹫", "@",
	"+AEA-agent", "@agent", "+AD4-", ">", "+AD4", ">", `\>`, ">", `\_`, "_", `\-`, "-",
	"agent\u00ad-", "agent-", "Agent\u00ad-", "Agent-", "agent\u00ad", "agent-", "Agent\u00ad", "Agent-",
	"\u2028", "\n", "\u2029", "\n", "\u0085", "\n")

// undisguise returns a line in which all before its question is what it looks like.
func undisguise(line string) string {
	end := endOfAddress(line)
	var b strings.Builder
	for _, r := range looks.Replace(html.UnescapeString(line[:end])) {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case '！' <= r && r <= '～': // the wide forms of ASCII, in its order
			b.WriteRune(r - '！' + '!')
		case unicode.In(r, unicode.Cf, unicode.Cc, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		case r != ' ' && unicode.Is(unicode.Zs, r):
			if strings.TrimRight(b.String(), " \t\n") != "" { // before the quote it would make code of it
				b.WriteByte(' ')
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + line[end:]
}

// endOfAddress is where the question of a line begins, or what may be looked at of it ends.
func endOfAddress(line string) int {
	at := indexAt(line)
	if at < 0 || at > mostAddress {
		return 0
	}
	end := at + strings.IndexFunc(line[at:]+" ", func(r rune) bool { return strings.ContainsRune(" \t：，？", r) })
	if end > at+mostAddress {
		return 0
	}
	end = min(end, len(line))
	for _, found := range entity().FindAllStringIndex(line[at:end], -1) {
		if spaced := html.UnescapeString(line[at+found[0] : at+found[1]]); strings.TrimSpace(spaced) == "" {
			return at + found[1]
		}
	}
	return end
}

// wideText is the reason of a question that is written two bytes to a letter, as PowerShell 5.1 saves what is redirected
// (https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_character_encoding).
const wideText = "the note is saved as UTF-16, in which no agent is asked; save it as UTF-8"

// findWide finds the lines of a note that ask in UTF-16, in all of it or in what was appended to it.
func findWide(src []byte, roles []string) (rows []Row) {
	if bytes.IndexByte(src, 0) < 0 {
		return nil
	}
	if text := decodeWide(src); text != nil {
		return findInWide(text, roles)
	}
	lower, lines, at := lowerBytes(src), 1, 0
	for from := 0; len(rows) < mostRows; {
		i := bytes.Index(lower[from:], wideAt)
		if i < 0 {
			break
		}
		i += from
		lines += bytes.Count(src[at:i], []byte("\n"))
		at, from = i, i+1
		line := wideLine(src, i)
		if doc := note.Parse([]byte(line)); len(doc.Markers) > 0 || len(Find([]byte(line), doc, roles)) > 0 {
			rows = append(rows, rowOf(Miss, lines, line, wideText))
		}
	}
	return rows
}

// isWide reports whether a text is in UTF-16 as far as it asks: [findWide] finds it then.
func isWide(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\xfe\xff")) || bytes.HasPrefix(text, []byte("\xff\xfe")) ||
		bytes.IndexByte(text, 0) >= 0 && bytes.Contains(lowerBytes(text), wideAt)
}

// wideAt is how an address begins in UTF-16, in either order of its bytes.
var wideAt = []byte("@\x00a\x00g\x00e\x00n\x00t")

// decodeWide is a text in UTF-16, which begins with the mark of it, in UTF-8; nil for any other.
func decodeWide(src []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case bytes.HasPrefix(src, []byte("\xfe\xff")):
		order = binary.BigEndian
	case !bytes.HasPrefix(src, []byte("\xff\xfe")):
		return nil
	}
	units := make([]uint16, 0, len(src)/2)
	for i := 2; i+1 < len(src); i += 2 {
		units = append(units, order.Uint16(src[i:]))
	}
	return []byte(string(utf16.Decode(units)))
}

// findInWide finds the lines that would ask in a note, were it not in UTF-16.
func findInWide(text []byte, roles []string) (rows []Row) {
	doc := note.Parse(text)
	lines := note.Lines(text)
	for _, m := range doc.Markers {
		rows = append(rows, rowOf(Miss, m.Line, lines[m.Line-1], wideText))
	}
	for _, row := range Find(text, doc, roles) {
		if !row.Hidden && row.Line > 0 && row.Line <= len(lines) {
			rows = append(rows, rowOf(Miss, row.Line, lines[row.Line-1], wideText))
		}
	}
	return rows[:min(len(rows), mostRows)]
}

// wideLine is the line of two bytes to a letter around an @.
func wideLine(src []byte, at int) string {
	high := 1
	if bytes.HasPrefix(src, []byte("\xfe\xff")) { // the high byte comes first
		high = -1
	}
	is := func(i int) bool {
		return i+high >= 0 && i+max(high, 0) < len(src) && (src[i] >= ' ' || src[i+high] != 0)
	}
	from, to := at, at
	for at-from < 200 && from >= 2 && is(from-2) && src[from-2+high] == 0 {
		from -= 2
	}
	for to-at < 400 && to < len(src) && is(to) {
		to += 2
	}
	var b strings.Builder
	for i := from; i < to; i += 2 {
		b.WriteRune(rune(src[i]) | rune(src[i+high])<<8)
	}
	return strings.ReplaceAll(strings.TrimPrefix(b.String(), "\ufeff"), "\x00", "")
}

func lowerBytes(src []byte) []byte {
	lower := bytes.Clone(src)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return lower
}
