package note

import (
	"strings"
	"testing"
)

// A person who switches a note off does so in the spelling of their note app.
func TestSwitch(t *testing.T) {
	const off, on, odd = "off", "on", "odd"
	for head, want := range map[string]string{
		"wiki: off":                           off,
		"Wiki: off":                           off,
		"WIKI: off":                           off,
		`"wiki": off`:                         off,
		"'wiki': off":                         off,
		"wiki : off":                          off,
		"wiki: [off]":                         off,
		"wiki:\n  - off":                      off,
		"wiki:\n- off":                        off,
		"{wiki: off}":                         off,
		"wiki: !!bool false":                  off,
		"wiki: Off # please":                  off,
		"wiki: 'no'":                          off,
		"wiki: \"FALSE\"":                     off,
		"wiki: 0":                             off,
		"wiki: ['0']":                         off,
		"wiki: [ [ no ] ]":                    off,
		"{title: x, \"Wiki\" : [off]}":        off,
		"wiki:\n  off":                        off,
		"wiki: |\n  off":                      off,
		"wiki: >-\n  off":                     off,
		"? wiki\n: off":                       off,
		"\"\\x77iki\": off":                   off,
		"wiki:\toff":                          off,
		"wiki: &here off":                     off,
		"!!str wiki: !!str off":               off,
		"title: x\r\nwiki : off\r\ntags: [a]": off,
		"title: x\rWiki: off":                 off,
		"wiki: on\nWiki: off":                 off, // note apps take these for one property
		"# wiki: on\nwiki: off # wiki: on":    off,

		// No YAML: each line for itself.
		"title: a: b\nwiki: off":             off,
		"title: a: b\nwiki : 'no' # please":  off,
		"title: \"open\nwiki: off":           off,
		"base: &b {x: 1}\n<<: *b\nwiki: off": off,
		"\ttitle: x\nwiki: off":              off,
		"title: \x01\nwiki: off":             off,
		"title: a: b\nwiki: maybe":           odd,
		"title: a: b\n  wiki: off":           on, // a key of something else
		"title: a: b\nwiki:off":              on,
		"wiki: *nothing":                     odd,

		"wiki: on":                        on,
		"wiki: true":                      on,
		"wiki: [yes]":                     on,
		"wiki: 1":                         on,
		"wiki:":                           on, // it may still be being typed
		"wiki: []":                        on,
		"wiki: ~":                         on,
		"wiki:off":                        on,
		"wikipedia: off":                  on,
		"my wiki: off":                    on,
		"# wiki: off":                     on,
		"about:\n  wiki: off":             on,
		"about: {wiki: off}":              on,
		"text: |\n  wiki: off":            on,
		"title: \"\n  wiki: off\"":        on,
		"- wiki: off":                     on,
		"[wiki, off]":                     on,
		"title: wiki":                     on,
		"wiki: [off, on]":                 odd,
		"wiki: [off, off]":                odd,
		"wiki: {off: off}":                odd,
		"wiki: {}":                        odd,
		"wiki: off please":                odd,
		"wiki: offline":                   odd,
		"wiki: 00":                        odd,
		"wiki: https://example.org/wiki/": odd,
		"wiki: \"[[Home]]\"":              odd,
		"wiki: ''":                        odd,
	} {
		for _, src := range []string{
			"---\n" + head + "\n---\n\n> @agent-Miner q\n",
			"\ufeff---\r\n" + strings.ReplaceAll(strings.ReplaceAll(head, "\r\n", "\n"), "\n", "\r\n") + "\r\n...\r\n\r\n> @agent-Miner q\r\n",
		} {
			doc, got := Parse([]byte(src)), on
			switch {
			case doc.Disabled:
				got = off
			case doc.Switch > 0:
				got = odd
			}
			if got != want {
				t.Errorf("%q is %s, not %s", src, got, want)
			}
			if (len(doc.Markers) == 0) != doc.Disabled || IsOff([]byte(src)) != doc.Disabled {
				t.Errorf("%q: off %v, of which IsOff says %v, and %d markers", src, doc.Disabled, IsOff([]byte(src)), len(doc.Markers))
			}
		}
	}
}

// Properties beyond what is read as YAML are read line by line.
func TestSwitchBelowMuch(t *testing.T) {
	much := strings.Repeat("x: y\n", 20_000)
	for head, want := range map[string]bool{much + "wiki: off\n": true, much + "{wiki: off}\n": false} {
		if doc := Parse([]byte("---\n" + head + "---\n\n> @agent-Miner q\n")); doc.Disabled != want {
			t.Errorf("off is %v behind %d bytes", doc.Disabled, len(head))
		}
	}
}

func TestSwitchHasItsLine(t *testing.T) {
	if doc := Parse([]byte("---\ntitle: x\nWiki: maybe\n---\n> @agent-Miner q\n")); doc.Switch != 3 {
		t.Errorf("line %d", doc.Switch)
	}
}

// What the plugin Excalidraw keeps is a drawing, whatever its name is.
func TestDrawing(t *testing.T) {
	for head, want := range map[string]bool{
		"excalidraw-plugin: parsed\ntags: [excalidraw]": true,
		"excalidraw-plugin: raw":                        true,
		"\"Excalidraw-Plugin\" : parsed":                true,
		"{excalidraw-plugin: locked}":                   true,
		"excalidraw-plugin:":                            true,
		"title: a: b\nexcalidraw-plugin: parsed":        true,
		"wiki: on\nexcalidraw-plugin: parsed":           true,
		"tags: [excalidraw]":                            false,
		"title: excalidraw-plugin":                      false,
		"excalidraw-plugins: parsed":                    false,
		"about: {excalidraw-plugin: parsed}":            false,
		"# excalidraw-plugin: parsed":                   false,
	} {
		if doc := Parse([]byte("---\n" + head + "\n---\n\n> @agent-Miner q ^Qk3mPz9a\n")); doc.Drawing != want || len(doc.Markers) != 1 {
			t.Errorf("%q: %v, %d markers", head, doc.Drawing, len(doc.Markers))
		}
	}
}
