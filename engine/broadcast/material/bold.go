package material

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isWhole reports whether a text is a whole sentence.
func isWhole(plain string) bool {
	begin, _ := utf8.DecodeRuneInString(plain)
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(plain, `"'”’»)*_`))
	return unicode.IsLetter(begin) && !unicode.IsLower(begin) && strings.ContainsRune(".!。！", end)
}

// isShouted reports whether a word is written in capitals to be heard, and is no short name.
func isShouted(word string) bool {
	return len(word) > 5 && strings.ToUpper(word) == word && strings.ToLower(word) != word
}

// CutBold leaves the first bold words out of a whole sentence that states something and does not begin with what the one before
// it was about.
func (s Sentence) CutBold() (word, rest string, ok bool) {
	if !isWhole(s.Plain) || tells().MatchString(s.Plain) || itself().MatchString(s.Plain) {
		return "", "", false
	}
	before, after, found := strings.Cut(s.Text, "**")
	word, after, closed := strings.Cut(after, "**")
	if !found || !closed || len(strings.Fields(word)) > 5 || isShouted(word) || !isName(Plain(word)) || len(strings.Fields(before+after)) < 4 || strings.TrimSpace(before) == "" {
		return "", "", false
	}
	return word, strings.Join(strings.Fields(before+" … "+after), " "), true
}
