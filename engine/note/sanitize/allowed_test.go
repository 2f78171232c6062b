package sanitize

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/note/codeblock"
)

// TestWhatActs wants everything that a note app or a plugin acts on shown as text.
func TestWhatActs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"```dataview\nLIST\n```", "```text_dataview\nLIST\n```"},
		{"- ~~~ Ad-Note\n  x\n  ~~~", "- ``` text_Ad_Note\n  x\n  ```"},
		{"> ```button\n> x\n> ```", "> ```text_button\n> x\n> ```"},
		{"```data&#118;iew\nx\n```", "```text_data_118_iew\nx\n```"},
		{"```typst\n#import \"@preview/x:0.1.0\"\n```", "```text_typst\n#import \"@preview/x:0.1.0\"\n```"},
		{"- ~~~ Typst\n  #image(\"a.png\")\n  ~~~", "- ``` text_Typst\n  #image(\"a.png\")\n  ```"},
		{"```typst title=\"a\"\nx\n```", "```text_typst_title_a\nx\n```"},
		{"```dataview\u00a0go\nx\n```", "```text_dataview_go\nx\n```"},
		{"```go {cmd=true}\nx\n```", "```go\nx\n```"},
		{"```text {cmd=\"sh\"}\nx\n```", "```text\nx\n```"},
		{"a\n    ```{x} {y=z}", "a\n    ```text_x_y_z"},
		{"a\n\n    ```dataview\n    x", "a\n\n````\n```dataview\nx\n````"},

		{"so `= this.x` is", "so `(= this.x)` is"},
		{"` =x`", "` (=x)`"},
		{"`$dc=x`", "`$dc =x`"},
		{"`dc=x`", "`(dc=x)`"},
		{"`VIEW[{x}][text]`", "`(VIEW[{x}][text])`"},
		{"```\n\n =x\n```", "```\n\n formula: =x\n```"},
		{"```js\n$=x\n```", "```js\n$ =x\n```"},
		{"a\n\n    =x", "a\n\n```\nformula: =x\n```"},

		{"`[k:: ![](https://x)]`", "`[k: : ![](https://x)]`"},
		{`(k:: \![a](b))`, `(k: : \![a](b))`},
		{`[k:: \] \[ &#33;[a](b)]`, `[k: : \] \[ &#33;[a](b)]`},
		{"`[k:::: <img src=x>]`", "`[k: : : : <img src=x>]`"},

		{`\<%* x %>`, "&lt;%* x %>"},
		{"`<%* x %>`", "`< %* x %>`"},
		{"```erb\n<% if x %><%- x -%><%= x %>\n```", "```erb\n<% if x %>< %- x -%><%= x %>\n```"},

		{"{{iframe x}} {{{x}}}", `{ {iframe x}} { { {x}}}`},
		{"{% x %}", `{\% x %}`},
		{"[:img x]", `[\:img x]`},
		{"@@html: x@@ @[a](b)", `@\@html: x@\@ @\[a](b)`},
		{"#+BEGIN_QUERY\n  @import \"x\"", "\\#+BEGIN_QUERY\n  \\@import \"x\""},
		{"```js\n~~~\n{{x}} [:i] @@ ![](a) <i> a:// [](b:c)\n```", "```js\n~~~\n{ {x}} [ :i] @ @ ! [](a) < i> a: // [] (b:c)\n```"},
		{"```js\n~~~\n[^1]: x [^a-z]\n```", "```js\n~~~\n[ ^1]: x [^a-z]\n```"},
		{"`a\n{{x}}`", "`a {{x}}`"},
		{"a <b>`<i x>`</b> <i>y</i>", "a &lt;b>`<i x>`</b> <i>y</i>"},

		{"![](../../x.png) ![a](b/../../c.png) ![](/../x.png)", `[]\(../../x.png) [a]\(b/../../c.png) []\(/../x.png)`},
		{"![](.%2E/%2e%2e/x.png) ![](..%5c..%5Cx.png) ![](../..)", `[]\(.%2E/%2e%2e/x.png) []\(..%5c..%5Cx.png) []\(../..)`},
		{"![[../../x]] ![[a/../../b.png|c]] ![[../..#d]] ![[../.. /x]]", `[\[../../x]] [\[a/../../b.png|c]] [\[../..#d]] [\[../.. /x]]`},
		{"> [!note] {{x}}\n> {{y}}", "> [!note] { {x}}\n> { {y}}"},
		{"[x](emjs:y) [x](<emjs:y>) ![x](emjs:y)", `[x]\(emjs:y) [x]\(&lt;emjs:y>) [x]\(emjs:y)`},

		{`$\href{x}{y}$ $$\bbox[x]{y}$$`, `$\ href{x}{y}$ $$\ bbox[x]{y}$$`},

		{"[x](obsidian://y)", `[x]\(obsidian:\//y)`},
		{"[x](<JavaScript:y z>)", `[x]\(&lt;JavaScript:y z>)`},
		{"[x](\n javascript:y)", "[x]\\(\n javascript:y)"},
		{"> [x](\n> data:y)", "> [x]\\(\n> data:y)"},
		{"[x](java&#115;cript:y) [x](&sol;/y)", `[x]\(java&#115;cript:y) [x]\(&sol;/y)`},
		{`[x](//y) [x](/\y) [x](\\y) [x](%2F/y) [x](C:/y)`, `[x]\(//y) [x]\(/\y) [x]\(\\y) [x]\(%2F/y) [x]\(C:/y)`},
		{"[r]: javascript:y", `[r]\: javascript:y`},
		{"[r]:\n<file:y>\n'title'", "[r]\\:\n&lt;file:y>\n'title'"},
		{"[x](<a b/c d.md>) [x](<img src=x>)", "[x](a%20b/c%20d.md) [x](img%20src=x)"},
		{"file:///y and smb://y", `file:\///y and smb:\//y`},
	} {
		got := Answer(c.in, 0)
		if got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.in, got, c.want)
		}
		if again := Answer(got, 0); again != got {
			t.Errorf("%q\nthen %q", got, again)
		}
	}
}

