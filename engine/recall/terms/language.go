package terms

// Least of the words of a language, and how many times as many as of the other one.
const (
	leastWords = 8
	margin     = 4
)

var englishWords, germanWords, frenchWords = Set(english), Set(german), Set(french)

// Language guesses by its stop words whether a text is English ("en") or German ("de"); "" is for
// every other one, and for a text that is too short or of both.
func Language(text string) string {
	en, de := 0, 0
	scanTokens(text, func(t token) {
		isEnglish, isGerman := englishWords[string(t.text)], germanWords[string(t.text)]
		switch {
		case isEnglish && !isGerman:
			en++
		case isGerman && !isEnglish:
			de++
		}
	})
	switch {
	case en >= leastWords && en >= margin*de:
		return "en"
	case de >= leastWords && de >= margin*en:
		return "de"
	}
	return ""
}

// questionLanguage guesses by its small words whether a question is English ("en"), German ("de") or French ("fr"); "" is for every other one.
func questionLanguage(text string) string {
	en, de, fr := 0, 0, 0
	scanTokens(text, func(t token) {
		for _, l := range []struct {
			words map[string]bool
			n     *int
		}{{englishWords, &en}, {germanWords, &de}, {frenchWords, &fr}} {
			if l.words[string(t.text)] {
				*l.n++
			}
		}
	})
	switch {
	case de > en && de > fr:
		return "de"
	case fr > en && fr > de:
		return "fr"
	case en > de && en > fr:
		return "en"
	}
	return ""
}
