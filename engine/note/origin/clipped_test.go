package origin

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/vault/testdata/growth"
)

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

		"---\n{source: x, title: y}\n---\n":                             true,
		"---\n{title: y,\n Source : [x]}\n---\n":                        true,
		"---\n? url\n: https://example.com\n---\n":                      true,
		"---\n\"ur\\x6c\" : x\n---\n":                                   true,
		"---\nsource: {site: x}\n---\n":                                 true,
		"---\nSOURCE : 'x'\n---\n":                                      true,
		"---\nurl: !!str x\n---\n":                                      true,
		"---\nurl: |\n  x\n---\n":                                       true,
		"---\nurl: *nobody\n---\n":                                      true, // in doubt
		"---\nbase: &b {source: x}\n<<: *b\n---\n":                      true,
		"---\ntitle: a: b\nabout: {source: x}\n---\n":                   true,
		"---\ntitle: a: b\n- 'url' : x\n---\n":                          true,
		"---\n{title: a: b, tags: [clippings]}\n---\n":                  true,
		"---\n" + strings.Repeat("x: y\n", 20_000) + "{url: x}\n---\n":  true,
		"---\n{tags: [reading, Clippings/web]}\n---\n":                  true,
		"---\n{source: , title: y}\n---\n":                              false,
		"---\n{about: {source: x}}\n---\n":                              false,
		"---\ntitle: a: b\nresource: x\ncurl: y\nnot-url: z\n---\n":     false,
		"---\n" + strings.Repeat("x: y\n", 20_000) + "{curl: x}\n---\n": false,
		"---\ntext: |\n  source: x\n---\n":                              false,

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
		"**source**:: https://example.com\n":                  true,
		"**Source**::https://example.com\n":                   true,
		"*url*:: [[Book]]\n":                                  true,
		"source :: https://example.com\n":                     true,
		"1. source:: https://example.com\n":                   true,
		"- [ ] source:: https://example.com\n":                true,
		"> 2) [x] URL:: x\n":                                  true,
		"read [**source**:: x] on\n":                          true,
		"read (source :: [[Book]] and more)\n":                true,
		"saved #clippings today\n":                            true,
		"#Clippings/web\r\n":                                  true,
		"- #clippings.\n":                                     true,
		"tags:: [[clippings]]\n":                              true,
		"- Tags:: reading, #Clippings/web\n":                  true,
		"tag:: clippings\n":                                   true,
		"see [tags:: clippings]\n":                            true,
		"# clippings\n":                                       false, // a heading
		"##clippings #paperclippings #clippingsx a#clippings": false,
		"#clippings-old is another tag\n":                     false,
		"[its part](x.md#clippings)\n":                        false,
		"the tag `#clippings` and `source:: x` in code\n":     false,
		"`[source:: x]` is one to Dataview\n":                 true,
		"``a ` #clippings``\n":                                false,
		"```\n#clippings\n```\n":                              false,
		"tags:: reading, paperclippings\n":                    false,
		"tags::\n[source:: ] (url::)\n":                       false,
		"**source**::\n":                                      false,
		"open source :: x\n":                                  false,
		"the source::x of it\n":                               false,
		"source::\n":                                          false,
		"[source:: ]\n":                                       false,
		"resource:: x\n":                                      false,
		"std::source is no field, source:x neither\n":         false,
		"```\nsource:: x\n```\ntext\n":                        false,
		"```\nx\n```\nsource:: x\n":                           true,
		"~~~\n```\nsource:: x\n~~~\n":                         false,
	} {
		if got := IsClipped(note.NewPage([]byte(src))); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}

// Properties of nothing but items cost by their number.
func TestGrowthOfProperties(t *testing.T) {
	for _, lines := range []string{"- a: b\n", "- source: x\n", "tags:\n- a\n- b: c\n"} {
		growth.Gently(t, 200, func(n int) func() {
			src := []byte("---\n" + strings.Repeat(lines, n) + "---\n")
			return func() { hasClippedLine(note.Properties(src)) }
		})
	}
	growth.Gently(t, 200, func(n int) func() {
		src := []byte("---\ntags:\n" + strings.Repeat("  - a\n", n) + "---\n")
		return func() { hasClippedLine(note.Properties(src)) }
	})
}