// TestWhatStays wants what agents write for readers as it is.
func TestWhatStays(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		"```go\nfmt.Println(\"{{x}} [:a] @@ <i> <%= x %>\")\n```",
		"``` C++ \nstd::sort(a, [&](int b) { return c[0](b); }); // (std::x)\n```",
		"```rust\n#![allow(x)] (a::b)\n```", "```ts {1,3-4} title=\"a/b.ts\"\nx\n```", "```js src/a.js\nx\n```", "```\nx\n```",
		"```erb\n<% if x %>\n<%= y %>\n<% end %>\n```", "```yaml\n- uses: ${{ x }}\n```", "````md\n![a](https://x)\n````",
		"`a == b` `=>` `==` `=` `{{ x }}` `[:a]` `<img src=x>` `std::x<y>` `$x = 1`", "``a `b` <c>``",
		"$a_{ {b}} \\frac{a}{b}$ and $$\\text{style}$$", "`a` $f[x](y)$",
		"[a](https://x.example/?a=b://c) <https://x> <mailto:a@b> [b](mailto:a@b) https://x/a:b://c",
		"https://x.example/a/OTY@._V1_.jpg [a](https://x.example/@1/b@~c@/d)",
		"[a](b.md) [a](Notes/A%20b.md#c:d) [a](#b:c) [a](../b.md) [a](/b) [R&D](R&D.md)",
		"![](../assets/a.png) ![[../b.png]] ![](a..b/c...png) ![[a#../..]]", "[[a]] [[b#c|d]] ![[e.png]] ![[f#^g]] ![h](i.png)", "[^1]\n\n[^1]: See: this and that",
		"k:: v\n[due:: 2024-01-02] (a:: [[b]])", "[::1] is \\[::1\\]"[7:],
		"> [!note] a\n> b", "| a | b |\n|---|---|\n| <br> | `c` |", "press <kbd>a</kbd> and `<b>`",
	} {
		if got := Answer(answer, 0); got != answer {
			t.Errorf("%q\n got %q", answer, got)
		}
	}
}

