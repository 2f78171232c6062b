package tame

import (
	"slices"
	"strings"
	"testing"
)

// work is how a work is shown, below its title.
var work = Style{Top: 2, Titled: true}

// A text that would cost far more than its bytes is shown as it is written; an ordinary one is not.
func TestIsTame(t *testing.T) {
	row := strings.Repeat("| a ", 5000) + "|\n"
	for what, text := range map[string]string{
		"a wide table": row + strings.Repeat("|-", 5000) + "|\n" + strings.Repeat("|\n", 5000),
		"tables":       strings.Repeat(strings.Repeat("|a", 60)+"|\n"+strings.Repeat("|-", 60)+"|\n"+strings.Repeat("|\n", 1000)+"\n", 20),
		"a long head":  "| " + strings.Repeat("x", 1<<20) + " |\n|-|\n" + strings.Repeat("|a|\n", 1000),
		"emphasis":     strings.Repeat("*a_ ", 20_000),
		"quotes":       strings.Repeat(">", 100_000) + "\n",
		"quoted words": strings.Repeat("> ", 100_000) + "x\n",
		"lists":        strings.Repeat("- ", 100_000) + "x\n",
	} {
		if got := HTML(text, work); !strings.HasPrefix(got, "<pre>") {
			t.Errorf("%s is rendered", what)
		}
	}
	ordinary := strings.Repeat("A **sentence** of [[Note#Heading|a note]] and `code`.\n", 40) + "\n"
	table := "| A | B | C |\n|---|---|---|\n" + strings.Repeat("| [[x\\|y]] | *b* | c |\n", 300) + "\n"
	if !isTame(strings.Repeat(ordinary, 200) + strings.Repeat(table, 5)) {
		t.Error("an ordinary text is not rendered")
	}
}

// Nothing that stands in a text becomes an element that loads, runs or leads anywhere.
func TestHTML(t *testing.T) {
	for text, want := range map[string]string{
		"# T\n\n## A\n\n#### B\n":            "<h2>A</h2>\n<h3>B</h3>\n",
		"a [[B#C|1]] [[N]]":                  `<p>a <cite title="B#C">1</cite> <cite title="N">N</cite></p>` + "\n",
		"![[x.wav]]":                         `<p><cite title="x.wav">x.wav</cite></p>` + "\n",
		"<script>alert(1)</script>":          "<pre>&lt;script&gt;alert(1)&lt;/script&gt;</pre>",
		"a <img src=x onerror=y> b":          "<p>a <code>&lt;img src=x onerror=y&gt;</code> b</p>\n",
		"[x](javascript:a) ![y](http://e/z)": "<p>x y</p>\n",
		"<http://evil.example>":              "<p>http://evil.example</p>\n",
		"[x]\n\n[x]: http://evil.example":    "<p>x</p>\n",
		"x <!--SR:!2026-12-24,51,230-->":     "<p>x </p>\n",
		"One\n?\nTwo\nmore":                  `<p class="front">One` + "\n</p>\n<p>Two\nmore</p>\n",
		"> [!success]- Answer\n> B) **x**":   "<details><summary>Answer</summary>\n<p>B) <strong>x</strong></p>\n</details>\n",
		"> [!a]- <b>\" x=\n> t":              "<details><summary>&lt;b&gt;&#34; x=</summary>\n<p>t</p>\n</details>\n",
		"Type: [[X]]\nYear: 1982":            `<p>Type: <cite title="X">X</cite><br>` + "\nYear: 1982</p>\n",
		"He said: no\nand went":              "<p>He said: no\nand went</p>\n",
		"> said":                             "<blockquote>\n<p>said</p>\n</blockquote>\n",
		"```mermaid\nm <b>\n```":             "<details><summary>As Mermaid</summary><pre><code>m &lt;b&gt;\n</code></pre>\n</details>\n",
		"| A |\n| :-: |\n| [[N\\|more]] |\n": `<table>` + "\n<thead>\n<tr>\n" + `<th scope="col">A</th>` + "\n</tr>\n</thead>\n<tbody>\n<tr>\n" + `<td data-label="A"><cite title="N">more</cite></td>` + "\n</tr>\n</tbody>\n</table>\n",
		"| \"><b> [[x\\|y]] | |\n| - | - |\n| c | d | e |\n": "<table>\n<thead>\n<tr>\n<th scope=\"col\">&quot;&gt;<code>&lt;b&gt;</code> <cite title=\"x\">y</cite></th>\n<td></td>\n</tr>\n</thead>\n" +
			"<tbody>\n<tr>\n<td data-label=\"&quot;&gt; y\">c</td>\n<td data-label=\"\">d</td>\n</tr>\n</tbody>\n</table>\n",
		"[[\"><img src=x>|<b>]]":                `<p><cite title="&#34;&gt;&lt;img src=x&gt;">&lt;b&gt;</cite></p>` + "\n",
		"## x {onclick=alert(1)}\n":             "<h2>x {onclick=alert(1)}</h2>\n",
		"```\" onclick=x\n</code><script>\n```": "<pre><code>&lt;/code&gt;&lt;script&gt;\n</code></pre>\n",
	} {
		if got := HTML(text, work); got != want {
			t.Errorf("%q is\n%q, want\n%q", text, got, want)
		}
	}
}

