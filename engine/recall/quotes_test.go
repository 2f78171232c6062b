package recall

import (
	"context"
	"slices"
	"testing"
)

// What is shown for a question holds words of the question, and the count says
// how many of them the reader will find in it.
func TestQuotesHoldWhatTheyAreFoundBy(t *testing.T) {
	ix, _ := vault(t, map[string]string{
		"Backups.md":            "---\ntags: [safety]\n---\n# Backups\n\n## Decision\n\nWe keep backups for a year.\n\n## Place\n\nThe cellar.\n",
		"Restore a backup.md":   "# Restore a backup\n\n## One file\n\n1. Open the list.\n2. Choose the last line with a date before the accident.\n3. Agree on a place for it.\n",
		"Which roaster.md":      "# Which roaster\n\n## Decision\n\nWe take the drum.\n\n## Talk\n\nTomas wanted the small one.\n",
		"Templates/Meeting.md":  "# Meeting\n\n## Decisions\n\n1. What was decided, and by whom.\n",
		"People/Ines.md":        "# Ines\n\nRoasts and buys.\n",
		"Projects/In a box.md":  "One bag in it.\n",
		"Projects/Chose one.md": "We chose the blue lid for the jar.\n",
	})
	type sight struct {
		note, heading               string
		matched, title, head, inTag int
	}
	for query, want := range map[string][]sight{
		"what did we decide about backups?":    {{"Backups.md", "Decision", 2, 0, 1, 0}},
		"which roaster did we agree on?":       {{"Which roaster.md", "Decision", 2, 1, 1, 0}}, // all of it above the text
		"which lid did we decide on":           {{"Projects/Chose one.md", "", 2, 0, 0, 0}},
		"where is the safety cellar":           {{"Backups.md", "Place", 2, 0, 0, 1}},
		"choose a line":                        {{"Restore a backup.md", "One file", 2, 0, 0, 0}}, // its own word, not a synonym
		"what did we decide about the weather": nil,                                               // some decision is no answer
		"who is Ines":                          {{"People/Ines.md", "", 1, 1, 0, 0}},              // "in" has the same stem
	} {
		var got []sight
		for _, p := range search(t, ix, query) {
			got = append(got, sight{p.Note, p.Heading, p.Matched, p.InTitle, p.InHeading, p.InTags})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %+v, want %+v", query, got, want)
		}
	}
	near, err := ix.Search(context.Background(), "which roaster has a guarantee", SearchOptions{Nearby: true})
	if err != nil || len(near) == 0 || near[0].Note != "Which roaster.md" {
		t.Errorf("nearest: %+v %v", near, err)
	}
	if found := search(t, ix, "which roaster has a guarantee"); len(found) != 0 {
		t.Errorf("quoted: %+v", found)
	}
}
