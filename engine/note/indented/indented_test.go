package indented

import (
	"testing"

	"vaultdispatcher/engine/note"
)

func TestFence(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a:\n\n    List<String> x;\n\nb":             "a:\n\n```\nList<String> x;\n```\n\nb",
		"    a\n\n      b\n    ``` c\nd":             "````\na\n\n  b\n``` c\n````\nd",
		"\ta {\n\t\tb\n\t}":                          "```\na {\n\tb\n}\n```",
		"a\n\n    b:\n    \tc":                       "a\n\n```\nb:\n\tc\n```",
		"1. a\n\n       b\n\n2. c":                   "1. a\n\n   ```\n   b\n   ```\n\n2. c",
		"-     a\n\n      b\n":                       "- ```\n  a\n\n  b\n  ```\n",
		"> a\n>\n>     b\n>\n>     c\n>\n> d":        "> a\n>\n> ```\n> b\n>\n> c\n> ```\n>\n> d",
		"# a\n    b\nc":                              "# a\n```\nb\n```\nc",
		"a\n    b\n\n- c\n\n    d\n  \t e":           "a\n    b\n\n- c\n\n    d\n  \t e",
		"x[^1]\n\n[^1]: a\n\n    b\n\n        c":     "x[^1]\n\n[^1]: a\n\n    b\n\n        c",
		"Term\n:   a\n\n    b":                       "Term\n:   a\n\n    b",
		"```\na\n\n    b\n```":                       "```\na\n\n    b\n```",
		"> > - a\n> >\n> >       b\n> >       `c`\n": "> > - a\n> >\n> >   ```\n> >   b\n> >   `c`\n> >   ```\n",
	} {
		got := Fence(in, note.ParseBlocks)
		if got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
		if again := Fence(got, note.ParseBlocks); again != got {
			t.Errorf("%q\nthen %q", got, again)
		}
	}
}
