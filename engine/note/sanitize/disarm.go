package sanitize

import (
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note/apps"
	"vaultdispatcher/engine/note/fenced"
	"vaultdispatcher/engine/note/sanitize/acts"
	"vaultdispatcher/engine/note/target"
)

var anyTag = lazyregexp.New(`<[A-Za-z/!]`)

var (
	looseActs = acts.Loose(fenced.Elements)

	spanActs, lineActs = acts.Span.With(apps.Acts(apps.Span)), acts.Line.With(apps.Acts(apps.Line))
	textActs, codeActs = acts.Text.With(apps.Acts(apps.Text)), acts.Code.With(apps.Acts(apps.Code))
)

// unsureActs are those of looseActs that act only together with the text around them.
var unsureActs = map[string]func(c *code, text string, from, end int) bool{
	"](": func(_ *code, text string, _, end int) bool { // a target may be on the next line
		return strings.TrimSpace(text[end:]) == "" || target.IsUnsafe(text[end:])
	},
	"://": func(_ *code, text string, from, _ int) bool { return target.IsForeignScheme(text[:from]) },
	"::":  func(_ *code, text string, from, _ int) bool { return namesBlock(text, from) },
	"<?":  func(c *code, _ string, _, _ int) bool { return c.fences.isDefined }, // PHP is code to Logseq
}

// findSpanAct returns where an act begins if a code span opens at from, for any reader's notion of code. It also
// returns the place to break the act and the text that breaks it; -1 without an act.
func findSpanAct(s string, from int) (begin, at int, mend string) {
	lead := strings.TrimLeft(s[from:], target.Blanks)
	for strings.HasPrefix(lead, ">") && strings.Contains(s[from:len(s)-len(lead)], "\n") {
		lead = strings.TrimLeft(lead, target.Blanks+">") // the marks of a quote
	}
	begin = len(s) - len(lead)
	inner := strings.TrimLeft(lead[min(1, len(lead)):], target.Blanks+">")
	at, mend = spanActs.Match(lead[:min(len(lead), len(lead)-len(inner)+64)])
	if at < 0 || at == 0 && mend == " " && begin > from { // such a space has broken it
		return -1, -1, ""
	}
	return begin, begin + at, mend
}

// isClosed reports whether the paragraph at the beginning of s has ticks, or may have some: some readers end code at
// the next equal run of them, some at any.
func isClosed(s string) bool {
	near := s[:min(len(s), 4096)]
	if end := blankLine().FindStringIndex(near); end != nil {
		near = near[:end[0]]
	} else if len(near) < len(s) {
		return true
	}
	return strings.Contains(near, "`")
}

// insertAll breaks each of the forms in text.
func (c *code) insertAll(forms acts.Table, text string, start int) {
	for begin, at, end, mend := forms.Find(text, 0); begin >= 0; begin, at, end, mend = forms.Find(text, end) {
		if at >= 0 {
			c.insert(start+at, 0, mend)
		}
	}
}

// disarm breaks what acts even in code, and what Logseq would read unless the code is plain to it as well.
func (c *code) disarm(text string, start int, isPlain bool) {
	c.insertAll(codeActs, text, start)
	for from := 0; !isPlain; from++ { // they may overlap
		begin, at, end, mend := looseActs.Find(text, from)
		if begin < 0 {
			return
		}
		from = begin
		if isAct := unsureActs[text[begin:end]]; isAct == nil || isAct(c, text, begin, end) {
			c.insert(start+at, 0, mend)
		}
	}
}
