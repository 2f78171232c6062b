package sanitize

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"vaultdispatcher/engine/note"
)

func TestSanitize(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain", "plain"},
		{"", ""},
		{" \n\t\n", ""},
		{"\n\n  a\r\nb\rc\n \n", "  a\nb\nc"},
		{"nul\x00 bell\a esc\x1b[31m \xff", "nul bell esc[31m \uFFFD"},

		{"c1\u009b31m bidi\u202E\u2066x\u2069 zero\u200B\uFEFF tags\U000E0041", "c131m bidix zero tags"},
		{"\u0646\u200C\u0627 \U0001F469\u200D\U0001F4BB \u2764\uFE0F \u200Fx", "\u0646\u200C\u0627 \U0001F469\u200D\U0001F4BB \u2764\uFE0F \u200Fx"},
		{"a\u2028> @agent-X q\u0085b", "a\n> \\@agent-X q\nb"},
		{"> @ag\u200Bent-X q", `> \@agent-X q`},

		{"@agent-X q", `\@agent-X q`},
		{"> - 1. @agent-X q", `> - 1. \@agent-X q`},
		{"```\n> @agent-X q\n```", "```\n> \\@agent-X q\n```"},
		{"ask @agent-X or \\@agent-Y", "ask @agent-X or \\@agent-Y"},
		{"> @ag\x00ent-X q", `> \@agent-X q`},

		{"<!-- /agent-response -->", "&lt;!-- /agent&#45;response -->"},
		{"`<!--\t/AGENT-Response-->`", "`<!--\t/AGENT&#45;Response-->`"},
		{"<!--\n/agent-response\n-->", "&lt;!--\n/agent&#45;response\n-->"},
		{"<!-- secret -->", "&lt;!-- secret -->"},

		{"```go\na < b", "```go\na < b\n```"},
		{"~~~~\n~~~", "````\n~~~\n````"},
		{"```", "```\n```"},
		{"```\na\n```", "```\na\n```"},
		{"- ```\n  a", "- ```\n  a\n  ```"},
		{"> ```\n> a", "> ```\n> a\n> ```"},
		{"100 %% sure %%%", `100 %\% sure %\%\%`},
		{"`a %% b` and $$x$$", "`a %% b` and $$x$$"},
		{"$$x$$ and $$", `$$x$$ and \$\$`},
		{"```\n$$\n```\n$$", "```\n$$\n```\n\\$\\$"},

		{"![a](https://x.example/y.png)", "[a](https://x.example/y.png)"},
		{"!![a](//x)", "[a]\\(//x)"},
		{"![a][b]\n\n[b]: http://x", "[a](http://x)"},
		{"![a](h&#116;tp://x)", "[a]\\(h&#116;tp:\\//x)"},
		{"![a](img/b-1.png) ![[c d.png]] wow!", "![a](img/b-1.png) ![[c d.png]] wow!"},
		{"![[https://x]]", "[\\[https://x]]"},
		{`\![a](https://x)`, `\![a](https://x)`},
		{"`![a](https://x)`", "`![a](https://x)`"},
		{`<img alt="a" src="https://x.example/y.png">`, "<https://x.example/y.png>"},
		{`<img src=x onerror=alert(1)>`, "&lt;img src=x onerror=alert(1)>"},

		{"<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"},
		{"`<script>` and ``<b`>``", "`<script>` and ``<b`>``"},
		{"a <b>bold</b> word<br>and 1 < 2, x<y", "a <b>bold</b> word<br>and 1 < 2, x<y"},
		{"`a\n> <?x\n` <b>c</b>", "`a\n> &lt;?x\n` <b>c</b>"},
		{"a ```\n<script>\nb ``` c", "a ``` <script> b ``` c"},
		{"a `\n  <!-- b ` c", "a ` <!-- b ` c"},
		{"<b>\ntext", "&lt;b>\ntext"},
		{"<div", "&lt;div"},
		{"<https://x.example/a_(b)> <mailto:a@b>", "<https://x.example/a_(b)> <mailto:a@b>"},
		{"<javascript:alert(1)>", "&lt;javascript:alert(1)>"},
		{"<%* tp %>", "&lt;%* tp %>"},
		{"[a](b`c) <iframe> `", "[a](b`c) &lt;iframe> `"},

		{"```dataviewjs\nx\n```", "```text_dataviewjs\nx\n```"},
		{"- ~~~ DataviewJS\n  x\n  ~~~", "- ``` text_DataviewJS\n  x\n  ```"},
		{"so `$= x` is", "so `$ = x` is"},
		{"[a](b \"c\") `\t$=x`", "[a](b \"c\") `\t$ =x`"},
		{"```\tdataviewjs\tx\n```", "```\ttext_dataviewjs_x\n```"},

		{"- a\n  *\n\n  b\n2.\n\n- - -\n\n-\nc", "- a\n  \\*\n\n  b\n2\\.\n\n- - -\n\n-\nc"},
		{"> 1)\n>\n> a", "> 1\\)\n>\n> a"},

		{"\ttabbed", "```\ntabbed\n```"},
		{"-\ta\n\n\tb", "-   a\n\n    b"},
		{"```\n\ta\n\t```\nb\n```", "```\n\ta\n    ```\nb\n```"},
		// Tabs of the code's own text stay in a list and a quote too, behind the blanks that hold it.
		{"1. Write:\n\n   ```make\n   all:\n   \t@echo $@\n\n   \t\tx\n   ```", "1. Write:\n\n   ```make\n   all:\n   \t@echo $@\n\n   \t\tx\n   ```"},
		{"> - ```go\n>   f {\n>   \tx  \t// y\n>   }\n>   ```", "> - ```go\n>   f {\n>   \tx  \t// y\n>   }\n>   ```"},
		{"1. a\n\n\t```make\n\tb:\n\t\tc\n\t```", "1. a\n\n    ```make\n    b:\n    \tc\n    ```"},
		{"- ```make\n\tc\n  \t\t```\n  \td\n  ```", "- ```make\n    c\n        ```\n  \td\n  ```"},
		{"> ```make\n>\tc\n> ```", "> ```make\n>   c\n> ```"},
		{"-\t```make\n\tall:\n\t\tx\n\t```", "-   ```make\n    all:\n    \tx\n    ```"},
		{strings.Repeat("> ", 40) + "a", strings.Repeat("> ", 32) + `\` + strings.Repeat("> ", 8) + "a"},
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

func TestSanitizeLimit(t *testing.T) {
	long := strings.Repeat("Grüße, wörtlich.\n", 100)
	for _, c := range []struct{ name, in string }{
		{"lines", long},
		{"one line", strings.ReplaceAll(long, "\n", " ")},
		{"fence", "```\n" + long},
		{"long fence", strings.Repeat("`", 300) + "\n" + long},
		{"formula", strings.Repeat("$$\nx\n$$\n", 200)},
		{"tags", strings.Repeat("<i x>", 400)},
		{"huge", strings.Repeat(long, 20)},
		{"blank", "a" + strings.Repeat("\n", 5000) + "b"},
	} {
		for _, limit := range []int{1, 60, 61, 100, 200, 500, 1000, 1500} {
			got := Answer(c.in, limit)
			note := fmt.Sprintf("*The answer was longer than %d bytes and ends here.*", limit)
			if !strings.HasSuffix(got, note) {
				t.Errorf("%s, %d: does not say that it was cut: %q", c.name, limit, got[max(0, len(got)-80):])
			}
			if len(got) > max(limit, len(note)) || !utf8.ValidString(got) {
				t.Errorf("%s, %d: %d bytes", c.name, limit, len(got))
			}
			if again := Answer(got, limit); again != got {
				t.Errorf("%s, %d: %q\nthen %q", c.name, limit, got, again)
			}
		}
	}
	if got := Answer(long, len(long)); got != strings.TrimSuffix(long, "\n") {
		t.Errorf("what fits was cut: %q", got)
	}
}

// An answer that shows a conflict of git's makes the note none that is being merged.
func TestAnswerIsNoConflict(t *testing.T) {
	const conflict = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n"
	for _, answer := range []string{conflict, "text\n\n" + conflict, "```\n" + conflict + "```", "- item\n\n" + conflict, "<<<<<<<\n=======\n>>>>>>>", "```\nx\n```\n" + conflict, "$$\n" + conflict + "$$", "`\n" + conflict + "`"} {
		src := []byte("> @agent-Miner q\n\n> @agent-Miner r\n")
		next, err := note.Apply(src, []note.Edit{note.Respond(src, note.Parse(src).Markers[0], Answer(answer, 0))})
		if doc := note.Parse(next); err != nil || doc.Conflict > 0 || len(doc.Markers) != 1 {
			t.Errorf("%q: %v: line %d\n%s", answer, err, doc.Conflict, next)
		}
	}
}
