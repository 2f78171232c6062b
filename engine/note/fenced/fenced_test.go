package fenced

import (
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"vaultdispatcher/engine/note"
)

func TestRewrite(t *testing.T) {
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

		// A block that ends with what it is in, or with the text.
		"1. ```a\nb\n```\n> c":           "1. ```a\n   ```\nb\n```\n> c\n```",
		"1. ```a\n```\n> c":              "1. ```a\n   ```\n\n```\n> c\n```",
		"> 1. ~~~~a\n>    b\n> ~~~\n> c": "> 1. ~~~~a\n>    b\n>    ~~~~\n>\n> ~~~\n> c\n> ~~~",
		"- > ```\n  > a\n- b\n":          "- > ```\n  > a\n  > ```\n- b\n",
		"-\t```\n\ta\nb":                 "-\t```\n\ta\n \t```\nb",
		"  ```\na":                       "  ```\na\n```",
		"a\n```":                         "a\n```\n```",
		"- ```\n  a\n  ```\n- b":         "- ```\n  a\n  ```\n- b",

		">- ```\n> a":                    ">- ```\n>   ```\n> a",
		">>1. a\n>>\n>>    ```\n>>    a": ">>1. a\n>>\n>>    ```\n>>    a\n>>    ```",
		">-     a":                       ">- ```\n>   a\n>   ```",

		// A quote right below an item.
		"1. a\nb\n> c\n> ```\n> d\n> ```\n> ```\n> ```": "1. a\nb\n\n> c\n> ```\n> d\n> ```\n> ```\n> ```",
		"> - a\n> > ```\n> > ```":                       "> - a\n>\n> > ```\n> > ```",
		"- > ```\n  > ```\n> a":                         "- > ```\n  > ```\n> a",

		// A block right below an item, up to a blank line.
		"1. a\nb\n```\nc\n\nd\n```":          "1. a\nb\n\n```\nc\n\nd\n```",
		"1. a\n```\nc\nd\n```":               "1. a\n```\nc\nd\n```",
		"1. a\n   ```\n   c\n\n   d\n   ```": "1. a\n   ```\n   c\n\n   d\n   ```",
		"[^1]: b\n```\nc\n\nd\n```":          "[^1]: b\n\n```\nc\n\nd\n```",

		"a\n: b\n  ```\nc\n  ```":           "a\n: b\n\n```\nc\n  ```",
		"> a\n> : b\n>   ```\n> c\n>   ```": "> a\n> : b\n>\n>```\n> c\n>   ```",

		// A bracket that is open.
		"```\n{\n```\n```\n}\n```": "```\n{\n```\n```\n}\n```",
		"[a\n```\nb]\n```":         "[a\n\n```\nb]\n```",
		"[a] b\n```\nb]\n```":      "[a] b\n```\nb]\n```",
		"\\a{\n```\nb}\n```":       "\\a{\n\n```\nb}\n```",

		// Ticks whose partner is in the block, and a quote's sign that is text.
		"a ``b\n```\n> `c`d\n```":          "a ``b\n\n```\n> `c`d\n```",
		"# ```a\nb\n```` c\n`d`\n````":     "# ```a\nb\n\n```` c\n`d`\n````",
		"- a: ```\nb\n>\n```\n> > `c\n```": "- a: ```\nb\n>\n\n```\n> > `c\n```",
		"a ``b`` `c`\n```\n`d`\n```":       "a ``b`` `c`\n```\n`d`\n```",
		"> a ```\n>\n> ```\n> b\n> ```":    "> a ```\n>\n> ```\n> b\n> ```",

		// A quote right below text is a part of it, and a fence that is indented.
		"a\n> b\n>\n> ```\n> c\n> ```":          "a\n\n> b\n>\n> ```\n> c\n> ```",
		"- a\n  > ```\n  > b\n  > ```":          "- a\n\n  > ```\n  > b\n  > ```",
		"a\n- b\n- ```\n  c\n\n  d\n  ```":      "a\n\n- b\n- ```\n  c\n\n  d\n  ```",
		"- a\n  - ```\n    b\n    ```":          "- a\n  - ```\n    b\n    ```",
		"> a\n  ```b\nc\n```":                   "> a\n\n```b\nc\n```",
		"> a\n>  ```b\n> c\n> ```":              "> a\n>\n>  ```b\n> c\n> ```",
		"1. a\n    ```\n    b\n    ```":         "1. a\n\n    ```\n    b\n    ```",
		"10. a\n    ```\n    b\n    ```\n    c": "10. a\n    ```\n    b\n    ```\n    c",
		"> - a\n>   ```\n>   b\n>   ```":        "> - a\n>   ```\n>   b\n>   ```",
		"# a\n ```\n b\n ```":                   "# a\n\n```\nb\n ```",

		// A fence that some take into the item above.
		"- a\n> b\n\n   ```\n     c\n  d\n\n   ```": "- a\n> b\n\n```\n  c\nd\n\n   ```",

		// A formula to some, over the begin of a block.
		"a $b\n```\nc$\n```":             "a $b\n\n```\nc$\n```",
		"> a $b\n> ```\n> c$\n> ```":     "> a $b\n>\n> ```\n> c$\n> ```",
		"a $b:\n```\necho $b\n\na$\n```": "a $b:\n```\necho $b\n\na$\n```",
		"a $b$\n```\nc$\n```":            "a $b$\n```\nc$\n```",
		"a $$b\n```\nc $$\n```":          "a $$b\n\n```\nc $$\n```",
	} {
		got := Rewrite(in, note.ParseBlocks)
		if got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
		if again := Rewrite(got, note.ParseBlocks); again != got {
			t.Errorf("%q\nthen %q", got, again)
		}
	}
}

