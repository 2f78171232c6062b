package untaken

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

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
	if !hasAt(string(src)) {
		return nil
	}
	var found map[int]fix
	for i, line := range note.Lines(src) {
		if !hasAt(line) || strings.IndexByte(line, 0) >= 0 {
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

// ats are the spellings of an @, as people see it. One behind a backslash is none: it is escaped so that nobody is asked.
var ats = []string{"@", "＠", "﹫", "&commat;", "&#64;", "&#x40;"}

// hasAt reports whether an @ stands in a text, in any spelling.
func hasAt(text string) bool {
	return slices.ContainsFunc(ats, func(at string) bool { return strings.Contains(text, at) })
}

// looks are other spellings of the marks before a question.
var looks = strings.NewReplacer("＞", ">", "﹥", ">", "›", ">", "❯", ">", "＠", "@", "﹫", "@", "&commat;", "@", "&#64;", "@", "&#x40;", "@",
	"&gt;", ">", "&GT;", ">", "&#62;", ">", "&#x3e;", ">", "&#x3E;", ">", `\>`, ">", `\_`, "_", `\-`, "-",
	"agent\u00ad-", "agent-", "Agent\u00ad-", "Agent-", "agent\u00ad", "agent-", "Agent\u00ad", "Agent-",
	"\u2028", "\n", "\u2029", "\n", "\u0085", "\n")

// undisguise returns a line in which all before its question is what it looks like.
func undisguise(line string) string {
	end := endOfAddress(line)
	var b strings.Builder
	for _, r := range looks.Replace(line[:end]) {
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
	at := len(line)
	for _, spelling := range ats {
		if i := strings.Index(line, spelling); i >= 0 {
			at = min(at, i)
		}
	}
	if at == len(line) || at > mostAddress {
		return 0
	}
	end := at + strings.IndexFunc(line[at:]+" ", func(r rune) bool { return strings.ContainsRune(" \t：，？", r) })
	if end > at+mostAddress {
		return 0
	}
	return min(end, len(line))
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
		i := bytes.Index(lower[from:], []byte("@\x00a\x00g\x00e\x00n\x00t"))
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
