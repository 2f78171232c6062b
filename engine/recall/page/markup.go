package page

import (
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// A quote has the text of the note with these differences. Quote marks, the type of a
// callout, comments, block ids and the indentation shared by all lines are removed. An
// embed becomes a link. A task's box becomes a sign, because a copy of a task is not
// another task. A property is no YAML.

var (
	commentMarkup  = lazyregexp.New("`[^`]*`|<!--.*?(-->|$)|%%.*?(%%|$)") // and code, in which there is none
	closedComments = lazyregexp.New(`<!--.*?-->|%%.*?%%`)
	blockID        = lazyregexp.New(`\s+\^[A-Za-z0-9-]+\s*$`)
	callout        = lazyregexp.New(`^\[![^\]]*\][+-]?\s*`)
	picture        = lazyregexp.New(`!+\[([^\]]*)\]\(`)
	taskBox        = lazyregexp.New(`^(\s*(?:[-*+]|\d{1,9}[.)])\s+)\[(.)\] `)
)

// showBlock returns the lines of a block as they are quoted, indent columns of
// indentation removed, and a property in words.
func (p *Page) showBlock(b Block, indent int, withHead bool) string {
	var lines []string
	code := b.kind == fence
	for _, s := range b.readSpans(withHead) {
		next := s.Start
		for raw := range strings.Lines(string(p.Source[s.Start:s.End])) {
			at := note.Span{Start: next, End: next + len(raw)}
			next = at.End
			raw = strings.ToValidUTF8(strings.TrimRight(raw, "\r\n"), "\uFFFD")
			line := strings.ToValidUTF8(strings.TrimRight(p.withoutComments(at), "\r\n"), "\uFFFD")
			if !isShown(raw) || !isShown(line) || !code && note.IsBookkeeping(strings.TrimSpace(raw)) {
				continue
			}
			line = cutIndent(line, indent)
			if b.kind == quoted {
				line = cutQuoteMarks(line)
			}
			line = strings.ReplaceAll(line, "![[", "[[")
			if fenceEnd(bareItem(line)) != "" && b.kind != fence {
				code = !code
			} else if !code {
				line = plainLine(line, b.kind == property)
			}
			if strings.TrimSpace(line) != "" || code {
				lines = append(lines, strings.TrimRight(line, " \t"))
			}
		}
	}
	if b.kind == property {
		return propertyInWords(strings.Join(lines, "\n"))
	}
	return strings.Join(lines, "\n")
}

// plainLine is a line without its markup and what is left of marks of comments. A property is no markdown and has no code.
func plainLine(line string, isProperty bool) string {
	if isProperty {
		line = closedComments().ReplaceAllString(line, "")
	}
	line = commentMarkup().ReplaceAllStringFunc(line, func(m string) string {
		if m[0] == '`' {
			return m
		}
		return ""
	})
	line = blockID().ReplaceAllString(line, "")
	line = picture().ReplaceAllStringFunc(line, func(m string) string {
		if m = strings.TrimLeft(m, "!"); m == "[](" {
			return "[…]("
		}
		return m
	})
	return taskBox().ReplaceAllStringFunc(line, func(m string) string {
		box := "☑"
		if strings.HasSuffix(m, "[ ] ") {
			box = "☐"
		}
		return m[:len(m)-len(taskBoxTail(m))] + box + " "
	})
}

// taskBoxTail is the "[x] " at the end of a matched task.
func taskBoxTail(m string) string { return m[strings.LastIndexByte(m, '['):] }

// cutQuoteMarks strips the quote marks of a line and the type of a callout.
func cutQuoteMarks(line string) string {
	line = strings.TrimLeft(line, " \t")
	for strings.HasPrefix(line, ">") {
		line = strings.TrimPrefix(line[1:], " ")
		if next := strings.TrimLeft(line, " \t"); strings.HasPrefix(next, ">") {
			line = next
		}
	}
	return callout().ReplaceAllString(line, "")
}

// cutIndent removes up to n columns of indentation.
func cutIndent(line string, n int) string {
	col := 0
	for i, c := range line {
		if col >= n || c != ' ' && c != '\t' {
			return line[i:]
		}
		if c == '\t' {
			col += 4 - col%4
		} else {
			col++
		}
	}
	return ""
}

// closeFences ends code that a cut or a hidden line has left open.
func closeFences(text string) string {
	until := ""
	for line := range strings.Lines(text) {
		body := strings.TrimSpace(bareItem(line))
		if until != "" {
			if closesFence(body, until) {
				until = ""
			}
			continue
		}
		until = fenceEnd(body)
	}
	if until != "" {
		return strings.TrimRight(text, "\n") + "\n" + until
	}
	return text
}

func hasFence(text string) bool {
	for line := range strings.Lines(text) {
		if fenceEnd(bareItem(line)) != "" {
			return true
		}
	}
	return false
}

// bareItem strips list markers, behind which a fence may open.
func bareItem(line string) string {
	line = strings.TrimLeft(line, " \t")
	for n := itemWidth(line); n > 0; n = itemWidth(line) {
		line = strings.TrimLeft(line[n:], " \t")
	}
	return line
}
