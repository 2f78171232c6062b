package sanitize

import (
	"bytes"
	"strings"

	gtext "github.com/yuin/goldmark/text"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// blanks is what the trim() of JavaScript takes off, as far as an answer may hold it.
const blanks = " \t\n\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\ufeff"

var (
	// spanActs is a code span that a plugin replaces by what it computes: queries of
	// Dataview and Datacore, fields of Meta Bind. `==`, `=>` and the like are no
	// expressions. https://github.com/blacksmithgu/obsidian-dataview/blob/master/src/main.ts,
	// https://github.com/mProjectsCode/obsidian-meta-bind-plugin/blob/master/packages/core/src/api/API.ts
	spanActs = lazyregexp.New(`^[` + blanks + `]*(?:=[` + blanks + `]*[^=<>~` + blanks + `]|(?:\$?dc|\$)=|(?:VIEW|INPUT|BUTTON)\[)`)

	// queryStart is how a block of code begins that Dataview takes for a query.
	queryStart = lazyregexp.New(`^[` + blanks + `]*(?:(=)[` + blanks + `]*[^=<>~` + blanks + `]|(\$)=)`)

	// template is a command of Templater, which reads code as well, when its user has it
	// replace them in a note. Behind the signs of templateText it finds no JavaScript and stops.
	// https://silentvoid13.github.io/Templater/syntax.html
	template     = lazyregexp.New(`<%(?:[-_]?\s*(?:[=#@:}]|(?:if|for|while|else|do|case|switch|try|return|var|const|break)\b|end\s*-?%>))?`)
	templateOnly = "<%"

	// hotPairs is what Logseq acts on, where it takes for text what is code to others.
	hotPairs = lazyregexp.New(`\{[{%]|\[:|@[@\[]|!\[|#\+|\]\(|://|<[A-Za-z/!]|\[\^[^\[\]\n]+\]:|::|:(?i:properties):`)
	anyTag   = lazyregexp.New(`<[A-Za-z/!]`)
)

// disarm breaks what acts even in code: templates everywhere, and what Logseq would
// read unless the code is plain to it as well.
func (c *code) disarm(text string, start int, isPlain bool) {
	if strings.Contains(text, templateOnly) {
		for _, at := range template().FindAllStringIndex(text, -1) {
			if text[at[0]:at[1]] == templateOnly {
				c.insert(start+at[0]+1, " ")
			}
		}
	}
	if isPlain {
		return
	}
	for at := 0; ; {
		found := hotPairs().FindStringIndex(text[at:])
		if found == nil {
			return
		}
		from, end := at+found[0], at+found[1]
		at = from + 1
		switch text[from:end] {
		case "](":
			if !isUnsafeLink(text[end:]) {
				continue
			}
		case "://":
			if !isForeignScheme(text[:from]) {
				continue
			}
		case "::":
			if !namesBlock(text, from) {
				continue
			}
		}
		c.insert(start+from+1, " ")
	}
}

// disarmQuery breaks the query that a block of code begins with.
func (c *code) disarmQuery(src []byte, lines *gtext.Segments) {
	for i := range lines.Len() {
		line := lines.At(i)
		text := string(line.Value(src))
		if strings.Trim(text, blanks) == "" {
			continue
		}
		m := queryStart().FindStringSubmatchIndex(text)
		switch {
		case m == nil:
		case m[2] >= 0:
			c.insertSorted(insertion{at: line.Start + m[2], text: "formula: "})
		default:
			c.insertSorted(insertion{at: line.Start + m[5], text: " "})
		}
		return
	}
}

// insertSorted adds an insertion that may belong before some of the last ones.
func (c *code) insertSorted(in insertion) {
	i := len(c.inserts)
	for i > 0 && c.inserts[i-1].at > in.at {
		i--
	}
	c.inserts = append(c.inserts, in)
	copy(c.inserts[i+1:], c.inserts[i:])
	c.inserts[i] = in
}

// plainLine tells which code spans are such to Logseq: those on one line, without
// a backtick in them (one at a time between two) or a stray one before them on that line.
type plainLine struct {
	end      int  // of the last code span
	hasStray bool // on the line of end
}

func (l *plainLine) isPlainSpan(src []byte, open int, span note.Span) bool {
	begin := open
	for begin > l.end && src[begin-1] == '`' {
		begin--
	}
	before := src[min(l.end, begin):begin]
	if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
		before, l.hasStray = before[i:], false
	}
	l.hasStray = l.hasStray || bytes.IndexByte(before, '`') >= 0
	text := src[open+1 : span.End]
	isPlain := !l.hasStray && bytes.IndexByte(text, '\n') < 0 &&
		(bytes.IndexByte(text, '`') < 0 || open+1-begin == 2 && !bytes.Contains(text, []byte("``")))
	l.hasStray = !isPlain
	l.end = span.End
	for l.end < len(src) && (src[l.end] == ' ' || src[l.end] == '\n') {
		l.end++
	}
	for range open + 1 - begin {
		if l.end < len(src) && src[l.end] == '`' {
			l.end++
		}
	}
	return isPlain
}
