package kinds

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/broadcast/material"
)

// A topic is the first sentence of its item, or its headline, up to a word, with its code as it is; examples are none, nor is what is below them, nor what announces nothing.
func TestMapOfItems(t *testing.T) {
	item := func(depth int, text string) material.Block {
		return material.Block{Kind: material.Item, Depth: depth, Text: text}
	}
	set := &material.Set{Title: "Notes", Notes: []material.Note{{Title: "Notes", Link: func(_ []string, label string) string { return "[[" + label + "]]" }, Blocks: []material.Block{
		item(0, "Always demand a deadline. A deadline weeds out the extraneous and the ordinary of all the things."),
		item(0, "Comments begin with `#` or `[[card]]`, as 4.5^2 does"),
		item(0, "Some examples:"), item(4, "wash the car"), item(8, "and the dog"),
		item(0, "eg: write a letter"), item(4, "on Monday"),
		item(0, "Put a link inside syntax like this:"), item(0, "produced by:"), item(4, "typing this:"),
		item(0, "((6380a818-1a69-46f1-85f0-2b86fcba9b70))"),
		item(0, "There are two ways to attach a mark to an unforgettable task of ours"), item(4, "Both of the above are short"),
		item(0, "Query Operators\nThese can be applied around all of them.\nExamples:"), item(0, "etc."),
	}}}}
	made, ok := All[kindNamed(t, "mind map")].Make(set, Options{})
	if !ok {
		t.Fatal("nothing was made")
	}
	_, list, _ := strings.Cut(made.Body, "## Where it stands\n\n")
	list, _, _ = strings.Cut(list, "\n\n## Sources")
	const want = "- Always demand a deadline.\n- Comments begin with ♯ or \\[\\[card]], as 4.5^2 does\n" +
		"- There are two ways to attach a mark to an unforgettable…\n\t- Both of the above are short\n- Query Operators"
	if list != want {
		t.Errorf("the map is\n%s\nwant\n%s", list, want)
	}
	if !strings.HasPrefix(made.Lead, "Its branches: Always demand a deadline., Comments") {
		t.Errorf("the lead is %q", made.Lead)
	}
}

func kindNamed(t *testing.T, name string) int {
	t.Helper()
	for i, k := range All {
		if k.Name == name || k.Title == name || strings.EqualFold(k.Title, name) {
			return i
		}
	}
	t.Fatalf("no kind %q", name)
	return -1
}
