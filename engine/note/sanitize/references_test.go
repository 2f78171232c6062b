package sanitize

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/note/target"
)

// TestReferences wants what an answer names inside it alone: links with their targets, footnotes with its label, and
// text where it would define or name something.
func TestReferences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		// What was reported: the definitions of a note that stand behind the answer.
		{"See [docs][] and [the plan][P].[^1]\n\n[docs]: https://other.example/phish\n[P]: https://other.example/plan\n[^1]: Mine.", "See [docs](https://other.example/phish) and [the plan](https://other.example/plan).[^a7k-1]\n\n[^a7k-1]: Mine."},
		{"[docs]: https://other.example/phish", `[docs]\: https://other.example/phish`},

		{"[a][1], [b][1] and [1]\n\n[1]: <b c.md> 'T'", `[a](b%20c.md "T"), [b](b%20c.md "T") and [1](b%20c.md "T")`},
		{"[a](b.md) [c][d][e]\n\n[d]: x.md\n[e]: y.md", "[a](b.md) [c](x.md)[e](y.md)"},
		{"[Ä  b]\n\n[ä b]: x.md", "[Ä  b](x.md)"},
		{"[a [b] c][d]\n\n[d]: x.md", "[a [b] c](x.md)"},
		{"[a [b] c][d]\n\n[d]: x.md\n[b]: y.md", "[a [b](y.md) c][d](x.md)"},
		{"![a][b] ![b]\n\n[b]: x.png", "![a](x.png) ![b](x.png)"},
		{"> see [a]\n>\n> [a]: x.md\n> more", "> see [a](x.md)\n>\n> more"},
		{"[a]\n\n[a]:\n  x.md\n  \"T\"\n\nb", "[a](x.md \"T\")\n\n\nb"},
		{"[a]\n\n[a]: x.md\n[a]: y.md", "[a](x.md)\n\n[a]\\: y.md"},
		{"[a]\n\n- [a]: x.md", "[a](x.md)\n\n- [a]\\: x.md"},
		{"use `<b>` in [docs][1]\n\n[1]: x.md \"T\"", "use `<b>` in [docs](x.md \"T\")"},
		{"[a]\n\n[a]: https://x.example/b_(c)?d='e'", "[a](https://x.example/b_%28c%29?d=%27e%27)"},
		{"[a]\n\n[a]: x.md \"a \\\" b\"", "[a]\n\n[a]\\: x.md \"a \\\" b\""},
		{"[a]\n\n[a]: javascript:x", "[a]\n\n[a]\\: javascript:x"},
		{"[a] and [b]\n\n[a]: obsidian://x\n[b]: //x.example", "[a] and [b]\n\n[a]\\: obsidian:\\//x\n[b]\\: /\\/x.example"},
		{"[a]\n\n[a]: https://" + strings.Repeat("x", target.LongestInlined), "[a]\n\n[a]\\: https://" + strings.Repeat("x", target.LongestInlined)},
		{"text\n[a]: x.md\n\n[a]", "text\n[a]\\: x.md\n\n[a]"},
		{"`[a]` \\[a] [a\\]\n\n[a]: x.md", "`[a]` \\[a] [a\\]\n\n[a]\\: x.md"},
		{"```\n[a]: x.md\n```", "```\n[a]: x.md\n```"},
		{"[a\nb]: x.md", "[a\nb]\\: x.md"},
		{"ii. [a]: x.md\n  \u00a0\u00a0[a]: x.md", "ii. [a]\\: x.md\n  \u00a0\u00a0[a]\\: x.md"},
		{"term\n: [a]: x.md", "term\n: [a]\\: x.md"},
		{"*[HTML]: Language", `*[HTML]\: Language`},

		// No references.
		{"- [x] a\n- [ ] b\n\n[x]: y.md", "- [x] a\n- [ ] b\n\n[x]\\: y.md"},
		{"> [!note] a\n\n[!note]: x.md", "> [!note] a\n\n[!note]\\: x.md"},
		{"[[a]] ![[a]] [[a]]: b\n\n[a]: x.md", "[[a]] ![[a]] [[a]]: b\n\n[a]\\: x.md"},
		{"list[int]: a, see b[0]: c", "list[int]: a, see b[0]: c"},
		{"at http://[fe80::1]: x", "at http://[fe80::1]: x"},
		{"$a[1]$ and [1]\n\n[1]: x.md", "$a[1]$ and [1](x.md)"},

		{"A[^1] b[^Ü] c[^2].\n\n[^1]: One[^ü].\n[^ü]:\n    Two.", "A[^a7k-1] b[^a7k-Ü] c[\\^2].\n\n[^a7k-1]: One[^a7k-ü].\n[^a7k-ü]:\n    Two."},
		{"x[^1]\n\n[^1]: [docs]: x.md", "x[^a7k-1]\n\n[^a7k-1]: [docs]\\: x.md"},
		{"[^a b]: x[^a b]", `[\^a b]\: x[\^a b]`},
		{"> [^1]: x", `> [\^1]\: x`},
		{"x[^1]\n\n[^1]: a\n\n    [^2]: b", "x[^a7k-1]\n\n[^a7k-1]: a\n\n    [\\^2]\\: b"},
		{"[^a7k-1]: a", "[\\^a7k-1]\\: a"}, {"x[^a7k-1]\n\n[^a7k-1]: a", "x[^a7k-1]\n\n[^a7k-1]: a"},
		{"[^1]: javascript:x", `[\^1]\: javascript:x`},
		{"^[a note] and `[^1]` [^a-z]", "^[a note] and `[^1]` [\\^a-z]"},

		{"text ^id-1\n- b ^x \n\n^y", "text \\^id-1\n- b \\^x \n\n\\^y"},
		{"*a*^x", `*a*\^x`},
		{"10^6\nx^2", "10^6\nx^2"},
		{"[[a#^b]]\n[a](b.md#^c)\nhttps://x.example/#^d\n$a\n^b$\n`^c`\n\\^d", "[[a#^b]]\n[a](b.md#^c)\nhttps://x.example/#^d\n$a\n^b$\n`^c`\n\\^d"},

		{"# A {#b}\n\n{.c #d} {{e}}", "# A \\{\\#b}\n\n\\{. c #d} { {e}}"},
		{"id:: 1\n- ID:: 2\n  key:: 3", "id\\:: 1\n- ID\\:: 2\n  key:: 3"},
		{"# id:: 1\n- TODO [#A] id:: 2\n- # TODO ID::", "# id\\:: 1\n- TODO [#A] id\\:: 2\n- # TODO ID\\::"},
		{"\"id\":: 1\n(id:: 2\n|i^d|:: 3\n{id}:: 4\n((((id)))):: 5", "\"id\"\\:: 1\n(id\\:: 2\n|i^d|\\:: 3\n{id}\\:: 4\n((((id))))\\:: 5"},
		{"custom-id:: 1\nCustom_ID:: 2\ntemplate:: daily\n\n    id:: 3", "custom-id\\:: 1\nCustom_ID\\:: 2\ntemplate\\:: daily\n\n```\nid:: 3\n```"},
		{"- a\n  :PROPERTIES:\n  :id: 1\n  :END:\n- TODO :properties:\n  :id: 2\n  :end:", "- a\n  \\:PROPERTIES:\n  :id: 1\n  \\:END:\n- TODO \\:properties:\n  :id: 2\n  \\:end:"},
		{"1. ```js\n   - id:: 1\n   - :PROPERTIES:\n   ```", "1. ```js\n   - id: : 1\n   - : PROPERTIES:\n   ```"},
		{"grid:: 1 std::id x[id:: 2] `id:: 3`\ntemplates:: 4\n```yaml\nid:: 5\n```", "grid:: 1 std::id x[id:: 2] `id:: 3`\ntemplates:: 4\n```yaml\nid:: 5\n```"},
		{`$\def\a{b} \newcommand{\c}{d} \label{e} \text{f} \left( \operatorname{g}$`, `$\text{f} \left( \operatorname{g}$`},
		{`$\def\a#1.{b} \newcommand{\c}{d} \c$`, `$\ def\a#1.{b} \ newcommand{\c}{d} \c$`},
	} {
		got := Labelled(c.in, "a7k", 0)
		if got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.in, got, c.want)
		}
		if again := Labelled(got, "a7k", 0); again != got {
			t.Errorf("%q\nthen %q", got, again)
		}
	}
	if got := Answer("A[^1] b[^2].\n\n[^1]: One.", 0); got != "A[^1] b[^2].\n\n[^1]: One." {
		t.Errorf("in a note of its own: %q", got)
	}
}

// TestManyReferences: a short name of a long target is no way to a huge answer.
func TestManyReferences(t *testing.T) {
	t.Parallel()
	in := "[a]: https://x.example/" + strings.Repeat("b", 2000) + "\n\n" + strings.Repeat("[a] ", 10000)
	if got := Labelled(in, "a7k", 0); len(got) > 3*len(in) || strings.Count(got, "](https") == 0 {
		t.Errorf("%d bytes became %d, with %d links", len(in), len(got), strings.Count(got, "](https"))
	}
	if got := Labelled(in, "a7k", 4096); len(got) > 4096 {
		t.Errorf("%d bytes", len(got))
	}
}
