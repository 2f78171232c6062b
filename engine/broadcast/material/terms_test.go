package material

import (
	"testing"
)

// A title is a term where the first sentence of its note says what it is.
func TestTitleTerms(t *testing.T) {
	for sentence, want := range map[string]bool{
		"Moka pots are small brewers for the stove.":        true,
		"A moka pot is a brewer.":                           true,
		"The pot was invented in 1933.":                     true,
		"It is made of aluminium.":                          true,
		"A brewer for the stove, made of aluminium.":        true,
		"Das ist eine Kanne für den Herd.":                  true,
		"Eine Kanne für den Herd.":                          true,
		"contents: Awesome Logseq":                          false,
		"contents: [[Awesome Logseq]] and all that":         false,
		"Bought one in May at the market.":                  false,
		"Espresso is better than what comes out of it.":     false,
		"See also the list of brewers.":                     false,
		"We have to clean it each week.":                    false,
		"Yesterday we talked about grinders for two hours.": false,
	} {
		set := &Set{Notes: []Note{{Title: "Moka pot", Blocks: []Block{{Kind: Paragraph, Text: sentence}}}}}
		if got := len(set.Titles(Related)) == 1; got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
}
