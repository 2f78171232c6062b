package note

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Sanitize makes an agent's answer safe to stand in a note, under any prefix that
// [Respond] puts before its lines. What an agent says may come from a web page or
// from another note, so it is taken for hostile:
//
//   - it is valid UTF-8 with LF line ends, no control characters but the tab and
//     nothing that hides or reorders text, without blank lines at its ends;
//   - no line of it can be a marker, and no comment in it can open or close a
//     response block, not even in code;
//   - it ends where it ends: code fences are closed, comments and formulas that
//     would swallow the text below it are shown as they are spelled;
//   - it loads and runs nothing: images of the network become links, HTML beyond
//     plain emphasis is shown as text, code blocks that a note app would execute
//     are shown as code;
//   - it has at most limit bytes, cut between lines or runes, and says so in its
//     last line. 0 is no limit; a limit too small for that line gives the line.
//
// What is code stays as it is but for the second and the last point. Sanitizing
// twice gives the same as once.
func Sanitize(answer string, limit int) string {
	cut := limit > 0 && len(answer)/4 > limit
	if cut {
		answer = upTo(answer, 4*limit) // spare the parser what will not be kept
	}
	answer = settle(clean(answer))
	if limit <= 0 || !cut && len(answer) <= limit {
		return answer
	}
	return shorten(answer, limit)
}

// shorten cuts a settled answer. Cutting may open what was closed, and closing it
// again takes room, hence the loop.
func shorten(s string, limit int) string {
	last := fmt.Sprintf("*The answer was longer than %d bytes and ends here.*", limit)
	most := limit - len("\n\n") - len(last)
	for room := most; room > 0; {
		s = upTo(s, room)
		if i := strings.LastIndexByte(s, '\n'); i > len(s)/2 {
			s = s[:i]
		}
		s = settle(s)
		if len(s) <= most {
			return strings.TrimLeft(s+"\n\n"+last, "\n")
		}
		room -= len(s) - most
	}
	return last
}

// upTo is the beginning of s, at most n bytes of it, that breaks no rune.
func upTo(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// clean removes what no text has.
func clean(s string) string {
	s = unifyEOL(strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u0085' || r == '\u2028' || r == '\u2029':
			return '\n' // some editors break the line there
		case r < ' ' && r != '\t' && r != '\n' || r >= 0x7F && r < 0xA0 || hides(r):
			return -1
		}
		return r
	}, s)
}

// hides reports whether a character shows nothing and changes what is seen around
// it, or carries words only a machine reads: zero-width spaces, the embeddings,
// overrides and isolates of mixed writing directions, tags. Joiners, direction
// marks and variation selectors stay; languages and emoji need them.
func hides(r rune) bool {
	switch {
	case r == '\u200B', r >= '\u2060' && r <= '\u2064', r == '\uFEFF':
		return true
	case r >= '\u202A' && r <= '\u202E', r >= '\u2066' && r <= '\u2069':
		return true
	}
	return r >= 0xE0000 && r <= 0xE007F
}

// settle rewrites an answer until rewriting changes nothing. One round nearly
// always does. An answer that still moves after some rounds is playing, and its
// code spans are rewritten like its text.
func settle(s string) string {
	const rounds = 4
	for i := range 2 * rounds {
		next := rewrite(s, i < rounds)
		if next == s {
			break
		}
		s = next
	}
	return s
}

// rewrite is one round: first the lines, which need no structure, then the text.
func rewrite(s string, spans bool) string {
	s = trimBlank(s)
	marks := answerMarks
	if tooDeep(newText([]byte(s)), 0) {
		marks = 0 // what is nested to hurt is shown flat
	}
	s = disarm(s, marks)
	if strings.IndexByte(s, '\t') >= 0 {
		s = untab(s, readCode(s, spans))
	}
	c := readCode(s, spans)
	return trimBlank(wash(s, c)) + c.closing
}

// trimBlank cuts off blank lines at both ends.
func trimBlank(s string) string {
	for {
		i := strings.IndexByte(s, '\n')
		if i < 0 || strings.Trim(s[:i], " \t") != "" {
			break
		}
		s = s[i+1:]
	}
	end := strings.TrimRight(s, " \t\n")
	if i := strings.IndexByte(s[len(end):], '\n'); i >= 0 {
		return s[:len(end)+i]
	}
	if end == "" {
		return ""
	}
	return s
}

var (
	response = regexp.MustCompile(`(?i)(<!--\s*/?\s*agent)-(response|progress)`)
	inlineJS = regexp.MustCompile("(`\\s*\\$)=") // runs in notes with the Dataview plugin
)

// disarm takes the meaning from lines that would be markers, from the comments of
// response blocks, from inline scripts and from containers nested deeper than
// marks, in code and outside.
func disarm(s string, marks int) string {
	s = response.ReplaceAllString(s, "${1}&#45;${2}")
	s = inlineJS.ReplaceAllString(s, "${1} =")
	if !strings.Contains(s, string(needle)) && !strings.ContainsAny(s, ">-+*.)") {
		return s
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		lead := containers([]byte(line))
		if at := excess([]byte(line), marks, answerColumn); at >= 0 {
			lead = at
		} else if !strings.HasPrefix(line[lead:], string(needle)) {
			b.WriteString(line)
			continue
		}
		b.WriteString(line[:lead] + `\` + line[lead:])
	}
	return b.String()
}

// untab replaces the tabs at the beginning of a line by the spaces they stand
// for. How wide a tab is depends on the prefix, and so would what is code. Lines
// inside a fence keep theirs unless they could end it.
func untab(s string, c code) string {
	var b strings.Builder
	at := 0
	for line := range strings.Lines(s) {
		lead := containers([]byte(line))
		if !c.fenced(at) || strings.HasPrefix(line[lead:], "`") || strings.HasPrefix(line[lead:], "~") {
			column := 0
			for _, r := range line[:lead] {
				n := 1
				if r == '\t' {
					n = 4 - column%4
					b.WriteString("   "[:n-1])
					r = ' '
				}
				b.WriteRune(r)
				column += n
			}
		} else {
			b.WriteString(line[:lead])
		}
		b.WriteString(line[lead:])
		at += len(line)
	}
	return b.String()
}
