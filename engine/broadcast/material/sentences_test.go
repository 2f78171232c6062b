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
		"It began in March 2014. 18F grew to help the agencies.":                             "It began in March 2014.|18F grew to help the agencies.",
		"Chosen option: neutral, because":                                                    "",
		"**Online only (no worker).** Rejected: it has no support.":                          "**Online only (no worker).** Rejected: it has no support.",
		`becomes $\ce{Hg^2+ ->[I-] HgI2 ->[I-] [Hg^{II}I4]^2-}$`:                             "",
		`The area is $\pi r^2$ at most.`:                                                     `The area is $\pi r^2$ at most.`,
		"(and (task now later) (sort-by created-at desc))":                                   "",
		"(At noon we close the shop for an hour.)":                                           "(At noon we close the shop for an hour.)",
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

// A sentence or an item of a list counts where it says something without its list or the text above it, and counts less where it is
// a part of a list or follows on from the sentence before it.
func TestWeights(t *testing.T) {
	const before = "The first sentence says it all. "
	for text, want := range map[string]float64{
		"- 1 sachet (~ 4g / 0.14 oz) yeast":                       0,
		"- 350 grams of sugar.":                                   0,
		"- Cook time: 3 hours":                                    0,
		"- The dough needs to be cold at first.":                  1,
		"- the dough needs to be cold at first":                   fragment,
		"- It needs to be very cold at first.":                    1,
		"- Add the flour, the sugar and an egg.":                  1,
		"- 这个方法将自然数从头除到尾。":                                        1,
		"Again, these can be added by hand as well.":              0,
		"Both of the above commands work on regular blocks.":      0,
		"Even better, find people who will disagree with you.":    0,
		"- eg: finish reading that book by the end of May":        0,
		"You can toggle between those two flavours there.":        0,
		"You can try this feature of ours right here!":            0,
		"First, we concurrently create the index.":                0,
		"First is to add the constraint without a check.":         0,
		"In these situations, it is better to turn it on.":        0,
		"See what ((6380a818-1a69-46f1-85f0-2b86fcba9b70)) says.": 0,
		"All of us stand on the shoulders of giants!":             fragment,
		"It prevents you from trying to make it perfect.":         fragment,
		"They cost about four times as much as cheap ones.":       fragment,
		"This is what it all comes down to in the end.":           fragment,
		"It seems like every summer has its own smell.":           1,
		"It is important to water the garden each week.":          1,
		"This recipe is scaled for a large tart pan.":             1,
		"For example, we buy socks of wool from the north.":       1,
	} {
		b := Block{Text: before + text}
		if item, is := strings.CutPrefix(text, "- "); is {
			b = Block{Kind: Item, Text: item}
		}
		set, got := &Set{Notes: []Note{{Title: "Note", Blocks: []Block{b}}}}, 0.0
		for _, s := range set.Sentences() {
			if s.Text != strings.TrimSpace(before) {
				got = set.Weight(s)
			}
		}
		if got != want {
			t.Errorf("%q counts %v, want %v", text, got, want)
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

// What stands in code is read as it is, and the headline of a list is no sentence.
func TestPlainCode(t *testing.T) {
	for text, want := range map[string]string{
		"Type `[[]]` to link, or **`#tag`**":       "Type [[]] to link, or #tag",
		"add `#card` or `[[card]]` to _any_ block": "add #card or [[card]] to any block",
		"a `b` [[c|`d`]] and one ` left":           "a b d and one left",
		"term___page, __bold__ and a__b":           "term___page, bold and a__b",
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
	set := &Set{Notes: []Note{{Blocks: []Block{{Text: "Making and baking the crust first"}, {Kind: Item, Text: "Fit it into the pan of eleven inches."}}}}}
	if list := set.Sentences(); len(list) != 1 {
		t.Errorf("sentences: %+v", list)
	}
}

// An item that says only that there are more is no topic, and what announces a list is no meaning.
func TestNothingIsSaid(t *testing.T) {
	for text, want := range map[string]bool{"etc": false, "etc.": false, "… and so on": false, "...": false, "usw.": false, "and more": false, "Etching": true, "More": true, "Examples:": false} {
		if got := IsTopic(text); got != want {
			t.Errorf("%q is a topic: %v", text, got)
		}
	}
	set := &Set{Notes: []Note{{Blocks: []Block{{Kind: Item, Text: "**Properties** have multiple use cases including:"}, {Kind: Item, Text: "**Blocks** are the parts of a page."}}}}}
	if list := set.Terms(Related); len(list) != 1 || list[0].Name != "Blocks" {
		t.Errorf("%+v", list)
	}
}
