package samples

import (
	"math/rand/v2"
	"strings"
)

// Named are notes with references, footnotes, pictures, headings and names of blocks that a person gave them. Each
// has one question, as a line QUESTION.
var Named = []string{
	"# Plan\n\nSee [docs][], [the plan][P] and [bare].[^1]\n\nQUESTION\n\n![picture][pic] More.[^note]\n\n" + definitions,
	definitions + "\nQUESTION\n\n## Summary\n\nSee [docs], [top](#summary) and [[#Summary]].[^1]\n\n- a [P]\n- b ^id-1\n",
	"- [docs]\n- one\n  QUESTION\n  two [the plan][p][^1]\n\n## Part\n\n## Part\n\n[a](#part) [b](#part-1) [[#^id-1]]\n\n> quote [DOCS][] ^id-1\n\n" + definitions,
	"> [!note] See [docs]\n> before [P]\n>\n> QUESTION\n> after ![pic]\n\n| a [docs] |\n|---|\n| b[^note] |\n\nHTML and CSS, [bare], [^1], [^none]\n\n" + definitions,
	"[docs] and [^1] have no definition here; ![pic][] neither. HTML.\n\nQUESTION\n\nSummary\n---\n\n[x](#summary)\n",
	"1. a\n   QUESTION\n2. [docs]\n\nterm\n: what [P] is\n\n[^1]: Mine, [docs].\n\n    > more [p]\n\n[docs]: mine.md\n[p]: <a b.md> 'T'\n\nA.[^1] B ^x\n",
}

const definitions = "[docs]: https://mine.example/docs\n[p]: https://mine.example/plan \"Mine\"\n[pic]: mine.png\n[bare]: <mine.md>\n[do cs]: mine2.md\n\n" +
	"[^1]: Mine one, see [docs].\n[^note]: Mine two.\n\n*[HTML]: Mine\n"

