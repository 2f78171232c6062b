package arrival

import "testing"

func TestIsClipped(t *testing.T) {
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

		"---\ntags: [clippings]\n---\n":                     true,
		"---\ntags:\n  - reading\n  - \"Clippings\"\n---\n": true,
		"---\ntags: reading, #clippings/web\n---\n":         true,
		"---\ntag: clippings\n---\n":                        true,
		"---\ntags:\n- x\ntitle: clippings\n---\n":          false,
		"---\ntags: [paperclippings]\n---\n":                false,
		"---\ntitle: x\nurl:\ntags: [a]\n---\n":             false,

		"source:: https://example.com\n> @agent-Miner what\n": true,
		"- Source:: [[Book]]\r\n":                             true,
		"> - url:: https://example.com":                       true,
		"read on [source:: https://example.com] today\n":      true,
		"read on (URL::x)\n":                                  true,
		"source::\n":                                          false,
		"[source:: ]\n":                                       false,
		"resource:: x\n":                                      false,
		"std::source is no field, source:x neither\n":         false,
		"```\nsource:: x\n```\ntext\n":                        false,
		"```\nx\n```\nsource:: x\n":                           true,
		"~~~\n```\nsource:: x\n~~~\n":                         false,
	} {
		if got := IsClipped([]byte(src)); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}
