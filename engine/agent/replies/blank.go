package replies

import (
	"strings"
	"unicode"
)

// IsInvisible reports whether a character has no shape of its own: controls,
// zero-width and bidirectional ones, variation selectors, tags, fillers of music and of Khitan. Hidden text is
// written with them. Prepended concatenation marks are format characters too,
// but are drawn.
func IsInvisible(r rune) bool {
	return r == '\U0001D159' || r == '\U00016FE4' || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// trimBlank returns text from the first character on that shows something.
func trimBlank(text string) string {
	return strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) || IsInvisible(r) })
}

// Blank reports whether text shows nothing at all.
func Blank(text string) bool {
	for _, r := range text {
		if !unicode.IsSpace(r) && !IsInvisible(r) && r != '\u2800' { // the blank cell of braille
			return false
		}
	}
	return true
}
