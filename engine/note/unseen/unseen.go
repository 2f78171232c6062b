// Package unseen takes out of a text what no eye sees. Words made of invisible characters are read by models alone.
//
// Callers need [Drop].
package unseen

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Drop takes the invisible characters out of a text in UTF-8, but for those that change what is seen around them:
// joiners where their script joins, one variation selector behind a base, the three flags that have tags, the space
// that says where a line of Thai may break, and signs of direction in a line with letters from right to left. Nor does it
// leave more marks on one character than any language writes: they would be drawn over the lines around it.
// Doing it twice gives the same as once.
func Drop(s string) string {
	s = dropMarks(s)
	if !strings.ContainsFunc(s, isIgnorable) {
		return s
	}
	var b strings.Builder
	signs := invisible{lineEnd: -1}
	for i, r := range s {
		if r == blackFlag {
			signs.flagEnd = i + flagLength(s[i:])
		}
		if !isIgnorable(r) || signs.isNeeded(s, i, r) {
			signs.earlier, signs.previous = signs.previous, r
			b.WriteRune(r)
		}
	}
	return b.String()
}

// maxMarks is more than any language puts on one character: https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
const maxMarks = 8

// dropMarks leaves no more than maxMarks on a character.
func dropMarks(s string) string {
	marks := 0
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x300 && isIgnorable(r):
		case r < 0x300 || !unicode.In(r, unicode.Mn, unicode.Me):
			marks = 0
		case marks == maxMarks:
			return -1
		default:
			marks++
		}
		return r
	}, s)
}

// isIgnorable reports whether a character is shown as nothing: Unicode's Default_Ignorable_Code_Point, the annotations
// between lines, the null notehead and the filler of Khitan.
// https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
func isIgnorable(r rune) bool {
	return r == '\U0001D159' || r == '\U00016FE4' || r >= 0xA0 && unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
		!unicode.In(r, unicode.Prepended_Concatenation_Mark, unicode.Egyptian_Hieroglyphs)
}

var (
	// rightToLeft are the scripts of that direction that are written today.
	rightToLeft = []*unicode.RangeTable{unicode.Adlam, unicode.Arabic, unicode.Hanifi_Rohingya, unicode.Hebrew, unicode.Mandaic,
		unicode.Nko, unicode.Samaritan, unicode.Syriac, unicode.Thaana}

	// joining are the scripts that a joiner changes: https://www.rfc-editor.org/rfc/rfc5892#appendix-A
	joining = []*unicode.RangeTable{unicode.Adlam, unicode.Arabic, unicode.Balinese, unicode.Bengali, unicode.Devanagari, unicode.Gujarati,
		unicode.Gurmukhi, unicode.Hanifi_Rohingya, unicode.Javanese, unicode.Kannada, unicode.Khmer, unicode.Malayalam, unicode.Mandaic,
		unicode.Mongolian, unicode.Myanmar, unicode.Nko, unicode.Oriya, unicode.Sinhala, unicode.Syriac, unicode.Tamil, unicode.Telugu, unicode.Tibetan}

	// unspaced are scripts without spaces between words, where an invisible one says where a line may end.
	unspaced = []*unicode.RangeTable{unicode.Khmer, unicode.Lao, unicode.Myanmar, unicode.Thai, unicode.Tibetan}

	// varied are the characters with variants beside those of emoji: https://www.unicode.org/Public/UCD/latest/ucd/StandardizedVariants.txt
	varied = []*unicode.RangeTable{unicode.Han, unicode.Myanmar, unicode.Phags_Pa, unicode.Sm}
)

const blackFlag = '\U0001F3F4'

// flags are all that emoji have with tags: https://www.unicode.org/Public/emoji/latest/emoji-sequences.txt
var flags = []string{"gbeng", "gbsct", "gbwls"}

// flagLength is that of the flag that s begins with.
func flagLength(s string) int {
	for _, name := range flags {
		flag := string(blackFlag) + strings.Map(func(r rune) rune { return r + 0xE0000 }, name) + "\U000E007F"
		if strings.HasPrefix(s, flag) {
			return len(flag)
		}
	}
	return 0
}

