package note

import (
	"strings"
	"testing"
)

func TestApply(t *testing.T) {
	const src = "0123456789"
	e := func(start, end int, s string) Edit { return Edit{Span: Span{start, end}, New: []byte(s)} }
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

// The name of a block (" ^abc123" at the end of a question's last line) stays: links lead to it. It
// stands behind the answer as Obsidian wants it.
func TestNameOfABlockStays(t *testing.T) {
	const open, end = "<!-- agent-response -->", "<!-- /agent-response -->"
	for name, c := range map[string]struct{ text, want string }{
		"one line":       {"a\n\n> @agent-Miner what? ^ab-1\n\nb\n", "a\n\n" + open + "\nyes\n" + end + "\n\n^ab-1\n\nb\n"},
		"windows":        {"> @agent-Miner what? ^ab1 \r\n", open + "\r\nyes\r\n" + end + "\r\n\r\n^ab1\r\n"},
		"no line end":    {"> @agent-Miner what? ^ab1", open + "\nyes\n" + end + "\n\n^ab1"},
		"several lines":  {"> @agent-Miner what\n> about it ^ab1\n\nb\n", open + "\nyes\n" + end + "\n\n^ab1\n\nb\n"},
		"in a callout":   {"> [!note] T\n> @agent-Miner what? ^ab1\n\nb\n", "> [!note] T\n> " + open + "\n> yes\n> " + end + "\n>\n> ^ab1\n\nb\n"},
		"above a word":   {"> @agent-Miner what? ^ab1\n> mine\n", "> " + open + "\n> yes\n> " + end + "\n>\n> ^ab1\n>\n> mine\n"},
		"above a head":   {"> @agent-Miner what? ^ab1\r\n## Plan\r\nb", open + "\r\nyes\r\n" + end + "\r\n\r\n^ab1\r\n## Plan\r\nb"},
		"a head in it":   {"> [!note] T\n> @agent-Miner what? ^ab1\n> # H\n", "> [!note] T\n> " + open + "\n> yes\n> " + end + "\n>\n> ^ab1\n> # H\n"},
		"above a tag":    {"> @agent-Miner what? ^ab1\n#tag\n", open + "\nyes\n" + end + "\n\n^ab1\n\n#tag\n"},
		"above an item":  {"- > @agent-Miner what? ^ab1\n- # b\n", "- " + open + "\n  yes\n  " + end + "\n  ^ab1\n- # b\n"},
		"among numbers":  {"1. a\r\n   > @agent-Miner what? ^ab1\r\n2. b\r\n", "1. a\r\n   " + open + "\r\n   yes\r\n   " + end + "\r\n   ^ab1\r\n2. b\r\n"},
		"above its item": {"- > @agent-Miner what? ^ab1\n  2. b\n", "- " + open + "\n  yes\n  " + end + "\n\n  ^ab1\n\n  2. b\n"},
		"above a list":   {"> @agent-Miner what? ^ab1\n2. b\n", open + "\nyes\n" + end + "\n\n^ab1\n\n2. b\n"},
		"item of a call": {"> [!note] T\n> - > @agent-Miner what? ^ab1\n> - b\n", "> [!note] T\n> - " + open + "\n>   yes\n>   " + end + "\n>   ^ab1\n> - b\n"},
		"no name":        {"> @agent-Miner what is 2^3\n", open + "\nyes\n" + end + "\n"},
		"of other signs": {"> @agent-Miner what is ^a_b\n", open + "\nyes\n" + end + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			m := Parse([]byte(c.text)).Markers[0]
			if strings.Contains(m.Instruction, "^ab") {
				t.Errorf("it is asked %q", m.Instruction)
			}
			edit := Respond([]byte(c.text), m, "yes")
			got, err := Apply([]byte(c.text), []Edit{edit})
			if err != nil || string(got) != c.want {
				t.Fatalf("it is\n%q, want\n%q, %v", got, c.want, err)
			}
			if !NewPage([]byte(c.text)).KeepsBlocks(NewPage(got), []Edit{edit}) {
				t.Error("the answer is no block")
			}
		})
	}
}

func TestIsTag(t *testing.T) {
	for line, want := range map[string]bool{
		openTag: true, endTag: true, "> " + openTag: true, "  - <!--AGENT-response-->": true,
		"": false, "text": false, "text " + openTag: false, strings.ToUpper("<!-- comment -->"): false,
	} {
		if IsTag(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}

// In a note whose lines end in CR CR LF, those of the block do; an answer that empty lines would break has CRLF.
func TestBrokenLineEnds(t *testing.T) {
	const open, end = "<!-- agent-response -->", "<!-- /agent-response -->"
	for _, c := range []struct{ src, answer, want string }{
		{"a\r\r\n> @agent-Miner q\r\r\nb\r\r\n", "one", "a\r\r\n" + open + "\r\r\none\r\r\n" + end + "\r\r\nb\r\r\n"},
		{"a\r\r\n> @agent-Miner q\r\r\nb\r\r\n", "one\n\ntwo", "a\r\r\n" + open + "\r\r\none\r\r\n\r\r\ntwo\r\r\n" + end + "\r\r\nb\r\r\n"},
		{"a\r\r\n> @agent-Miner q", "one", "a\r\r\n" + open + "\r\r\none\r\r\n" + end},
		{"> @agent-Miner q\r\r\n", "`a\n![x](y)`", open + "\r\n`a\r\n![x](y)`\r\n" + end + "\r\r\n"},
		{"> @agent-Miner q\r\n\r\n", "one", open + "\r\none\r\n" + end + "\r\n\r\n"},
	} {
		doc := Parse([]byte(c.src))
		got, err := Apply([]byte(c.src), []Edit{Respond([]byte(c.src), doc.Markers[0], c.answer)})
		if err != nil || string(got) != c.want {
			t.Errorf("%q: %q, %v", c.src, got, err)
		}
	}
}
