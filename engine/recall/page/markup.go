package page

import (
	"math/bits"
	"regexp"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/recall/terms"
)

// A quote has the text of the note with these differences. Quote marks, the type of a
// callout, comments, block ids and the indentation shared by all lines are removed. An
// embed becomes a link. A task's box becomes a sign, because a copy of a task is not
// another task.

var (
	commentMarkup  = regexp.MustCompile(`<!--.*?(-->|$)|%%.*?(%%|$)`)
	closedComments = regexp.MustCompile(`<!--.*?-->|%%.*?%%`)
	blockID        = regexp.MustCompile(`\s+\^[A-Za-z0-9-]+\s*$`)
	callout        = regexp.MustCompile(`^\[![^\]]*\][+-]?\s*`)
	picture        = regexp.MustCompile(`!+\[([^\]]*)\]\(`)
	taskBox        = regexp.MustCompile(`^(\s*(?:[-*+]|\d{1,9}[.)])\s+)\[(.)\] `)
)

// showBlock returns the lines of a block as they are quoted, indent columns of
// indentation removed.
func (p *Page) showBlock(b Block, indent int, withHead bool) string {
	var lines []string
	code := b.kind == fence
	for _, s := range b.readSpans(withHead) {
		for raw := range strings.Lines(string(p.Source[s.Start:s.End])) {
			raw = strings.ToValidUTF8(strings.TrimRight(raw, "\r\n"), "\uFFFD")
			if !isShown(raw) || !code && isBookkeeping(strings.TrimSpace(raw)) {
				continue
			}
			line := cutIndent(raw, indent)
			if b.kind == quoted {
				line = cutQuoteMarks(line)
			}
			line = strings.ReplaceAll(line, "![[", "[[")
			if fenceEnd(bareItem(line)) != "" && b.kind != fence {
				code = !code
			} else if !code {
				line = plainLine(line)
			}
			if strings.TrimSpace(line) != "" || code {
				lines = append(lines, strings.TrimRight(line, " \t"))
			}
		}
	}
	return strings.Join(lines, "\n")
}

func plainLine(line string) string {
	line = commentMarkup.ReplaceAllString(line, "")
	line = blockID.ReplaceAllString(line, "")
	line = picture.ReplaceAllStringFunc(line, func(m string) string {
		if m = strings.TrimLeft(m, "!"); m == "[](" {
			return "[…]("
		}
		return m
	})
	return taskBox.ReplaceAllStringFunc(line, func(m string) string {
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
	return callout.ReplaceAllString(line, "")
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

// cutBlock shortens a block that is too long by itself: code at a line, text to
// the sentences around the densest matches.
func cutBlock(b Block, text string, q *terms.Query) string {
	if b.kind == fence || b.kind == row || hasFence(text) {
		return cutLines(text)
	}
	starts := sentenceStarts(text)
	from, most := 0, -1
	for _, at := range starts {
		near := text[max(0, at-200):at]
		if unclosedAt(near, "[[", "]]") >= 0 || unclosedAt(near, "`", "`") >= 0 {
			continue
		}
		if n := bits.OnesCount64(q.Mask(firstRunes(text[at:], QuoteRunes))); n > most {
			from, most = at, n
		}
	}
	out := cutWords(text[from:], QuoteRunes-2)
	if from > 0 {
		return "… " + strings.TrimLeft(out, " \t\n")
	}
	return out
}

func cutLines(text string) string {
	var out strings.Builder
	left := QuoteRunes - 10
	for line := range strings.Lines(text) {
		n := utf8.RuneCountInString(line)
		if n > left {
			if out.Len() == 0 {
				return cutWords(line, QuoteRunes-10)
			}
			return out.String() + "…"
		}
		left -= n
		out.WriteString(line)
	}
	return out.String()
}

// sentenceStarts are the places where a quote may begin: the text, each line,
// each sentence.
func sentenceStarts(text string) []int {
	starts := []int{0}
	for i := 1; i < len(text) && len(starts) < 500; i++ {
		before := text[:i]
		if text[i] == '\n' && i+1 < len(text) {
			starts = append(starts, i+1)
		} else if text[i] == ' ' && strings.ContainsAny(before[i-1:], ".!?") || i < len(text) && strings.HasSuffix(before, "。") {
			starts = append(starts, i)
		}
	}
	return starts
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// cutWords keeps at most n runes, ends at a word, and leaves no link or code
// span half open.
func cutWords(text string, n int) string {
	cut := firstRunes(text, n)
	if len(cut) == len(text) {
		return text
	}
	if at := strings.LastIndexAny(cut, " \t\n"); at > len(cut)/2 {
		cut = cut[:at]
	}
	for _, pair := range [][2]string{{"[[", "]]"}, {"](", ")"}, {"`", "`"}, {"**", "**"}} {
		if at := unclosedAt(cut, pair[0], pair[1]); at > 0 {
			if pair[0] == "](" {
				at = max(strings.LastIndexByte(cut[:at], '['), 1)
			}
			cut = cut[:at]
		}
	}
	return strings.TrimRight(cut, " \t\n,;") + " …"
}

// unclosedAt returns the place of the last opening mark that is never closed, or -1.
func unclosedAt(s, open, end string) int {
	for at := 0; ; {
		i := strings.Index(s[at:], open)
		if i < 0 {
			return -1
		}
		j := strings.Index(s[at+i+len(open):], end)
		if j < 0 {
			return at + i
		}
		at += i + len(open) + j + len(end)
	}
}
