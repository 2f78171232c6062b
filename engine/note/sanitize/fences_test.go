package sanitize

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
)

// TestLostFences wants what acts in a block of code broken where Logseq takes the block for
// text: it found a fence above that is none, or did not see where one ends.
func TestLostFences(t *testing.T) {
	t.Parallel()
	const block = "```js\n{{x}}\n```"
	for _, above := range []string{
		"```a```\n\n", "a\n```b``` c\n", "- ```a```\n\n", "# ```a```\n", "## ~~~\n", "    ~~~\n\n", "- a\n\n      ```\n\n", "\\```js\n",
		"a\n    ```js\n", "x\n\n    ```js\n", "# ```js\n", "- # ```js\n", "- TODO ```js\n", "[^1]: ```js\n", "a\n: ```js\n", "$$x$$ ```js\n",
		"1. ```js\n",
		"````md\n```\n````\n\n", "~~~js\n```\n~~~\n\n", "- - ```js\n    x\n    ```\n\n", "1) ```js\n   x\n   ```\n\n",
		"* a\n", "1. a\nb\n", "1. a\n   \n", "> a\n", "> - a\n> ```js\n> - b\n> ```\n\n", "* a\n  ```js\n  - b\n  ```\n\n", "1. a\n   ```\n   x\n\n   y\n   ```\n\n", "> ```\n> : x\n> ```\n\n", "> > > ```\n> > > x\n> > > ```\n\n",
	} {
		got := Answer(above+block, 0)
		if ended := strings.ReplaceAll(got, "````", "```"); !strings.HasSuffix(ended, "```js\n{ {x}}\n```") && !strings.HasSuffix(ended, "```js\n{\\{x}}\n```") {
			t.Errorf("%q became %q", above+block, got)
		} else if again := Answer(got, 0); again != got {
			t.Errorf("%q\nthen %q", got, again)
		}
	}
	for _, above := range []string{
		"a\n", "- a\n", "- a\n- b\n\n", "# a\n", "1. a\n\n", "> a\n\n", "a `b` ``c``\n", "```go\nx\n```\n\n", "- ```go\n  x\n  ```\n\n",
		"1. a\n   ```go\n   x\n   ```\n2. b\n\n", "````md\n```go\nx\n```\n````\n\n",
	} {
		if got := Answer(above+block, 0); got != above+block {
			t.Errorf("%q became %q", above+block, got)
		}
	}
	for _, above := range []string{"- ```js\n  ", "  - ```js\n    ", "1. a\n   ```js\n   ", "-\n  ```js\n  ", "> ```js\n> ", "> a\n> ```js\n> "} {
		begin := above[:strings.LastIndexByte(above, '\n')+1]
		if got := Answer(begin+block, 0); got != above+"```\n\n"+block {
			t.Errorf("%q became %q", begin+block, got)
		}
	}
}

// TestLanguagesInCode wants blocks in code that Logseq may see to be of plain text.
func TestLanguagesInCode(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"- ````md\n  ```dataview\n  ```\n  ````":           "- ````md\n  ```text_dataview\n  ```\n  ````",
		"````md\n```\n```dataview {x}\n````":               "````md\n```\n```text_dataview_x\n````",
		"````md\n```dataview\nLIST\n```\n```go\n```\n````": "````md\n```dataview\nLIST\n```\n```go\n```\n````",
	} {
		if got := Answer(in, 0); got != want {
			t.Errorf("%q became %q", in, got)
		}
		if again := Answer(want, 0); again != want {
			t.Errorf("%q\nthen %q", want, again)
		}
	}
}

// TestPlaceAmongItems wants what acts in code with lines like items broken in a quote and in a
// list that Logseq reads as text, and nowhere else.
func TestPlaceAmongItems(t *testing.T) {
	t.Parallel()
	const plain, broken = "```yaml\n- uses: ${{ x }}\n```", "```yaml\n- uses: ${ { x }}\n```"
	for place, want := range map[string]string{
		"> @agent-Miner q\n":                                plain,
		"- a\n- > @agent-Miner q\n":                         plain,
		"- a\n  - b\n    > @agent-Miner q\n":                plain,
		"-\ta\n\t- b\n\n\t  > @agent-Miner q\n":             plain,
		"* a\n\nb\n\n- c\n  > @agent-Miner q\n":             plain,
		"> [!note] a\n> @agent-Miner q\n":                   broken,
		"> > @agent-Miner q?\n> > a\n":                      broken,
		"- > a\n  > @agent-Miner q\n":                       broken,
		"1. > @agent-Miner q\n":                             broken,
		"* a\n  > @agent-Miner q\n":                         broken,
		"- a\n  1. b\n\n     > @agent-Miner q\n":            broken,
		"* a\n  - b\n    c\n\n    > @agent-Miner q\n":       broken,
		"12) a\n\n    - b\n      - > @agent-Miner q\n- c\n": broken,
	} {
		src := []byte(place)
		m := note.Parse(src).Markers
		got := string(Replies(note.NewPage(src), m, []string{plain})[0].New)
		if other := string(note.Respond(src, m[0], want).New); got != other {
			t.Errorf("%q has %q, want %q", place, got, other)
		}
	}
	if got, want := breakIn(surroundings{quotes: 1}, "```\n- <B>, </td>, <a:b>, <x y=z>, <x\n```"), "```\n- < B>, < /td>, < a:b>, < x y=z>, < x\n```"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	if got := breakIn(surroundings{quotes: 1}, broken); got != broken {
		t.Errorf("broken once more it is %q", got)
	}
	if got := breakIn(surroundings{quotes: 2}, "> ````md\n> ```dataview\n> ```\n> ````"); got != "> ````md\n> ` ``dataview\n> ```\n> ````" {
		t.Errorf("a block in code became %q", got)
	}
	for _, stays := range []string{"```go\na := b[c](d)\n{{x}}\n```", "- a {\\{x}}\n\n`{{x}}`", "```js\n- x\n```", "```rust\n0 => Box<dyn Fn(i32)>, (?P<date>x), <Tabs />\n#include <memory>\n```"} {
		if got := breakIn(surroundings{1, false}, stays); got != stays {
			t.Errorf("%q became %q", stays, got)
		}
	}
}
