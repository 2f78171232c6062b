package page

import (
	"strings"
	"testing"
)

func TestReferences(t *testing.T) {
	for text, want := range map[string]string{
		"[[Note]] and [[Note|label]] and ![[Note]]":                                    "note",
		"[[Folder/Note#Some Heading|x]]":                                               "folder/note#head",
		"[[Note#Outer#Inner]] [[Note#^block-1]]":                                       "note#inner note",
		"[[#Heading here]] [[Note^old]]":                                               "note",
		"[x](Other%20note.md#a-heading)":                                               "./other note#head",
		"[x](<Other note.md>) [y](../up/It.md)":                                        "./other note ./../up/it",
		"[x](Wiki_(a).md \"title\") ![](pic.png)":                                      "./wiki_(a)",
		"[x](https://a.b/c.md) [m](mailto:a@b.c)":                                      "",
		"`[[code]]` and [[a.b]] ![[shot.png]]":                                         "a.b",
		"| [[In table\\|label]] | x |":                                                 "in table",
		"```\n[[code]]\n```\n> [[Quoted]]":                                             "quoted",
		"> @agent-Miner what of [[Asked]]":                                             "",
		"<!-- agent-response -->\n[[Answered]]\n<!-- /agent-response -->\n[[After]]":   "after",
		"---\nup: \"[[Parent]]\"\nrelated:\n  - \"[[Sister]]\"\n---\n# [[In heading]]": "parent sister in heading",
	} {
		var got []string
		for _, r := range Parse("n.md", []byte(text)).References {
			if r.Anchor != "" {
				r.Path += "#" + r.Anchor
			}
			got = append(got, r.Path)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