// An answer stands below a question, its links lead to pages of notes, and those of the web say where.
func TestAnswer(t *testing.T) {
	style := Style{Top: 3, Targets: true, Link: func(target string) string {
		if target == "none" {
			return ""
		}
		return "/note?name=" + target
	}}
	for text, want := range map[string]string{
		"# A\n\n## B\n\n#### C\n":                    "<h3>A</h3>\n<h4>B</h4>\n<h5>C</h5>\n",
		"### A\n\n## B\n":                            "<h3>A</h3>\n<h3>B</h3>\n",
		"#### A\n\n#### B\n\n###### C\n\n###### D\n": "<h3>A</h3>\n<h3>B</h3>\n<h4>C</h4>\n<h4>D</h4>\n",
		"[[a\"b|<i>]] [[none]]":                      `<p><a href="/note?name=a&#34;b">&lt;i&gt;</a> <cite title="none">none</cite></p>` + "\n",
		"[x](https://e/?a=<b>)":                      "<p>x <code>https://e/?a=&lt;b&gt;</code></p>\n",
		"[x](javascript:alert(1))":                   "<p>x</p>\n",
		"![y](https://e/z)":                          "<p>y</p>\n",
		"[https://e/](https://e/)":                   "<p>https://e/</p>\n",
	} {
		if got := HTML(text, style); got != want {
			t.Errorf("%q is\n%q, want\n%q", text, got, want)
		}
	}
}

// A link or a picture of Markdown leads where the style says, and is its words else.
func TestPages(t *testing.T) {
	find := func(target string) string {
		if strings.HasPrefix(target, "a") {
			return "/docs?page=" + target
		}
		return ""
	}
	style := Style{Top: 2, Page: find, Picture: find}
	for text, want := range map[string]string{
		"[x *y*](a\"b)":            `<p><a href="/docs?page=a&#34;b">x <em>y</em></a></p>` + "\n",
		"[x](javascript:alert(1))": "<p>x</p>\n",
		"[x](https://e/)":          "<p>x</p>\n",
		"![\"x\" *y* `z`](a\"b)":   `<p><img src="/docs?page=a&#34;b" alt="&#34;x&#34; y z"></p>` + "\n",
		"![x *y*](https://e/a)":    "<p>x <em>y</em></p>\n",
		"[![x](a.png)](a.md)":      `<p><a href="/docs?page=a.md"><img src="/docs?page=a.png" alt="x"></a></p>` + "\n",
		"[x][a]\n\n[a]: a.md":      `<p><a href="/docs?page=a.md">x</a></p>` + "\n",
	} {
		if got := HTML(text, style); got != want {
			t.Errorf("%q is\n%q, want\n%q", text, got, want)
		}
	}
}

// A heading has the id that GitHub gives it, and another one each where headings are the same.
func TestParts(t *testing.T) {
	var parts []Part
	style := Style{Top: 2, Titled: true, Part: func(p Part) { parts = append(parts, p) }}
	got := HTML("# Run\n\n## Run\n\n### `wiki ask`: who's *there*?\n\n## Größe & co_1 - x\n\n## Run\n\n## Run-1\n\n## ?\n", style)
	want := []Part{{"run-1", "Run", 2}, {"wiki-ask-whos-there", "wiki ask: who's there?", 3}, {"größe--co_1---x", "Größe & co_1 - x", 2}, {"run-2", "Run", 2}, {"run-1-1", "Run-1", 2}}
	if !slices.Equal(parts, want) || !strings.HasPrefix(got, "<h2 id=\"run-1\">Run</h2>\n<h3 id=\"wiki-ask-whos-there\">") {
		t.Errorf("%v, want %v\n%s", parts, want, got)
	}
}

// A table or code that scrolls can have the focus, and a long cell is known.
func TestScrolls(t *testing.T) {
	long := strings.Repeat("x ", 40)
	if got, want := HTML("| a |\n|-|\n| b |\n| "+long+"|\n", work), `<td class="long" data-label="a">`+strings.TrimSpace(long)+"</td>"; !strings.Contains(got, want) || strings.Count(got, "long") != 1 {
		t.Errorf("%s", got)
	}
	got := HTML("| a |\n|-|\n\n```\nb\n```\n\n    c\n", Style{Top: 2, Scrolls: true})
	if want := "<table tabindex=\"0\">\n"; !strings.HasPrefix(got, want) || !strings.HasSuffix(got, `<pre tabindex="0"><code>b`+"\n</code></pre>\n"+`<pre tabindex="0"><code>c`+"\n</code></pre>\n") {
		t.Errorf("%s", got)
	}
}

// What was looked for is marked in the text alone: not in a tag, an attribute or the name of a character.
func TestMarks(t *testing.T) {
	style := Style{Top: 3, Link: func(target string) string { return "/note?name=" + target }, Marks: func(words string) [][2]int {
		if at := strings.Index(words, "用户"); at >= 0 {
			return [][2]int{{at, at + len("用户")}}
		}
		if slices.Contains([]string{"p", "quot", "note", "backups", "größer", "href", "td"}, words) {
			return [][2]int{{0, len(words)}}
		}
		return nil
	}}
	for text, want := range map[string]string{
		"of backups \"p\"":            "<p>of <mark>backups</mark> &quot;<mark>p</mark>&quot;</p>\n",
		"新用户登录":                       "<p>新<mark>用户</mark>登录</p>\n",
		"[[note|größer]]":             `<p><a href="/note?name=note"><mark>größer</mark></a></p>` + "\n",
		"<a href=note>":               "<pre>&lt;a <mark>href</mark>=<mark>note</mark>&gt;</pre>",
		"| a > \"note |\n|-|\n| td |": "<table>\n<thead>\n<tr>\n<th scope=\"col\">a &gt; &quot;<mark>note</mark></th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td data-label=\"a &gt; &quot;note\"><mark>td</mark></td>\n</tr>\n</tbody>\n</table>\n",
		strings.Repeat(">", 200):      "<pre>" + strings.Repeat("&gt;", 200) + "</pre>\n",
	} {
		if got := HTML(text, style); got != want {
			t.Errorf("%q is\n%q, want\n%q", text, got, want)
		}
	}
}