func TestDiagrams(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		plain bool
	}{
		{"graph TD\n  A[Start] --> B{Ok?}\n  B -->|Yes| C[\"a <br/> b\"]\n  style A fill:#f9f,stroke:#333", true},
		{"sequenceDiagram\n  A->>B: click the link\n  rect rgb(1, 2, 3)\n  B-->>A: x < 5\n  end", true},
		{"classDiagram\n  class A {\n    <<interface>>\n    +f(int x)\n  }\n  A <|-- B", true},
		{"---\ntitle: A flow\n---\nflowchart LR\n  A@{ shape: cyl, label: \"x\" }", true},
		{"%% a comment\nmindmap\n  root((links))\n    click\n    call", true},
		{"pie title x\n  \"a\" : 1", true},
		{"graph TD\nA[\"#quot;a#quot; #35;1\"]", true},

		{"sequenceDiagram\nA->>B: GET /users?id=<id> as List<String> or Map<K, V>\nNote over A: #lt;User[]#gt;", true},
		{"graph TD\nA[\"<b>Bold</b> H<sub>2</sub>O <i>x</i>\"] --> B[\"List&lt;String&gt;\"]\nA --- C[\"1 << 2 &lt;- x\"]", true},

		{"", false},
		{"LIST", false},
		{"graph TD\nA[\"<Script>alert(1)</script>\"]", false},
		{"graph TD\nA[\"&lt;style&gt;*{display:none}\"]", false},
		{"graph TD\nA[\"<b onclick=x>\"]", false},
		{"graph TD\nA[\"#lt;b style#gt;\"]", false},
		{"graph TD\nA[\"<<img src=x>\"]", false},
		{"graph TD\nA[\"&lt;&lt;img src=x&gt;\"]", false},
		{"graph TD\nA[\"&amp;lt;svg&amp;gt;\"]", false},
		{"graph TD\nA[\"<template />\"]", false},
		{"graph TD\nA-->B\nclick A \"https://x\"", false},
		{"graph TD;A-->B; click A call f()", false},
		{"sequenceDiagram\nlinks A: {}", false},
		{"graph TD\nA[\"<img src=x>\"]", false},
		{"graph TD\nA[\"#lt;img src=x#gt;\"]", false},
		{"graph TD\nA[\"#x3c;img\"]", false},
		{"graph TD\nA[\"&lt;img\"]", false},
		{"graph TD\nA@{ img: \"x\" }", false},
		{"graph TD\nA@{ \"im\\x67\": \"x\" }", false},
		{"%%{init: {}}%%\ngraph TD\nA", false},
		{"%%{init: {'theme': 'dark', \"themeVariables\": {'primaryColor': '#ffaa00', 'fontSize': '14px'}}}%%\ngraph TD\nA", true},
		{"---\ntitle: a\n---\n%%{init: {theme: base, flowchart: {curve: 'basis', nodeSpacing: 50}}}%%\ngraph TD\nA", true},
		{"%%{init: {'theme': 'dark', 'themeCSS': 'a'}}%%\ngraph TD\nA", false},
		{"%%{init: {'securityLevel': 'loose'}}%%\ngraph TD\nA", false},
		{"%%{init: {'theme': 'url(x)'}}%%\ngraph TD\nA", false},
		{"graph TD\nA[u%%{init: {'theme': 'dark'}}%%rl(x)]", false},
		{"graph TD;A-->B;style A fill:red;B-->C", true},
		{"graph TD;A-->B;style A fill:u\\72l(x)", false},
		{"---\nconfig: {}\n---\ngraph TD\nA", false},
		{"---\ntitle: a\nconfig: {}\n---\ngraph TD\nA", false},
		{"graph TD\nstyle A fill:url(x)", false},
		{"graph TD\nclassDef a background:u\\72l(x)", false},
		{"graph TD\nA[\"$$\\href{x}{y}$$\"]", false},
		{"C4Context\nPerson(a, \"x\", $link=\"y\")", false},
		{"sequenceDiagram links A: {\"x\": \"y\"}\nA->>B: x", false},
		{"gantt\nsection s\na :a1, 2024-01-01, 3d\ninclusiveEndDates click a1 href \"y\"", false},
		{"gantt\nsection s\na :a1, 2024-01-01, 3d\nweekend friday\tclick a1 call f()", false},
		{"gantt click a1 href \"y\"\nsection s\na :a1, 2024-01-01, 3d", false},
		{"gantt\nsection s\ncall supplier :a2, 2024-01-02, 3d", true},
		{"graph TD\nA-->B\nstyle A fill:#f96,fill-opacity:0.2\nlinkStyle 0 opacity:0.3", true},
		{"graph TD\nA-->B\nstyle A fill:#f96,opacity:0.2", false},
	} {
		if got := codeblock.IsPlainDiagram(c.text); got != c.plain {
			t.Errorf("%q: plain is %v", c.text, got)
		}
		in := "```mermaid\n" + c.text + "\n```"
		if got := Answer(in, 0); (got == in) != c.plain || !c.plain && !strings.HasPrefix(got, "```text_mermaid\n") {
			t.Errorf("%q became %q", in, got)
		}
	}
}
