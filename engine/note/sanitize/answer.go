// Package sanitize makes an agent's answer safe to put into a note.
//
// Callers need two calls: [Labelled], and [Replies], which puts answers into their places. [Answer] is for a text that
// has its note for itself.
// Lists say what is allowed, and everything else is shown as text: allowed.go has the HTML and images, [target] the
// targets of links, [codeblock] the blocks of code. The other files say how a text is rewritten:
//
//   - answer.go repeats the rewriting until nothing changes, and cuts to a limit; it has blocks of code written so
//     that readers agree on them ([fenced]), and macros of formulas where they are used ([tex]);
//   - lines.go does the work that needs no structure: characters, marker lines, tabs, and the fields of Dataview
//     ([fields]), which read text and code once more;
//   - [acts] has the table of forms that programs act on, in text and in code; disarm.go breaks those in code;
//   - code.go finds the code of an answer. Code is shown unchanged, except for forms that act even there, or where an
//     app sees no code (fences.go);
//   - text.go rewrites everything else from left to right, appacts.go the forms that apps act on, and braces.go groups
//     of braces;
//   - references.go rewrites names that belong to the whole note;
//   - place.go breaks forms that act in code only if the answer is in a quote or list.
//
// The promises are in the comment of [Answer]. TestHostileCorpus and FuzzSanitize
// hold them against a corpus and against random answers, put in every kind of
// place in a note.
package sanitize

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/fenced"
	"vaultdispatcher/engine/note/tex"
)

// The depth of quote and list markers before a line of an answer, and the last
// column of one: less than engine/note reads, since a place adds its own.
const maxMarks, maxColumn = 32, 200

// Answer makes an agent's answer safe to put into a note, under any prefix that
// [note.Respond] puts before its lines. An agent may repeat what a web page or
// another note told it, so every answer is treated as hostile:
//
//   - it is valid UTF-8 with LF line ends, no control characters but the tab and
//     nothing that hides or reorders text, without blank lines at its ends;
//   - no line of it can be a marker, and no comment in it can open or close a
//     response block, not even in code;
//   - it ends where it ends: code fences are closed, comments and formulas that
//     would swallow the text below it are shown as they are spelled;
//   - it loads and runs nothing: images of the network become links, HTML beyond
//     plain emphasis is shown as text, code blocks are of a known language, plain
//     text or a diagram that only draws; queries, fields, macros, templates and
//     formulas that plugins and apps act on are broken, in code too where they act
//     there; links lead to http, https, mailto or into the vault;
//   - it defines nothing that belongs to the whole note: its reference links hold their targets, and no link,
//     abbreviation, name of a block, macro of formulas or id that it spells has a meaning elsewhere; for footnotes
//     see [Labelled], for headings [headings.Fit];
//   - it has at most limit bytes, cut between lines or runes, and says so in its
//     last line. 0 is no limit; a limit too small for that line gives the line.
//
// Code is unchanged except by the second, the fourth and the last point; indented code gets fences. Sanitizing twice gives the same as once.
func Answer(answer string, limit int) string { return Labelled(answer, "", limit) }

// Labelled is Answer for one that shares its note with others: its footnotes are named after label, letters and digits
// that no other answer has. Without a label it has the note for itself, and its footnotes keep their names.
func Labelled(answer, label string, limit int) string {
	cut := limit > 0 && len(answer)/4 > limit
	if cut {
		answer = firstBytes(answer, 4*limit) // spare the parser what will not be kept
	}
	answer = rewriteUntilStable(cleanText(answer), label)
	if limit <= 0 || !cut && len(answer) <= limit {
		return answer
	}
	return cutToLimit(answer, label, limit)
}

// cutToLimit cuts an answer that is stable. Cutting may open what was closed, and closing it
// again takes room, hence the loop.
func cutToLimit(s, label string, limit int) string {
	last := fmt.Sprintf("*The answer was longer than %d bytes and ends here.*", limit)
	most := limit - len("\n\n") - len(last)
	for room := most; room > 0; {
		s = firstBytes(s, room)
		if i := strings.LastIndexByte(s, '\n'); i > len(s)/2 {
			s = s[:i]
		}
		s = rewriteUntilStable(cleanText(s), label) // half a flag may change
		if len(s) <= most {
			return strings.TrimLeft(s+"\n\n"+last, "\n")
		}
		room -= len(s) - most
	}
	return last
}

// firstBytes is the beginning of s, at most n bytes of it, that breaks no rune.
func firstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// rewriteUntilStable rewrites an answer until rewriting changes nothing, which one
// round nearly always achieves. In an answer that still changes after four rounds,
// code spans are rewritten like text.
func rewriteUntilStable(s, label string) string {
	const rounds = 4
	for i := range 2 * rounds {
		next := rewriteOnce(s, label, i < rounds)
		if next == s {
			break
		}
		s = next
	}
	return s
}

// rewriteOnce is one round: first the lines, which need no structure, then the text.
func rewriteOnce(s, label string, spans bool) string {
	s = trimBlankLines(s)
	marks := maxMarks
	if note.IsTooDeep([]byte(s)) {
		marks = 0 // deep nesting is an attack: it is shown flat
	}
	s = fenced.Rewrite(disarmLines(s, marks), note.ParseBlocks)
	if strings.IndexByte(s, '\t') >= 0 {
		s = fenced.Rewrite(expandTabs(s, readCode(s, spans)), note.ParseBlocks)
	}
	s = fenced.Flatten(s, parseAnswer)
	if tex.MayDefine(s) {
		s = expandMacros(s, readCode(s, spans))
	}
	c := readCode(s, spans)
	return trimBlankLines(rewriteText(s, c, label))
}

func parseAnswer(src []byte) ast.Node {
	return note.ParseTree(answerMarkdown, footnotesAsItems(string(src)))
}

// expandMacros writes the macros that formulas define in the places where formulas use them. Where it cannot, it returns s.
func expandMacros(s string, c code) string {
	var b strings.Builder
	macros, isWhole, from := tex.NewMacros(len(s)+4096), true, 0
	for _, span := range append(slices.Clip(c.spans), note.Span{Start: len(s), End: len(s)}) {
		b.WriteString(fenced.ReplaceFormulas(s[from:span.Start], func(formula string) string {
			text, ok := macros.Expand(formula)
			isWhole = isWhole && ok
			return text
		}))
		b.WriteString(s[span.Start:span.End])
		from = span.End
	}
	if !isWhole {
		return s
	}
	return b.String()
}
