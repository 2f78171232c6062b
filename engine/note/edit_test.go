package note

import (
	"strings"
	"testing"
)

func TestApply(t *testing.T) {
	const src = "0123456789"
	e := func(start, end int, s string) Edit { return Edit{Span{start, end}, []byte(s)} }
	for _, c := range []struct {
		edits []Edit
		want  string // "" = refused
	}{
		{nil, src},
		{[]Edit{e(2, 4, "ab")}, "01ab456789"},
		{[]Edit{e(8, 10, "Z"), e(0, 1, "A")}, "A1234567Z"},
		{[]Edit{e(4, 5, ""), e(5, 6, "x"), e(3, 4, "y")}, "012yx6789"},
		{[]Edit{e(5, 5, "a"), e(5, 5, "b")}, "01234ab56789"},
		{[]Edit{e(10, 10, "end")}, "0123456789end"},
		{[]Edit{e(0, 3, ""), e(2, 4, "")}, ""},
		{[]Edit{e(0, 5, ""), e(2, 3, "")}, ""},
		{[]Edit{e(-1, 3, "")}, ""},
		{[]Edit{e(4, 3, "")}, ""},
		{[]Edit{e(9, 11, "")}, ""},
	} {
		in := []byte(src)
		out, err := Apply(in, c.edits)
		if (err != nil) != (c.want == "") || string(out) != c.want {
			t.Errorf("%v: %q, %v", c.edits, out, err)
		}
		if string(in) != src {
			t.Fatalf("%v changed its note: %q", c.edits, in)
		}
	}
}

func TestRespondKeepsHardBreaks(t *testing.T) {
	src := []byte("- > @agent-Miner q\r\n")
	m := Parse(src).Markers[0]
	out, err := Apply(src, []Edit{Respond(src, m, "one  \ntwo\n\n    code  ")})
	want := "- <!-- agent-response -->\r\n  one  \r\n  two\r\n\r\n      code  \r\n  <!-- /agent-response -->\r\n"
	if err != nil || string(out) != want {
		t.Errorf("%q, %v", out, err)
	}
}

func TestIsNote(t *testing.T) {
	for rel, want := range map[string]bool{
		"a.md": true, "a/b c/Ö.MD": true, "a.b.Md": true, "conflicted copy.md": true, "a~b.md": true, "x.conflict-resolution.md": true,
		"node_modules.md": true, "my (draft).md": true,
		"": false, ".md": false, "a.txt": false, "amd": false, "a.md/": false, "/a.md": false, "a//b.md": false,
		".obsidian/a.md": false, "a/.trash/b.md": false, "../a.md": false, ".#a.md": false, "~$a.md": false, "a.md~": false,
		"node_modules/x/README.md": false, "a/node_modules/b.md": false,
		"a.sync-conflict-20240101-120000-ABCDEFG.md":        false,
		"a (Conflicted copy Laptop 202401011200).md":        false,
		"a (Bob's conflicted copy 2024-01-01).md":           false,
		"a (conflicted copy 2024-01-01 120000).md":          false,
		"a.conflict-20240101T120000Z.md":                    false,
		"a_conflict-20240101-120000.md":                     false,
		"a_conflict-of-interest.md":                         true,
		"#a.md#":                                            false,
		"a.md.tmp":                                          false,
		".syncthing.a.md.tmp":                               false,
		"4913":                                              false,
		".a.md.icloud":                                      false,
		strings.Repeat("deep/", 30) + "a.md":                true,
		strings.Repeat("deep/", 30) + ".hidden/a.md":        false,
		"a.md.conflict-2024-01-01.md":                       false,
		"folder.sync-conflict-20240101-120000-ABCDEFG/a.md": true,
	} {
		if IsNote(rel) != want {
			t.Errorf("IsNote(%q) is %v", rel, !want)
		}
	}
}