// invisible follows a text, to tell which of its invisible characters change what is seen around them.
type invisible struct {
	previous    rune  // the one that was kept last
	earlier     rune  // the one before it
	flagEnd     int   // where a flag ends
	lineEnd     int   // of the line that was looked at
	isRightLeft bool  // whether it has letters of such a script
	isolates    []int // offsets of the signs of pairs of isolates in it
}

// isNeeded reports whether the ignorable character at i of s is part of what is seen. What it says does not change
// once the others are gone.
func (v *invisible) isNeeded(s string, i int, r rune) bool {
	next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
	switch {
	case i < v.flagEnd:
		return true
	case r == '\u200C' || r == '\u200D':
		return v.isJoiner(r, next)
	case r == '\u200B':
		return unicode.In(v.previous, unspaced...) && unicode.In(next, unspaced...)
	case r == '\uFE0E' || r == '\uFE0F':
		return isPicture(v.previous) || next == '\u20E3' && strings.ContainsRune("0123456789#*", v.previous)
	case r >= '\u180B' && r <= '\u180F':
		return unicode.Is(unicode.Mongolian, v.previous) && !isIgnorable(v.previous)
	case r >= '\uFE00' && r <= '\uFE0D':
		return unicode.In(v.previous, varied...)
	case r >= 0xE0100: // of each second one at most: they would spell words
		return unicode.Is(unicode.Han, v.previous) && r < 0xE0120 && v.earlier < 0xE0100
	}
	return v.isDirection(s, i, r, next)
}

// isPicture reports whether a character is or may be an emoji.
func isPicture(r rune) bool {
	return r >= 0xA9 && (unicode.IsSymbol(r) || r == '\u2139' || r == '\u203C' || r == '\u2049' || r == '\u3030')
}

// isDirection reports whether a sign of direction is needed, in a line with letters from right to left: one mark
// beside what has no direction, and isolates in pairs.
func (v *invisible) isDirection(s string, i int, r, next rune) bool {
	if i > v.lineEnd {
		if v.lineEnd = len(s); strings.Contains(s[i:], "\n") {
			v.lineEnd = i + strings.IndexByte(s[i:], '\n')
		}
		start := strings.LastIndexByte(s[:i], '\n') + 1
		v.isRightLeft, v.isolates = hasRightToLeft(s[start:v.lineEnd]), pairIsolates(s[:v.lineEnd], start)
	}
	switch r {
	case '\u200E', '\u200F', '\u061C':
		return v.isRightLeft && !isIgnorable(v.previous) && !isIgnorable(next) && !(unicode.IsLetter(v.previous) && unicode.IsLetter(next))
	}
	return v.isRightLeft && slices.Contains(v.isolates, i)
}

func hasRightToLeft(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, rightToLeft...) && !isIgnorable(r) })
}

// pairIsolates returns the offsets, behind start, of both signs of each pair of isolates that is closed in its line
// and begins with a visible character. A pair from right to left must also hold such letters: otherwise it would only
// turn around the signs between words. https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
func pairIsolates(s string, start int) (found []int) {
	var open []int
	for i, r := range s[start:] {
		i += start
		switch {
		case r >= '\u2066' && r <= '\u2068':
			open = append(open, i)
		case r == '\u2069' && len(open) > 0:
			first := open[len(open)-1]
			open = open[:len(open)-1]
			sign, n := utf8.DecodeRuneInString(s[first:])
			next, _ := utf8.DecodeRuneInString(s[first+n:])
			if !isIgnorable(next) && (sign != '\u2067' || hasRightToLeft(s[first:i])) {
				found = append(found, first, i)
			}
		}
	}
	return found
}

// isJoiner reports whether one of the two joiners has something to join before next, or to keep apart.
func (v *invisible) isJoiner(r, next rune) bool {
	isInScript := unicode.In(v.previous, joining...)
	switch {
	case !isIgnorable(next) && unicode.In(next, joining...) && (isInScript || unicode.Is(unicode.Mn, v.previous)):
		return true
	case r == '\u200C':
		return false
	case isPicture(next) && (isPicture(v.previous) || v.previous == '\uFE0F'):
		return true
	}
	return !isIgnorable(next) && isInScript && unicode.In(v.previous, unicode.L, unicode.M) // it shapes that letter, whatever follows: https://www.rfc-editor.org/rfc/rfc5892#appendix-A.2
}
