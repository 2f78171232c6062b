package terms

import (
	"regexp"
	"slices"
	"strings"
)

// leastRoot is how many letters a word has at least before its ending.
const leastRoot = 4

// wordEndings are those that words of one root have in a language.
var wordEndings = map[string][]string{
	"de": strings.Fields("e en er ern es em n s t te ten et st ung ungen ier iere ieren iert ierte ierung ierungen in innen lich liche lichen"),
	"fr": strings.Fields("e es s er ee ees ez ent ant ants ante antes ait aient age ages ement ements ation ations eur eurs euse euses if ifs ive ives al ale ales aux ir i ie ies is it ition itions"),
}

// doers are the endings of words for who or what does a thing: a printer is not found where something is printed.
var doers = map[string]func() *regexp.Regexp{"fr": expression(`(?:antes?|eurs?|euses?)$`)}

func (q *Query) namesDoer(word string) bool {
	ending, ok := doers[q.language]
	return ok && ending().MatchString(word)
}

// otherForms returns the stems of known words that have the root of word, which is of the language of the question.
func (q *Query) otherForms(word string, isKnown func(form string) bool) (forms []string) {
	endings := append([]string{""}, wordEndings[q.language]...)
	if len(endings) == 1 {
		return nil
	}
	for _, from := range endings {
		root, ok := strings.CutSuffix(word, from)
		if !ok || len(root) < leastRoot {
			continue
		}
		for _, to := range endings {
			if form := stem(root + to); !slices.Contains(forms, form) && isKnown(form) {
				forms = append(forms, form)
			}
		}
	}
	return forms
}
