package terms

import (
	"slices"
	"strings"
	"testing"
)

// A word that no note has is a noun by its form, or by its place where it weighs enough. Verbs and adjectives are none, and neither is
// what kind of answer is asked for.
func TestUnknownNouns(t *testing.T) {
	for question, want := range map[string]string{ // a word with a + is in a note
		"What goes+ into gazpacho?":                                    "gazpacho",
		"How do I knead+ focaccia?":                                    "focaccia",
		"Can we freeze+ focaccia in the oven+?":                        "focaccia",
		"Do I have a stollen recipe+?":                                 "stollen",
		"what did I say+ about my rowing training+":                    "", // rowing may be a verb
		"what did I write+ about my climbing+ or sourdough training+?": "",
		"what did I write+ about my sourdough training+?":              "sourdough",
		"how do I clean+ the purple pan+?":                             "",
		"how do I get+ the creamy noodles+?":                           "",
		"How do I sort+ and prevent addition of keys+ to a hash+?":     "",
		"Which wines did we drink+?":                                   "wines",
		"Which tsar liked+ cutlets+?":                                  "",
		"On which console do I play+ the game+ with the lamp+?":        "",
		"Welche Versicherung haben wir für die Veranstaltung+?":        "Versicherung",
		"Welche Stadt liegt an der Elbe+?":                             "",
		"Quelles règles+ pour+ les vaccins obligatoires+ ?":            "vaccins",
		"Comment publier+ des images+ prises+ par drone ?":             "drone",
		"How much alimony do I pay+?":                                  "alimony",
		"How many acres does+ it cover+?":                              "",
		"Quels sont+ les grands axes+ ?":                               "",
		"Are they POSIX compliant?":                                    "POSIX",
		"How do I set+ up the machine+ with a long+ handle+ quickly":   "",
	} {
		q := Parse(strings.ReplaceAll(question, "+", ""))
		for i := range q.Terms {
			term := &q.Terms[i]
			if strings.Contains(question, term.Word+"+") || strings.Contains(question, term.Word+" up") {
				term.Weigh(2.5, 9)
			} else {
				term.Weigh(7, 0)
			}
		}
		if got := strings.Join(q.UnknownNouns(), " "); got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}

// A name of two words is unknown where no chunk has both.
func TestBrokenNames(t *testing.T) {
	for question, want := range map[string][]string{
		"Can I see my pages on an Apple Watch?":     {"Apple Watch"},
		"What did I see of the Watch Apple?":        nil, // the rarer word is in a note
		"Do I have the Apple Apple Watch?":          nil,
		"How Do I See My Pages On An Apple Watch?":  nil, // each word of a title begins so
		"Kann ich die Seiten auf der Apple Uhr se?": nil,
	} {
		q := Parse(question)
		for i := range q.Terms {
			q.Terms[i].Weigh(map[string]float64{"Apple": 5, "Watch": 4}[q.Terms[i].Word], 5)
		}
		for _, isTogether := range []bool{true, false} {
			expect := want
			if isTogether {
				expect = nil
			}
			q.CheckNames(func(a, b *Term) bool { return isTogether })
			if nouns, words := q.UnknownNouns(), q.UnknownWords(); !slices.Equal(nouns, expect) || !slices.Equal(words, expect) {
				t.Errorf("%s, together %v: nouns %q, words %q, want %q", question, isTogether, nouns, words, expect)
			}
		}
	}
}
