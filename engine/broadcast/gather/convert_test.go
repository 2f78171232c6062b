package gather

import (
	"fmt"
	"strings"
	"testing"

	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/recall/page"
)

// What the properties of a source say is the same in any spelling of YAML.
func TestReadProperties(t *testing.T) {
	for head, want := range map[string]string{
		"status: open\nDate: 2026-03-01":                "status=open Date=2026-03-01 2026-03-01",
		"{status: open, \"Date\" : [2026-03-01]}":       "status=open Date=2026-03-01 2026-03-01",
		"'status' : 'open'\n\"Date\": !!str 2026-03-01": "status=open Date=2026-03-01 2026-03-01",
		"status: open # or not\nDate:\n- 2026-03-01":    "status=open Date=2026-03-01 2026-03-01",
		"who:\n- Ada\n- Bob\nat: {x: y}\nnone:":         "who=Ada, Bob ",
		"text: |\n  one\n  two":                         "text=one two ",
		"loc: Kyoto\nLOC: Osaka":                        "location=Kyoto location=Osaka ",
		"a<b: c\n\"#\": d\n: e":                         "",
		"x: &b 1\ny: *b\nz: 2":                          "z=2 ", // no YAML that is read: line by line
		"x: y: z\nwhen : 2026-03-01\nwhen: 2026-03-02":  "x=y: z when=2026-03-02 2026-03-02",
		"long: " + strings.Repeat("x", 300):             "",
	} {
		list, got := readProperties([]byte("---\n"+head+"\n---\ntext\n")), ""
		for _, p := range list {
			got += fmt.Sprintf("%s=%s ", p.Key, p.Value)
		}
		if got += dateOf("n.md", list); got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
}

// What is taken out of a block parts the sentences around it: each stands in the note as it is quoted.
func TestNoSentenceGoesAcrossAGap(t *testing.T) {
	for text, want := range map[string]string{
		"- Start the server with\n  ```sh\n  wiki run\n  ```\n  then open the page.": "Start the server with|then open the page.",
		"- Start it with\n  ~~~\n  wiki run\n  ~~~\n  and wait.":                     "Start it with|and wait.",
		"- **and**\n  id:: 1\n  Examples:\n  #+BEGIN_EXAMPLE\n  (and [[page 1]] is not prose at all)\n  #+END_EXAMPLE\n  It takes two.\n  #+BEGIN_QUOTE\n  Said by Ada.\n  #+END_QUOTE\n": "**and**|Examples:|It takes two.|Said by Ada.",
		"- the query below\n  #+BEGIN_QUERY\n  {:title [:b \"x\"]}\n  #+END_QUERY\n  lists the rest":                                                                                      "the query below|lists the rest",
		"- one thing\n  collapsed:: true\n  and another":                          "one thing|and another",
		"- one thing\n  ---\n  and another":                                       "one thing|and another",
		"- one thing\n\n  and another":                                            "one thing|and another",
		"- the map\n  {:height 200}\n  shows it":                                  "the map|shows it",
		"> [!note] Of the day\n> one thing\n> and another":                        "one thing and another",
		"- one thing\n  and another":                                              "one thing and another",
		"In 1970, the mayor’s\n[Order 11](https://example.org/11.html)\nmade it.": "In 1970, the mayor’s [Order 11](https://example.org/11.html) made it.",
		"- By day\n  Order 11 made it.":                                           "By day|Order 11 made it.",
		"one thing\nand another":                                                  "one thing and another",
		"one thing %% not this %% and another <!-- nor this -->":                  "one thing and another",
		"- Ada wrote\n  ```\n  x\n  ```\n  ```\n  y\n  ```\n  Bob read. Cy ran.":  "Ada wrote|Bob read.|Cy ran.",
	} {
		p := page.Parse("n.md", []byte(text+"\n"))
		var got []string
		for _, b := range convertNote("n.md", p, 0, true).Blocks {
			if b.Kind != material.Heading {
				got = append(got, material.Split(b.Text)...)
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What a heading or a list has for programs is not read out: the name of a heading, a table of contents, the word that
// joins an item to the next one. A first heading that is the file's name is the title.
func TestNothingForProgramsIsRead(t *testing.T) {
	p := page.Parse("hash-table.md", []byte("# Hash Table\n\n- [Why it is](#why-it-is)\n  - [Parts](#parts)\n\n## Why it is {#why}\n\n- it is fast, and\n- it is small;\n- it is [old](#parts) or new\n"))
	n := convertNote("hash-table.md", p, 0, true)
	var got []string
	for _, b := range n.Blocks {
		got = append(got, b.Text)
	}
	if want := "Why it is|it is fast|it is small|it is [old](#parts) or new"; n.Title != "Hash Table" || strings.Join(got, "|") != want {
		t.Errorf("%q: %q, want %q", n.Title, got, want)
	}
}
