package kinds

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/broadcast/material"
)

func noteOf(title string, properties []material.Property, blocks ...material.Block) material.Note {
	return material.Note{Title: title, Rel: title + ".md", Properties: properties, Blocks: blocks, Link: func([]string, string) string { return "[[" + title + "]]" }}
}

// A card asks for a term, an answer, a bold word or a property, and for nothing else; what is written stays as it is.
func TestCards(t *testing.T) {
	heading := func(text string) material.Block {
		return material.Block{Kind: material.Heading, Path: []string{text}, Text: text}
	}
	set := &material.Set{Title: "Films", Notes: []material.Note{
		noteOf("Blade Runner", []material.Property{{Key: "year", Value: "1982"}, {Key: "director", Value: "[[Ridley Scott]]"}, {Key: "imdbId", Value: "tt1"}, {Key: "created", Value: "2026-01-01"}, {Key: "page", Value: "https://example.org"}}),
		noteOf("Tart", nil, heading("Ingredients"), material.Block{Kind: material.Item, Path: []string{"Ingredients"}, Text: "170 g of flour for all purposes"}),
		noteOf("Notes", nil,
			heading("What is the area $A = \\pi r^2$ of?"), material.Block{Path: []string{"x"}, Text: "Of a circle with the radius $r$, said \"disc\"."},
			heading("#include what?"), material.Block{Path: []string{"y"}, Text: "The header costs $5 or $6 a piece."}),
	}}
	made, ok := Kind{make: makeCards}.Make(set, Options{})
	if !ok {
		t.Fatal("nothing was made")
	}
	var sides []string
	for _, c := range made.Deck {
		sides = append(sides, c.Front+" = "+c.Back)
	}
	want := []string{
		`What is the area \(A = \pi r^2\) of? = Of a circle with the radius \(r\), said "disc".`,
		`#include what? = The header costs $5 or $6 a piece.`,
		"Blade Runner: year? = 1982", "Blade Runner: director? = Ridley Scott",
	}
	if strings.Join(sides, "\n") != strings.Join(want, "\n") {
		t.Errorf("the cards are\n%s\nwant\n%s", strings.Join(sides, "\n"), strings.Join(want, "\n"))
	}
	table := string(made.Files[0].Text)
	for _, line := range []string{"\n\"#include what?\"\tThe header", `said ""disc""."`, "\nBlade Runner: year?\t1982\tBlade Runner\n"} {
		if !strings.Contains(table, line) {
			t.Errorf("no %q in\n%s", line, table)
		}
	}
	if !strings.Contains(made.Body, "\\#include what?\n?\nThe header") || strings.Contains(made.Body, "flour") {
		t.Errorf("the note is\n%s", made.Body)
	}
}

// A note that one slide does not hold has one for each of its sections, by their names.
func TestSlidesHaveSections(t *testing.T) {
	var blocks []material.Block
	for _, name := range []string{"Cost", "Thrill", "Use"} {
		for _, n := range []string{"first", "second", "third"} {
			blocks = append(blocks, material.Block{Path: []string{name}, Text: "The " + n + " thing about " + name + " is told in here as " + n + name + "."})
		}
	}
	set := &material.Set{Title: "Buying", Notes: []material.Note{noteOf("Buy wisely", nil, blocks...), noteOf("Other", nil, material.Block{Text: "Another note says one thing about the cost."})}}
	made, ok := Kind{make: makeSlides}.Make(set, Options{})
	if !ok || !strings.Contains(made.Body, "\n## Buy wisely: Thrill\n") || !strings.Contains(made.Body, "\n## Other\n") || strings.Contains(made.Body, "(2)") {
		t.Errorf("the slides are %v\n%s", ok, made.Body)
	}
	spoken, _ := Kind{make: makeAudio}.Make(set, Options{})
	var said []string
	for _, turn := range spoken.Turns {
		said = append(said, turn.Text)
	}
	if text := strings.Join(said, "\n"); !strings.Contains(text, "Thrill. The ") || !strings.Contains(text, "Buy wisely.") {
		t.Errorf("spoken is\n%s", text)
	}
}

// What is made says what it is of, gives nothing away and has no empty column.
func TestWhatIsMadeIsOfUse(t *testing.T) {
	section := func(heading, text string) []material.Block {
		return []material.Block{{Kind: material.Heading, Path: []string{heading}, Text: heading}, {Path: []string{heading}, Text: text}}
	}
	decision := func(title, status string) material.Note {
		blocks := append([]material.Block{{Kind: material.Item, Text: "The longest sentence of all says what an item of it has."}, {Text: "This page is about one decision of ours."}},
			section("Context", "One of its two sentences. This is the other one of them.")...)
		return noteOf(title, []material.Property{{Key: "stage", Value: status}}, append(blocks, section("References", "A book that says more of it all.")...)...)
	}
	decisions := &material.Set{Title: "Decisions", Notes: []material.Note{decision("First", "Open"), decision("Second", "Closed")}}
	for kind, want := range map[string]struct{ has, hasNot string }{
		"table":        {"| Note | stage |", "Context"},
		"reading-list": {"\n   This page is about one decision", "longest"},
		"mind-map":     {"Context", "References"},
	} {
		k, _ := Find(kind)
		if made, ok := k.Make(decisions, Options{}); !ok || !strings.Contains(made.Body, want.has) || strings.Contains(strings.Split(made.Body, "## Sources")[0], want.hasNot) {
			t.Errorf("%s: %v\n%s", kind, ok, made.Body)
		}
	}
	if got := withoutName(material.Term{Name: "Hash-table", Meaning: "A **hash table** maps keys."}); got != "A … maps keys." {
		t.Errorf("the term is not hidden: %q", got)
	}
	if word, _, ok := (material.Sentence{Text: "This sets **three** words of the note.", Plain: "This sets three words of the note."}).CutBold(); ok {
		t.Errorf("what is unclear without the sentence before is asked: %q", word)
	}
}
