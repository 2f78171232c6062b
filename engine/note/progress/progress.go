// Package progress is pure text: the comments that show the state of a dispatch under its marker, which it writes,
// reads and leaves out. [Bare] returns what every reader of a note reads.
package progress

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"vaultdispatcher/engine/note"
)

// A progress comment is a line under a marker that shows the state of its dispatch:
//
//	> @agent-Miner what did we decide?
//	<!-- agent-progress: working on Desk since 14:05 (0w7kq3v9m2x4t.5d41402a) -->
//
// Under a line that is not taken up it says so. It is no part of the note: code that looks for markers, neighbours,
// context or passages reads the [Bare] note, so that a new or removed comment changes nothing. It ends with the id of
// its dispatch, or of its line, and a checksum. A comment that a person has edited does not match its checksum, and
// is text like any other.
const (
	progressOpen = "<!-- agent-progress: "
	progressEnd  = ") -->"

	// mostProgress is how many bytes of a comment are words.
	mostProgress = 200
)

var progressTag = regexp.MustCompile(` \(([0-9a-z]{1,32})\.([0-9a-f]{8})$`)

// Comment is the comment that says text of a dispatch. Whatever the text
// holds, it is one line, ends where the comment ends and is no marker.
func Comment(id, text string) string {
	text = strings.Join(strings.Fields(strings.Map(printable, strings.ToValidUTF8(text, "\uFFFD"))), " ")
	text = harmless.Replace(hyphens.ReplaceAllString(text, "–"))
	if len(text) > mostProgress {
		text = strings.TrimSpace(strings.ToValidUTF8(text[:mostProgress], "")) + "…"
	}
	return fmt.Sprintf("%s%s (%s.%08x%s", progressOpen, text, id, progressSum(id, text), progressEnd)
}

// printable drops the characters that show nothing.
func printable(r rune) rune {
	if unicode.IsPrint(r) || unicode.IsSpace(r) {
		return r
	}
	return -1
}

var (
	hyphens  = regexp.MustCompile("--+")
	harmless = strings.NewReplacer("<", "‹", ">", "›", "@agent-", "@ agent-", "`", "'", "%", "％", "$", "＄", "[[", "[ [", "]]", "] ]")
)

// progressSum is FNV-1a: it has to notice an accident, not an attack. An attack could only make the engine remove a
// line that the attack itself has added.
func progressSum(id, text string) uint32 {
	sum := uint32(2166136261)
	for _, c := range []byte(id + " " + text) {
		sum = (sum ^ uint32(c)) * 16777619
	}
	return sum
}

// Line is a progress comment of a note.
type Line struct {
	ID   string    // of its dispatch
	Text string    // the comment without its containers
	Span note.Span // in the note as it is: the comment's line, with one line end
}

// progressAt reads a line that is a progress comment, its containers apart.
func progressAt(line []byte) (p Line, ok bool) {
	text := string(bytes.TrimRight(bytes.TrimLeft(line, " \t>"), " \t"))
	inner, opened := strings.CutPrefix(text, progressOpen)
	inner, closed := strings.CutSuffix(inner, progressEnd)
	tag := progressTag.FindStringSubmatch(inner)
	if !opened || !closed || tag == nil {
		return p, false
	}
	said := strings.TrimSuffix(inner, tag[0])
	return Line{ID: tag[1], Text: text}, tag[2] == fmt.Sprintf("%08x", progressSum(tag[1], said))
}

// Bared is a note and the same without its progress comments.
type Bared struct {
	*note.Page        // without them
	Progress   []Line // from top to bottom
	Source     []byte // with them
}

// Bare takes the progress comments out of a note. What is left has none.
func Bare(src []byte) Bared {
	b := Bared{Page: note.NewPage(src), Source: src}
	if !bytes.Contains(src, []byte(progressOpen)) {
		return b
	}
	lines := note.LineSpans(src)
	top := true // nothing but comments so far
	var rest []byte
	from := 0 // of src, what is not in rest yet
	for i, line := range lines {
		p, ok := progressAt(src[line.Start:line.End])
		switch {
		case !ok:
			top = false
			continue
		case top:
			p.Span = note.Span{Start: line.Start, End: nextStart(src, lines, i)}
		default: // it was put behind the line above, whose line end is that of the comment by now
			p.Span = note.Span{Start: lines[i-1].End, End: line.End}
		}
		b.Progress = append(b.Progress, p)
		rest = append(rest, src[from:p.Span.Start]...)
		from = p.Span.End
	}
	b.Page = note.NewPage(append(rest, src[from:]...))
	return b
}

