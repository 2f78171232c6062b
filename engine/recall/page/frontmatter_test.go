package page

import "testing"

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
