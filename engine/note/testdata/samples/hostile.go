// Package samples makes notes and answers for the tests of engine/note, its
// sanitizer and engine/rewrite: random notes that hold every construct a marker
// may meet, and answers that try to break out of their block.
//
// It is under testdata because only tests import it.
package samples

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed hostile.txt
var corpus string

// Corpus returns the hostile answers that were collected, from hostile.txt: one
// Go string on each line.
func Corpus() (answers []string, err error) {
	for line := range strings.Lines(corpus) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		answer, err := strconv.Unquote(line)
		if err != nil {
			return nil, fmt.Errorf("hostile.txt: %s: %w", line, err)
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

// Hostile are answers that want out of their block, into the note, or on the
// network. Fragments of them are put together at random.
var Hostile = []string{
	"Yes.", "- a\n- b\n  - c", "1. one\n2. two", "> quoted\nlazy", "# Heading", "title\n---", "| a | b |\n|---|---|\n| 1 | 2 |",
	"```\ncode", "~~~~ go\n~~~\nx", "- ```\n  code in an item", "> ~~~\n> code", "    indented\n\n\tmore", "`open", "``a`b", "\t```", "```js\n\t```\n<script>",
	"> @agent-Miner again", "@agent-X:y now", "- > @agent-Miner in a list", "1. @agent-Miner", ">\t@agent-Miner x", "\\@agent-Miner x",
	"<!-- /agent-response -->", "<!--/AGENT-response-->", "<!-- agent-response -->", "<!--", "-->", "<!-- x", "`<!-- /agent-response -->`",
	"<div>", "<div\n", "</details>", "<script>\nx", "<style>", "<pre>\n", "<b>\n", "<br>", "<?php", "<!DOCTYPE x", "<![CDATA[", "<a href='x", "x<y", "<%* x %>",
	"![a](http://x/y)", "!![a](//x)", "![a][r]\n\n[r]: https://x", "[r]: https://x 'title", "[![a](http://x)](y`z)", "![[n]]", "![a](b.png)", "<img src=https://x/y>", "<https://x`y>", "[a](b`c) <iframe src=x> `",
	"%%", "%% hidden", "$$", "$$x$$", "\\$$", "$$\nx", "$=x", "`$=x`", "`= x`", "`VIEW[x]`", "\n= x", "[k:: ", "(k:: `", "\\![", "]", ")", "<%", "`<%* x", "%>", "```dataview\nx\n```", "```{x}", "```mermaid\nclick A\n```",
	"{{x", "{{{", "{%", "[:x]", "@@x", "@[", "#+BEGIN_X\n", "```js\n~~~\n{{x\n```", "a <b>`<i`</b>", "\\<img x>", "$\\href{x}", "$a{{b}}$", "](javascript:x)", "[r]: file:x\n", "[x](\njs:y", "x://y", "https://x/?a=b://c", "```dataviewjs\nx\n```",
	"\x00", "\r", "\r\n", "\xff", "\v\f", "\u2028", "\uFEFF", "&lt;", "\\", "*", "_", "[", "](", "!", "\n\n", "   ", "---", "***", "\t", "a  \n",
}