// Raw is where a span of whole lines of Text, line ends apart, is in the note as
// it is. Comments between the lines are in it, those beside them are not.
func (b Bared) Raw(s note.Span) note.Span {
	raw, removed := s, 0
	for _, p := range b.Progress {
		at := p.Span.Start - removed // in Text
		n := p.Span.End - p.Span.Start
		if at <= s.Start {
			raw.Start += n
		}
		if at < s.End || at == s.End && at <= s.Start {
			raw.End += n
		}
		removed += n
	}
	return raw
}

// Under returns the comments directly under the line that ends a span
// of Text.
func (b Bared) Under(s note.Span) []Line {
	end := b.Raw(s).End
	var under []Line
	for _, p := range b.Progress {
		if p.Span.Start == end {
			under = append(under, p)
			end = p.Span.End
		}
	}
	return under
}

// InsertComment is the edit of the note as it is that puts a comment directly under a
// marker of Text.
func (b Bared) InsertComment(m note.Marker, comment string) note.Edit {
	end := b.Raw(m.Span).End
	return note.Edit{Span: note.Span{Start: end, End: end}, New: []byte(note.LineEnd(b.Text, m.Span) + m.Rest + comment)}
}

// FindTarget returns a line that is no marker as InsertComment takes one: with its containers, which a
// comment under it is put into. ok is false where a comment might change what is seen or read:
// in code, comments, tables and answers, above the rest of a paragraph, and under a line that
// may still be being typed.
func (b Bared) FindTarget(line int) (m note.Marker, ok bool) {
	lines := note.LineSpans(b.Text)
	i := line - 1
	if i < 0 || i >= len(lines) {
		return m, false
	}
	m.Line, m.Ends, m.Span = line, line, lines[i]
	text := b.Text[lines[i].Start:lines[i].End]
	head := text[:note.LeadingMarks(text)]
	if b.Hides(m.Span.Start+len(head)) || nextStart(b.Text, lines, i) == m.Span.End || bytes.HasPrefix(text[len(head):], []byte("|")) {
		return m, false
	}
	m.Rest = strings.Map(keepQuotes, string(head))
	if i+1 < len(lines) {
		next := b.Text[lines[i+1].Start:lines[i+1].End]
		isItem := strings.Map(keepQuotes, string(next[:note.LeadingMarks(next)])) != string(next[:note.LeadingMarks(next)])
		if !note.IsMute(next) && !(isItem && m.Rest != string(head)) {
			return m, false
		}
	}
	return m, true
}

// nextStart is where the line after line i begins.
func nextStart(src []byte, lines []note.Span, i int) int {
	if i+1 < len(lines) {
		return lines[i+1].Start
	}
	return len(src)
}

// keepQuotes makes space of the marker of a list.
func keepQuotes(r rune) rune {
	if r == '>' || r == '\t' {
		return r
	}
	return ' '
}

// IsInvisible reports whether a note with comments says the same as without: for us, for
// other programs, and for a reader. The comments named, by their text, stay invisible
// to a reader.
func IsInvisible(src []byte, markers []note.Marker, comments map[string]bool) bool {
	bared, n := Bare(src), note.NewPage(src)
	found := n.Doc().Markers
	if len(found) != len(markers) || n.Tree() == nil && len(comments) > 0 {
		return false
	}
	for i, m := range found {
		if note.Head(m.Text) != note.Head(markers[i].Text) || m.First != markers[i].First || m.Rest != markers[i].Rest {
			return false
		}
	}
	for _, p := range bared.Progress {
		if !comments[p.Text] {
			continue
		}
		at := bytes.Index(src[p.Span.Start:], []byte(progressOpen)) + p.Span.Start
		if n.Why(at) != note.Comment {
			return false
		}
	}
	return true
}

// DecisionOf is what a line says that may decide about a proposal, "yes" or "no"; a question says neither, and has "".
func DecisionOf(m note.Marker) string {
	if word := strings.ToLower(m.Instruction); m.Asked == m.Line && (word == "yes" || word == "no") {
		return word
	}
	return ""
}

// Between returns the comment of a dispatch that is all there is between its question and the next one; "" = something else is.
func (b Bared) Between(above, below note.Marker, id string) string {
	under := b.Under(above.Span)
	if len(under) != 1 || under[0].ID != id || len(bytes.Trim(b.Text[above.Span.End:below.Span.Start], " \t\r\n>")) > 0 {
		return ""
	}
	return under[0].Text
}
