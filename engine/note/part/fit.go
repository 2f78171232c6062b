package part

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/merge"
)

// Why a reply does not fit.
var (
	errNoText  = errors.New("it is empty, and the text would be gone")
	errLong    = errors.New("it has more than 64 KiB")
	errBroken  = errors.New("its diff is broken off: it has fewer lines than it says")
	errNoMatch = errors.New("its diff does not match the text that it was shown")
	errBeyond  = errors.New("its diff refers beyond the text that it was shown")
	errDoubt   = errors.New("its diff fits in several places of the text")
	errKept    = errors.New("what has to stay is not in it once and in its order")
	errMoved   = errors.New("what has to stay on a line of its own, or at an end of one, is elsewhere")
	errCoded   = errors.New("what has to stay would be in code or in a comment")
)

// Fit returns the new text of a part: the reply itself, or the text after a unified diff. The error gives the reason
// in words that continue "the reply does not fit:".
func Fit(text, reply string) (string, error) {
	reply = unwrap(strings.Trim(note.UnifyLineEnds(reply), "\n"))
	if hunks, isDiff, err := readDiff(reply); err != nil {
		return "", err
	} else if isDiff {
		if reply, err = applyDiff(text, hunks); err != nil {
			return "", err
		}
	}
	lines := strings.Split(reply, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, "\t\r")
	}
	reply = strings.Trim(strings.Join(lines, "\n"), "\n")
	switch {
	case strings.TrimSpace(sign.ReplaceAllString(reply, "")) == "":
		return "", errNoText
	case len(reply) > most:
		return "", errLong
	}
	return reply, Check(text, reply)
}

// Check returns why a text cannot take the place of another one, for what has to stay in it.
func Check(text, next string) error {
	if !slices.Equal(sign.FindAllString(text, -1), sign.FindAllString(next, -1)) || strings.ContainsAny(sign.ReplaceAllString(next, ""), "⟦⟧") {
		return errKept
	}
	was, is := linesOf(text), linesOf(next)
	for name, line := range was {
		other := is[name]
		begins, ends := strings.HasPrefix(line, name), strings.HasSuffix(line, name)
		if line == name && other != name || begins && !strings.HasPrefix(other, name) || ends && !strings.HasSuffix(other, name) {
			return errMoved
		}
	}
	read := note.NewPage([]byte(next))
	for _, at := range sign.FindAllStringIndex(next, -1) {
		if read.Hides(at[0]) {
			return errCoded
		}
	}
	return nil
}

// linesOf are the lines of the numbers in a text.
func linesOf(text string) map[string]string {
	lines := make(map[string]string)
	for _, line := range strings.Split(text, "\n") {
		for _, name := range sign.FindAllString(line, -1) {
			lines[name] = line
		}
	}
	return lines
}

func signOf(n int) string { return "⟦" + strconv.Itoa(n) + "⟧" }

var textFence = lazyregexp.New("^```[ \t]*(?:markdown|md|diff|patch)?[ \t]*$")

// unwrap takes a reply out of a fence around all of it.
func unwrap(reply string) string {
	first, rest, _ := strings.Cut(reply, "\n")
	last := strings.LastIndexByte(rest, '\n')
	if !textFence().MatchString(first) || last < 0 || rest[last+1:] != "```" || strings.Contains(rest[:last], "```") {
		return reply
	}
	return strings.Trim(rest[:last], "\n")
}

// Merge brings together what became of a text in the note and what is to become of it; false where both have changed the same lines.
func Merge(text, now, next string) (string, bool) {
	if now == text || now == next {
		return next, true
	}
	merged, ok := merge.Lines([]byte(text+"\n"), []byte(now+"\n"), []byte(next+"\n"))
	result := strings.TrimSuffix(string(merged), "\n")
	return result, ok && Check(now, result) == nil && strings.TrimSpace(sign.ReplaceAllString(result, "")) != ""
}

// Count returns how many words a text has more than another one, and how many it lacks.
func Count(text, next string) (added, removed int) {
	was, is := words(text), words(next)
	gone, come, ok := merge.Changed(was, is)
	if !ok {
		return len(is), len(was)
	}
	number := func(list []bool) (n int) {
		for _, changed := range list {
			if changed {
				n++
			}
		}
		return n
	}
	return number(come), number(gone)
}

// Edits returns the edits of the note that put next in the place of the part's text, for which [Check] has no error.
func (s Part) Edits(next string) (edits []note.Edit, err error) {
	if err := Check(s.Text, next); err != nil {
		return nil, err
	}
	lines := strings.Split(next, "\n")
	from, old := 0, 0
	for i, l := range append(s.lines, line{}) {
		if i < len(s.lines) && !l.stays {
			continue
		}
		to := len(lines)
		if i < len(s.lines) {
			if to = slices.Index(lines[from:], l.text); to < 0 {
				return nil, errMoved
			}
			to += from
		}
		edits = append(edits, s.editRun(old, i, lines[from:to])...)
		from, old = to+1, i+1
	}
	return edits, nil
}

// editRun makes the edits for the lines from old to end. No line between them is kept as a whole.
func (s Part) editRun(old, end int, next []string) (edits []note.Edit) {
	var was []string
	for _, l := range s.lines[old:end] {
		was = append(was, l.text)
	}
	gone, come, ok := merge.Changed(was, next)
	for i, j := 0, 0; i < len(was) || j < len(next); {
		if ok && i < len(was) && j < len(next) && !gone[i] && !come[j] {
			i, j = i+1, j+1
			continue
		}
		i2, j2 := i, j
		for i2 < len(was) && (!ok || gone[i2]) {
			i2++
		}
		for j2 < len(next) && (!ok || come[j2]) {
			j2++
		}
		edits = append(edits, s.editLines(old+i, old+i2, next[j:j2]))
		i, j = i2, j2
	}
	return edits
}

// editLines replaces the lines from i to end.
func (s Part) editLines(i, end int, next []string) note.Edit {
	var text []string
	for n, line := range next {
		line = sign.ReplaceAllStringFunc(line, func(name string) string {
			at, _ := strconv.Atoi(strings.Trim(name, "⟦⟧"))
			return s.fixed[at-1]
		})
		if n > 0 {
			line = s.begin(line)
		}
		text = append(text, line)
	}
	e := note.Edit{New: []byte(strings.Join(text, s.eol)), IsText: true}
	switch {
	case i < end && len(next) > 0:
		e.Span = note.Span{Start: s.lines[i].span.Start, End: s.lines[end-1].span.End}
	case i < end && end < len(s.lines):
		e.Span = note.Span{Start: s.lines[i].raw, End: s.lines[end].raw}
	case i < end:
		e.Span = note.Span{Start: s.lines[i-1].span.End, End: s.lines[end-1].span.End}
	case i > 0:
		e.Span = note.Span{Start: s.lines[i-1].span.End, End: s.lines[i-1].span.End}
		e.New = []byte(s.eol + s.begin(string(e.New)))
	default:
		e.Span = note.Span{Start: s.lines[0].span.Start, End: s.lines[0].span.Start}
		e.New = append(e.New, s.eol+s.Prefix...)
	}
	return e
}

// begin returns a line with the marks of the quotes around it.
func (s Part) begin(line string) string {
	if line == "" {
		return strings.TrimRight(s.Prefix, " ")
	}
	return s.Prefix + line
}
