package material

import (
	"strings"
	"testing"
)

// A sentence of a note says something by itself: it does not lead elsewhere, begin a list, or head the text behind it.
func TestSentences(t *testing.T) {
	for text, want := range map[string]string{
		"See [[The log]] for details. The log has it all in it.":                             "The log has it all in it.",
		"Here are some useful things to know. Ada wrote all of it.":                          "Ada wrote all of it.",
		"The languages without it are as follows. Ada wrote all of it.":                      "Ada wrote all of it.",
		"Check that it works by running the following in the terminal. Ada wrote all of it.": "Ada wrote all of it.",
		"Chosen option: neutral, because":                                                    "",
		"**Online only (no worker).** Rejected: it has no support.":                          "**Online only (no worker).** Rejected: it has no support.",
		"**Works offline.**":                                   "",
		"**Never answer in anger to any review.**":             "**Never answer in anger to any review.**",
		"The [[^Library/Schema]] library checks all data.[^1]": "The [[^Library/Schema]] library checks all data.",
	} {
		set := Set{Notes: []Note{{Blocks: []Block{{Text: text}}}}}
		var got []string
		for _, s := range set.Sentences() {
			got = append(got, s.Text)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// An item of a list is a sentence where it says something without its list, and counts less where it is a part of one.
func TestItems(t *testing.T) {
	for text, want := range map[string]float64{
		"1 sachet (~ 4g / 0.14 oz) yeast":      0,
		"350 grams of sugar.":                  0,
		"Cook time: 3 hours":                   0,
		"The dough needs to be cold at first.": 1,
		"the dough needs to be cold at first":  fragment,
		"It needs to be very cold at first.":   1,
		"Add the flour, the sugar and an egg.": 1,
		"这个方法将自然数从头除到尾。":                       1,
	} {
		set := Set{Notes: []Note{{Blocks: []Block{{Kind: Item, Text: text}}}}}
		got := 0.0
		for _, s := range set.Sentences() {
			got = set.Weight(s)
		}
		if got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// What stands below a heading that leads elsewhere is no part of what the note says.
func TestPointers(t *testing.T) {
	below := func(heading string) Set {
		path := []string{heading}
		return Set{Notes: []Note{{Title: "Links", Blocks: []Block{
			{Kind: Heading, Path: path, Text: heading}, {Kind: Item, Path: path, Text: "[[Wikilinks]] — the whole syntax of links, with examples."},
		}}}}
	}
	for _, heading := range []string{"References", "See also", "Related pages", "Quellen", "Références", "参考", "参考资料"} {
		if set := below(heading); len(set.Sentences())+len(set.Terms(Named)) > 0 {
			t.Errorf("%s: %v, %v", heading, set.Sentences(), set.Terms(Named))
		}
	}
	if set := below("Kinds"); len(set.Sentences()) != 1 || len(set.Terms(Named)) != 1 {
		t.Errorf("Kinds: %v, %v", set.Sentences(), set.Terms(Named))
	}
}
