package note

import "testing"

func TestClipped(t *testing.T) {
	for src, want := range map[string]bool{
		"---\nsource: https://example.com/a\n---\ntext\n":            true,
		"\xef\xbb\xbf---\r\nurl: \"https://example.com\"\r\n---\r\n": true,
		"---\ntitle: x\nSource: [https://example.com]\n...\n":        true,
		"---\n\"source\": x\n---\n":                                  true,
		"---\nsource:\n  - https://example.com\n---\n":               true,
		"---\nsource:\n- https://example.com\n---\n":                 true,
		"---\nsource:\ntitle: a template\n---\n":                     false,
		"---\nsource: \"\"\n---\n":                                   false,
		"---\nsources: three\n---\n":                                 false,
		"---\nabout:\n  url: nested\n---\n":                          false,
		"---\nsource: https://example.com\n":                         false, // never closed: no properties
		"text\n---\nsource: https://example.com\n---\n":              false,
		"source: https://example.com\n":                              false,
		"":                                                           false,
	} {
		if got := Clipped([]byte(src)); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}
