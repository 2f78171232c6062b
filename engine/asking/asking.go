// Package asking is about questions outside of all notes: how such a question becomes a marker, the place of its
// answer, the notes that the answer names, and how a caller waits for it.
//
// [FindNote] returns the place of the answer; [Place] puts a question behind the last line of a text as if a person
// had written it there; [ReadAnswer] returns its result; [Waiters] wake the callers that wait, and tell them what the
// agent says meanwhile. Only FindNote touches a disk.
package asking

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/wording"
)

// Indent returns a text as code, behind which every question has a place: nothing in it is open.
func Indent(text []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines([]byte(note.UnifyLineEnds(string(text)))) {
		b.WriteString("    ")
		b.Write(line)
	}
	return b.Bytes()
}

// MostBytes is how long a question may be.
const MostBytes = 16 << 10

// Clean returns a question as it is asked, with a space for each control character but tabs and line ends. The error
// says in one sentence what is wrong with it.
func Clean(question string) (string, error) {
	if len(question) > MostBytes {
		return "", fmt.Errorf("the question has more than %d bytes; put the text into a note and ask about that", MostBytes)
	}
	question = strings.ToValidUTF8(note.UnifyLineEnds(question), string(utf8.RuneError))
	question = strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
			return ' '
		}
		return r
	}, question))
	if question == "" {
		return "", errors.New("there is no question; write what you want to know")
	}
	quoted := note.Parse([]byte("> " + strings.ReplaceAll(question, "\n", "\n> ") + "\n"))
	if len(quoted.Markers) > 0 {
		m := quoted.Markers[0]
		return "", fmt.Errorf("leave @agent-%s out of the question and name the role %s beside it", m.Role, m.Role)
	}
	return question, nil
}

// Placed is a question as a marker behind the last line of a text.
type Placed struct {
	*note.Page
	Group note.Group // of this one marker
}

// ErrNoRole says that a name can be none of a role; ErrNoPlace, that behind the text nothing is a question.
var (
	ErrNoRole  = errors.New("a role is a letter and then letters, digits, - or _")
	ErrNoPlace = errors.New("the note ends in code, a comment or something else that is not closed")
)

// Place puts a question that is clean behind a text; an empty one is that of a question about no note.
func Place(text []byte, role, question string) (Placed, error) {
	if !note.IsRole(role) {
		return Placed{}, ErrNoRole
	}
	lines := strings.TrimRight(string(text), "\r\n")
	if lines != "" {
		lines += "\n\n"
	}
	p := Placed{Page: note.NewPage([]byte(lines + "> @agent-" + role + " " + wording.Line(question) + "\n"))}
	markers := p.Doc().Markers
	if n := len(markers); n > 0 && markers[n-1].Span.Start >= len(lines) {
		m := markers[n-1]
		m.Instruction = question
		p.Group = note.Group{Key: m.Key(), Role: m.Role, Markers: []note.Marker{m}}
		return p, nil
	}
	return Placed{}, ErrNoPlace
}

// errNoLine says that the line of a question that comes again is not in its note.
var errNoLine = errors.New("its line is not there now")

// PlaceAt is Place for a question that a line of the text asks again. With a zero line it is Place.
func PlaceAt(text []byte, line note.Trace, role, question string) (Placed, error) {
	if line.Text == "" {
		return Place(text, role, question)
	}
	p := Placed{Page: note.NewPage(text)}
	markers := p.Doc().Markers
	i := find.MatchFirst(markers, []note.Trace{line})[0]
	if i < 0 {
		return Placed{}, errNoLine
	}
	m := markers[i]
	m.Instruction = question
	p.Group = note.Group{Key: m.Key(), Role: m.Role, Markers: []note.Marker{m}}
	return p, nil
}

// HasRun reports whether a text has the answer of a run. With a line that asks again, it looks for heading between
// that line and the next question; with a zero line, for the question itself.
func HasRun(text []byte, line note.Trace, question, heading string) bool {
	if line.Text == "" {
		return bytes.Contains(text, []byte("> "+question[strings.LastIndexByte(question, '\n')+1:]))
	}
	markers := note.Parse(text).Markers
	i := find.MatchFirst(markers, []note.Trace{line})[0]
	if i < 0 {
		return false
	}
	below := text[markers[i].Span.End:]
	if i+1 < len(markers) {
		below = text[markers[i].Span.End:markers[i+1].Span.Start]
	}
	return bytes.Contains(below, []byte(heading))
}