// Naming are answers that give such names another meaning, in the ways that Markdown has for it, and some that only
// look like it.
var Naming = []string{
	"[docs]: https://other.example/phish", "[P]: https://other.example/plan\n[^1]: Other.\n[docs]: https://other.example/phish", "See [docs] and [x][P].\n\n[docs]: https://other.example/a\n[p]: <b c.md> 'T'",
	"[docs]:\n  https://other.example/a\n  'T'", "[docs]:https://other.example/a", "[docs]: <https://other.example/a>", "   [DOCS]: https://other.example/a", "[do\ncs]: other.md", "[\ndocs\n]: other.md", "[docs\n]: other.md",
	"> [docs]: other.md", "- [docs]: other.md", "1. > [docs]: other.md", "* - + [docs]: other.md", "> [!note] T\n> [docs]: other.md", "- a\n\n      [docs]: other.md\n\n  [docs]: other.md", "a\n\n    [docs]: other.md",
	"[^1]: Other.", "[^1]: [docs]: other.md", "[^new]: [docs]: other.md", "A[^1] b[^new].\n\n[^1]: Other\n\n    [docs]: other.md\n    more\n[^new]: https://other.example/a", "text\n[^1]: Other.", "- [^1]: Other.", "> [^1]: Other[^note].", "[^NOTE]: Other.\n[^note]: Other.", "[^a b]: Other.", "[^1]:Other\n[^2]:\nOther", "[^none]: Other.",
	"A[^1], b[^none] and [^note][^1] [docs][^1].", "[[^1]] ![^1] [^1](x.md) [x][^1]", "Note.^[Other, [docs].]", "[^1]: ```\n    [docs]: other.md",
	"term\n: [docs]: other.md", "term\n\n:   [^1]: Other.\n    [docs]: other.md", "| [docs]: other.md |\n|---|\n| [^1]: Other |", "# [docs]: other.md", "[docs]: other.md\n===", "[docs]: other.md\n---\ntext", "[docs]: other.md\ntext\n[p]: other.md", "***\n[docs]: other.md",
	"*[HTML]: Other", "  *[HTML]: Other\n*[CSS]: Other", "- *[CSS]: Other", "## Summary", "Summary\n===", "> ## summary!\n> text", "- # Part\n- ## Part 1\n\n# Part", "# Plan {#summary}\n\ntext {#part}", "### [Part 1](#x)\ntext", "# Part\n\n# Part\n\n# Part 1",
	"text ^id-1", "^id-1", "- a ^x\n- b\n\n^id-1", "| a |\n|---|\n\n^id-1", "id:: 1234\n- id:: 1234", "[[Note#^id-1]] and [[Note#^id-1|x]] and https://x.example/#^id-1",
	"```\n[docs]: other.md\n[^1]: Other\n```", "`[docs]: other.md` [docs]: other.md", "~~~\n[docs]: other.md", "``[docs]: other.md\n[docs]: other.md", "<!-- [docs]: other.md -->", "<div>\n[docs]: other.md\n\n[p]: other.md", "$$\n[docs]: other.md\n$$", "$x\n[docs]: other.md$", "\\\n[docs]: other.md", "\\[docs]: other.md", "[docs\\]: other.md\n[docs]: other.md", "[a]\\: b\n\n[docs]: other.md", "%%\n[docs]: other.md\n%%",
	"[docs]: javascript:x", "[docs]: other.md \"T\n\n[p]: other.md", "[docs]: other.md (T\n(T)", "[a]: x\n[docs]: other.md\n[^1]: Other\n[p]: other.md", "![x][docs] ![docs] !![docs][]\n\n[docs]: https://other.example/a.png", "[a [docs] b][p] [[docs]] [[docs]](x) [docs](y z)\n\n[docs]: other.md\n\n[p]: other.md", "- [x] a\n- [ ] b\n- [-] c\n\n[x]: other.md\n[ ]: other.md", "> [!note] a\n\n[!note]: other.md", "[[docs]]: other.md\n[docs]]: other.md", "[docs] : other.md", "[docs]\n: other.md",
	"Sources: [1], [2][1]\n\n[1]: https://other.example/a_(b)?c=d \"A \\\"title\"\n[2]: mailto:a@b", "list[int]: a\nsee arr[0]: b", "http://[::1]: x", "<https://x.example/[docs]: a>", "\ufeff[docs]: other.md", "\t[docs]: other.md", "a  \n[docs]: other.md", "[docs]: other.md\r\n[p]: other.md\r", "\u00a0[docs]: other.md", "[docs]\u200b: other.md", "[do&#99;s]: other.md", "[docs]&#58; other.md",
}

// Naming answers and Named notes at random: a note with one question or several, as lines, and one answer.
func NameAtRandom(r *rand.Rand) (note, answer string) {
	paragraphs := strings.Split(Named[r.IntN(len(Named))], "\n\n")
	for range r.IntN(3) {
		more := strings.Split(Named[r.IntN(len(Named))], "\n\n")
		at := r.IntN(len(paragraphs) + 1)
		paragraphs = append(paragraphs[:at:at], append([]string{more[r.IntN(len(more))]}, paragraphs[at:]...)...)
	}
	if r.IntN(3) == 0 {
		i, j := r.IntN(len(paragraphs)), r.IntN(len(paragraphs))
		paragraphs[i], paragraphs[j] = paragraphs[j], paragraphs[i]
	}
	note = strings.ReplaceAll(strings.Join(paragraphs, "\n\n"), "QUESTION", "> @agent-Miner why?")
	if r.IntN(6) == 0 {
		note = strings.ReplaceAll(note, "\n", "\r\n")
	}
	var b strings.Builder
	for range 1 + r.IntN(4) {
		piece := Naming[r.IntN(len(Naming))]
		if r.IntN(6) == 0 {
			piece = Hostile[r.IntN(len(Hostile))]
		}
		b.WriteString(piece)
		b.WriteString([]string{"\n\n", "\n\n", "\n", " ", "\n- ", "\n> ", "\n    ", ""}[r.IntN(8)])
	}
	return note, b.String()
}
