package cleaned

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestWhy(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		"> @agent-Miner again":                     "would have asked an agent",
		"![](https://evil.example/x.png)":          "A picture would have been loaded",
		"<img src=\"https://evil.example/x.png\">": "A picture would have been loaded",
		"<script>x</script>":                       "HTML is shown",
		"```dataview\nLIST\n```":                   "A block of code",
		"a\n\n---\nb":                              "A rule of dashes",
		"a `b\nc` d":                               "on one line",
		"```mermaid\ngraph TD\nclick A \"x\"\n```": "A block of code",
		"[x](obsidian://y)":                        "A link leads out",
		"[[javascript:alert(1)|x]]":                "A link leads out",
		"so `= this.x` is":                         "Code begins as what a plugin computes",
		"`VIEW[{x}][text]`":                        "Code begins as what a plugin computes",
		"```js\n<%* x %>\n```":                     "Code holds an order",
		"```\n::include{file=x}\n```":              "Code holds an order",
		"```\n{{/etc/passwd}}\n```":                "Code holds an order",
		"# A {onclick=x}":                          "Braces look like",
		"{{iframe x}}":                             "Braces look like",
		"::: mermaid\nx\n:::":                      "A line begins as what opens a container",
		"\\input{/etc/passwd}":                     "An order of TeX",
		"$\\href{x}{y}$":                           "An order of TeX",
		"text ^name":                               "A name of a link",
		"[a]\n\n[a]: https://x.example":            "Links carry their targets themselves",
		"pay\u200bpal \u202eabc":                   "Characters that no eye sees",
		"a\n\n    b\n    c":                        "Code that was indented",
		"$\\newcommand{\\R}{x} \\R$":               "Macros that a formula defines",
		"!include /etc/passwd":                     "Code holds an order",
		"@[youtube](x)":                            "Signs that some program acts on",
	} {
		if got := Why(answer); !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("%q: %q, want %q", answer, got, want)
		}
	}
	for _, answer := range []string{"", "Yes.", "A **list**:\r\n\r\n- `code` and [[Note]]\r\n", "$a_{i=1}$ {x} ![a](b.png)"} {
		if got := Why(answer); got != nil {
			t.Errorf("%q: %q", answer, got)
		}
	}
}

// TestWhyOfEach: there is a sentence whenever cleaning changes something.
func TestWhyOfEach(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../sanitize/testdata/hostile.txt")
	if err != nil {
		t.Fatal(err)
	}
	kinds := make(map[string]int)
	for _, part := range strings.Split(string(text), "\n§ ")[1:] {
		_, answer, _ := strings.Cut(part, "\n")
		for _, sentence := range Why(answer) {
			kinds[sentence]++
		}
	}
	t.Logf("%d kinds of sentences: %v", len(kinds), kinds)
	if len(kinds) < 7 {
		t.Errorf("only %d kinds of sentences", len(kinds))
	}
}
