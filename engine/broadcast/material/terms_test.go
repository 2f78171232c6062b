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
		"In a kitchen, a moka pot is a brewer.":             true,
		"The pot for coffee is the one on the left.":        false,
		"In a kitchen, a moka pot (a brewer) is a tool.":    true,
		"A moka pot or stove brewer is made for coffee.":    false,
		"A moka pot or stove brewer is a tool for coffee.":  true,
		"[[Moka pot (old)]] is a brewer of another note.":   false,
		"A moka pot is hard to clean: it is full of holes!": false,
		"Moka pots are now free for everyone!":              false,
		"As said above, the stove is a place for pots.":     false,
	} {
		set := &Set{Notes: []Note{{Title: "Moka pot", Blocks: []Block{{Kind: Paragraph, Text: sentence}}}}}
		if got := len(set.Titles(Related)) == 1; got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
}

// What only points, is an aside, or is said below a heading of its own is neither a meaning nor an answer, and a stressed word of a
// sentence is none to ask for.
func TestWhatIsNoFact(t *testing.T) {
	text := func(path []string, text string) Block { return Block{Kind: Paragraph, Path: path, Text: text} }
	set := &Set{Notes: []Note{
		{Title: "Version", Blocks: []Block{text([]string{"Queries"}, "A simple query and an old one have the tag.")}},
		{Title: "Heron", Blocks: []Block{text(nil, "A wader of the north."), text(nil, "**task** (once called a chore)"), text(nil, "**Fewer than 3 years**: four hours of leave"), text(nil, "**15+ years**: eight hours of leave")}},
		{Title: "Plan", Blocks: []Block{{Kind: Heading, Path: []string{"What will it be?"}, Text: "What will it be?"}, text([]string{"What will it be?"}, "Here's what to expect.")}},
	}}
	if list := set.Titles(Named); len(list) != 1 || list[0].Name != "Heron" {
		t.Errorf("titles: %+v", list)
	}
	if list := set.Terms(Named); len(list) != 0 {
		t.Errorf("terms: %+v", list)
	}
	if list := set.Questions(Named); len(list) != 0 {
		t.Errorf("questions: %+v", list)
	}
	if word, _, ok := (Sentence{Text: "But **you** shape this year of ours.", Plain: "But you shape this year of ours."}).CutBold(); ok {
		t.Errorf("%q is asked for", word)
	}
}

// A bold word that a sentence is about is told by the whole sentence.
func TestBoldSubject(t *testing.T) {
	set := &Set{Notes: []Note{{Blocks: []Block{{Text: "**Datalog Today** is a tutorial that teaches the language."}}}}}
	if list := set.Terms(Named); len(list) != 1 || list[0].Meaning != "**Datalog Today** is a tutorial that teaches the language." {
		t.Errorf("terms: %+v", list)
	}
}
