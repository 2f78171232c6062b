package replies

import (
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// fences says of line after line whether it is in a fenced code block.
type fences struct {
	mark byte // of the fence that is open; 0 = none is
	size int
}

// container is the possible text before a fence: quote marks, and marks of lists.
var container = lazily(`^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)]))*[ \t]*`)

// take reports whether the next line is code, the edges of a block included.
func (f *fences) take(line string) bool {
	said := strings.TrimRight(line, " \t\r\n")
	if f.mark != 0 {
		said = strings.TrimLeft(said, " \t>")
		if size := countMarks(said, f.mark); size >= f.size && size == len(said) {
			f.mark = 0
		}
		return true
	}
	said = said[len(container().FindString(said)):]
	for _, mark := range []byte("`~") {
		if size := countMarks(said, mark); size >= 3 && (mark == '~' || !strings.Contains(said[size:], "`")) {
			f.mark, f.size = mark, size
			return true
		}
	}
	return false
}

func countMarks(text string, mark byte) int {
	return len(text) - len(strings.TrimLeft(text, string(mark)))
}

var lazily = lazyregexp.New

// markdownFence is the first line of a fence that says of all of an answer that it is Markdown.
var markdownFence = lazily("(?i)^ {0,3}(`{3,}|~{3,})[ \t]*(?:markdown|md)[ \t]*\r?\n")

// asksForSource matches, in some languages, an instruction that may want its answer in a fence, such as a template.
var asksForSource = lazily(`(?i)(?:^|\PL)(?:source|code|raw|snippet|fence|fenced|verbatim|quelltext\pL*|quellcode\pL*|rohtext\pL*|codeblock\pL*|` +
	`template\pL*|vorlage\pL*|plantilla\pL*|modèle\pL*|modelo\pL*|modello|modelli|sjabloon|sjablonen|szablon\pL*|шаблон\pL*|fuente|código|codigo|codice|sorgente|brut|fonte|broncode|kod|źródł\pL*|код\pL*)(?:\PL|$)|源码|源代码|代码|コード|ソース|소스|코드|模板|テンプレート|템플릿`)

// unwrapMarkdown returns an answer without a fence around all of it that is named Markdown. It keeps the fence if the
// instruction may ask for the source, or if the fence may not hold everything.
func unwrapMarkdown(answer, instruction string) string {
	open := markdownFence().FindStringSubmatch(answer)
	if open == nil || asksForSource().MatchString(instruction) {
		return answer
	}
	mark, size := open[1][0], len(open[1])
	lines := strings.SplitAfter(strings.TrimRight(answer[len(open[0]):], " \t\r\n"), "\n")
	last := len(lines) - 1
	if said := strings.TrimSpace(lines[last]); countMarks(said, mark) != len(said) || len(said) < size {
		return answer
	}
	inner := fences{}
	for i, line := range lines[:last] {
		said := strings.TrimSpace(line)
		closes := inner.mark == 0 && countMarks(said, mark) == len(said) && len(said) >= size
		if closes && (i+1 >= last || Blank(lines[i+1])) {
			return answer // the fence ends here: code does not begin with a blank line
		}
		inner.take(line)
	}
	text := strings.TrimRight(strings.Join(lines[:last], ""), " \t\r\n")
	if inner.mark != 0 || Blank(text) {
		return answer
	}
	return text
}
