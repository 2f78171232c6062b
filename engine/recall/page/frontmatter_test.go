package page

import (
	"slices"
	"strings"
	"testing"
)

// What names a note does so in any spelling of YAML.
func TestNamesInAnySpelling(t *testing.T) {
	for _, head := range []string{
		"title: Heron\naliases: [Ardea, Grey heron]\ntags: [bird]\ncreated: 2026-03-01",
		"Title : 'Heron'\n\"aliases\": [\"Ardea\", Grey heron]\nTAGS:\n- bird\n'created' : \"2026-03-01\"",
		"{title: Heron, aliases: [Ardea, Grey heron], tags: bird, created: 2026-03-01}",
		"{title: Heron,\n Aliases: [Ardea, Grey heron],\n \"tags\" : [bird], created: 2026-03-01}",
		"title: !!str Heron\naliases: [!!str Ardea, Grey heron]\ntags: bird\ncreated: !!str 2026-03-01",
		"? title\n: Heron\n? aliases\n: [Ardea, Grey heron]\n? tags\n: bird\n? created\n: 2026-03-01",
		"\"\\x74itle\": Heron\nalias: [Ardea, Grey heron]\ntag: bird\ncreated: 2026-03-01",
	} {
		p := Parse("n.md", []byte("---\n"+head+"\n---\nA bird.\n"))
		if p.Title != "Heron" || !slices.Equal(p.Names, []string{"n", "Heron", "Ardea", "Grey heron"}) || !slices.Equal(p.Tags, []string{"bird"}) || !slices.Equal(p.Dates, []string{"created: 2026-03-01"}) {
			t.Errorf("%q: %q %q %q %q", head, p.Title, p.Names, p.Tags, p.Dates)
		}
	}
	for _, head := range []string{"title: {x: y}", "{about: {title: x}}", "text: |\n  title: x?", "title: a: {b", strings.Repeat("x: {y}\n", 10_000) + "{title: x}"} {
		if p := Parse("n.md", []byte("---\n"+head+"\n---\nA bird.\n")); p.Title == "x" || p.Title == "y" {
			t.Errorf("%.40q: %q", head, p.Title)
		}
	}
}

// A property is quoted in words, without what only YAML means.
func TestPropertyInWords(t *testing.T) {
	for lines, want := range map[string]string{
		"status: running":     "Status: running",
		"status: \"running\"": "Status: running",
		"tag_line: a, b":      "Tag line: a, b",
		"summary: |\n  First line.\n\n  - Second: line.": "Summary: First line. - Second: line.",
		"summary: >-\n  folded\n  text":                  "Summary: folded text",
		"summary: text that\n  goes on":                  "Summary: text that goes on",
		"summary: \"text that\n  goes on\"":              "Summary: text that goes on",
		"people: [\"Smith, John\", 'O, K', don't, Ada]":  "People: Smith, John; O, K; don't; Ada",
		"people: [Ada,\n  Bob]":                          "People: Ada, Bob",
		"people:\n- Ada\n-\n- \"Bob: the builder\"\n":    "People: Ada, Bob: the builder",
		"loc: [[Kyoto]], [[Japan]]":                      "Location: [[Kyoto]], [[Japan]]",
		"loc:\n  - \"[[Kyoto]]\"\n  - [[Japan]]":         "Location: [[Kyoto]], [[Japan]]",
		"url: https://example.org/a:b":                   "Url: https://example.org/a:b",
		"at:\n  - 10:30\n  - https://example.org":        "At: 10:30, https://example.org",
		"crlf: |\r\n  one\r\n  two\r\n":                  "Crlf: one two",
	} {
		if got := propertyInWords(lines); got != want {
			t.Errorf("%q: %q, want %q", lines, got, want)
		}
	}
}

// Keys within a property are found and not quoted.
func TestMapsAreNotQuoted(t *testing.T) {
	for _, lines := range []string{
		"address:\n  street: Heron Lane\n  city: Kyoto\n", "address: {street: Heron Lane}\n", "address: [{street: Heron Lane}]\n",
		"address:\n  - street: Heron Lane\n    city: Kyoto\n", "address:\n  home:\n    street: Heron Lane\n", "address:\n  \"street\": Heron Lane\n",
	} {
		p := Parse("n.md", []byte("---\n"+lines+"bird: heron\n---\n"))
		if len(p.Blocks) != 2 {
			t.Fatalf("%q: %d blocks", lines, len(p.Blocks))
		}
		q := weighed("heron lane")
		if got := p.Piece(q, Around{}).Text; got != "Bird: heron" {
			t.Errorf("%q: the piece is %q", lines, got)
		}
		if got := p.Quote(p.Chunks[0], q, true, 0, func(Block) bool { return true }).Text; got != "Bird: heron" {
			t.Errorf("%q: the quote is %q", lines, got)
		}
	}
}
