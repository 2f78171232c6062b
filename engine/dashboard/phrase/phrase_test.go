package phrase

import (
	"strings"
	"testing"
)

// Commands and names in the sentences of the engine are told from their words.
func TestSplit(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain words": "plain words",
		"no agent answers the role Editor; wiki setup --agent Editor=NAME chooses one":  "no agent answers the role Editor; <wiki setup --agent Editor=NAME> chooses one",
		"wiki why NOTE says of each line why":                                           "<wiki why NOTE> says of each line why",
		"run wiki service install":                                                      "run <wiki service install>",
		"wiki doctor --fix repairs it, wiki config set wiki.settle changes it":          "<wiki doctor --fix> repairs it, <wiki config set wiki.settle> changes it",
		"wiki retry 0p4y7k2m9x3td asks sooner, wiki retry --fresh asks anew":            "<wiki retry 0p4y7k2m9x3td> asks sooner, <wiki retry --fresh> asks anew",
		"wiki dispatches shows more; the wiki is yours, and wiki.exclude and wikis too": "<wiki dispatches> shows more; the wiki is yours, and wiki.exclude and wikis too",
		"Agent/launch-slides.html, and day.md; a well-known end":                        "[Agent/launch-slides.html,] and day.md; a well-known end",
	} {
		var b strings.Builder
		for _, p := range Split(text) {
			signs := map[string]string{"": "%", Command: "<%>", Name: "[%]"}[p.Kind]
			b.WriteString(strings.Replace(signs, "%", p.Text, 1))
		}
		if b.String() != want {
			t.Errorf("%q is\n%s, want\n%s", text, b.String(), want)
		}
	}
}