func TestFlatten(t *testing.T) {
	t.Parallel()
	parse := func(src []byte) ast.Node {
		return note.ParseTree(parser.NewParser(parser.WithBlockParsers(note.BlockParsers()...), parser.WithInlineParsers(util.Prioritized(parser.NewCodeSpanParser(), 100))), src)
	}
	for in, want := range map[string]string{
		// Dashes that are a rule.
		"a\n\n---\nb\n\n---\n\nc":          "a\n\n***\nb\n\n---\n\nc",
		"a\n\n---\n\nb\n\n- - -":           "a\n\n---\n\nb\n\n***",
		"a  b\n-- --\n1  2":                "a  b\n***\n1  2",
		"> ---\n> a\n> ---\n>\n> b":        "> ***\n> a\n> ---\n>\n> b",
		"1. a\n\n   ----\n   b\n   - --\n": "1. a\n\n   ***\n   b\n   ***\n",
		"a\n---\n\nb\n___\nc\n* * *\nd":    "a\n---\n\nb\n___\nc\n* * *\nd",
		"```\n---\na\n```\n---":            "```\n---\na\n```\n***",

		// Dashes that are none, and borders.
		"--\na\n--\n\nb":                      "\\-- a\n--\n\nb",
		"a) ---\nb\n---":                      "## a) \\--- b",
		"~ ---\nb: c\n---":                    "## ~ \\--- b: c",
		"+---+\n| a |\n+===+":                 "\\+---+\n| a |\n\\+===+",
		"a\n:   +--+\n\n1 +- 2 and --x\n-- b": "a\n:   \\+--+\n\n1 +- 2 and --x\n-- b",

		// Headings.
		"| a\n| b\n---\nc: d\n---":              "## | a | b\n## c: d",
		"a #\n---\nb: c\n\n> d\n> ---\n> e":     "## a \\#\nb: c\n\n> d\n> ---\n> e",
		"#######\n---":                          "## \\#######",
		"# a\n---\nb":                           "# a\n***\nb",
		"a|b\n---|---\nc|d\n\n> e|f\n> ---|---": "a|b\n ---|---\nc|d\n\n> e|f\n> ---|---",
		"> a\n> b `c\n> d` e\n> ===":            "> a b `c d` e\n> ===",

		// Code over lines.
		"a `b\nc` d\ne":                           "a `b c` d\ne",
		"> a ``b\n> `\nc`` d\n\n- `\n  e\n  ` f":  "> a ``b ` c`` d\n\n- ` e ` f",
		"(i) a `b\n(ii) c` d\n+--+\ne `f\n+--` g": "(i) a `b (ii) c` d\n\\+--+\ne `f +--` g",
		"| a ` | b |\n|---|---|\n| c ` | d |":     "| a ` | b |\n|---|---|\n| c ` | d |",
		"a ` b\nc":                                "a ` b\nc",
	} {
		got := Flatten(in, parse)
		if got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
		if again := Flatten(got, parse); again != got {
			t.Errorf("%q again\n got %q\nwant %q", in, again, got)
		}
	}
}
