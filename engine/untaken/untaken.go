// Package untaken finds what was asked in notes and is not taken up, and remembers it:
// lines that look like a marker and are none, and markers that nobody answers.
//
//	rows := untaken.Find(src, note.Parse(src), roles) // near misses, each with its mend
//	board.Keep(root, rel, rows, first, now, settle)   // what is known of the note from now on
//	count, first := board.List(root)
//
// # Promises
//
// Nothing here touches a disk. A mend is offered only where the note, mended so, has a
// marker there. Finding costs one pass over a note in which nothing looks like a question,
// and a few parses of any other. A line that a person may still be typing is not reported. A
// [Board] keeps a bounded number of rows for each vault and counts the rest; it is safe for
// concurrent use.
package untaken

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/wording"
)

// Kind says which part of the program does not take a question up.
type Kind string

// The kinds. The words are stable.
const (
	Miss     Kind = "miss"     // the line is no marker
	Role     Kind = "role"     // nobody answers its role
	Private  Kind = "private"  // what answers the role may not be told
	ReadOnly Kind = "readonly" // no answer can be written into the note
	Foreign  Kind = "foreign"  // the vault is left to another machine, or left alone
	Copy     Kind = "copy"     // the note is a copy of another one, where it is asked
	Paused   Kind = "paused"   // the vault is not watched
	Unread   Kind = "unread"   // the note cannot be read
	Held     Kind = "held"     // it waits for a person or an hour
	Place    Kind = "place"    // its note is no prose: a template, a drawing, in the middle of a merge
)

// Row is one thing that was not taken up.
type Row struct {
	Kind   Kind
	File   string // in its vault; "" = all of the vault
	Line   int    // from 1; 0 = all of the note
	Text   string // of the line, shortened
	Reason string // one sentence, without capital and full stop
	Mend   string // the line as it would be taken up; "" = not known

	Hidden bool // it was probably put there on purpose, in code or a comment: nobody is told unasked
	Old    bool // it stood there when the vault was first read, so it is no news
	Lasts  bool // of what cannot be read: nobody tries it again until it is changed

	since time.Time // when it was first seen
	ripe  bool      // it was not being typed when it was last seen
}

// Find returns the lines of a note that were probably meant to be markers, from top to
// bottom. doc is what [note.Parse] has found in it, roles the names that somebody answers to.
func Find(src []byte, doc note.Doc, roles []string) []Row {
	return guard(func() []Row { return find(src, doc, roles) })
}

// guard returns what search does. It is advice alone: a fault in it must not end a process that has questions
// to answer, in this note too. It is told as a row of the note.
func guard(search func() []Row) (rows []Row) {
	defer func() {
		if fault := recover(); fault != nil {
			rows = []Row{rowOf(Miss, 0, "", fmt.Sprintf("%s: %v", faulty, fault))}
		}
	}()
	return search()
}

// longest is how many characters of a line a row has.
const longest = 80

// Markers returns one row for each marker, all for the same reason.
func Markers(kind Kind, reason string, markers []note.Marker) []Row {
	rows := make([]Row, len(markers))
	for i, m := range markers {
		rows[i] = rowOf(kind, m.Line, note.Head(m.Text), reason)
	}
	return rows
}

// IsNews reports whether it is told without being asked for: not what was put there on
// purpose or stood there before, nor what the state of its vault or a notice says.
func (r Row) IsNews() bool {
	switch r.Kind {
	case Miss, Role, Private, ReadOnly, Place:
		return !r.Hidden && !r.Old
	case Unread:
		return r.Lasts && !r.Old
	}
	return false
}

// Unanswered returns a row for a marker whose role nobody answers. roles are those that
// somebody does.
func Unanswered(reason string, m note.Marker, roles []string) Row {
	head := note.Head(m.Text)
	row := rowOf(Role, m.Line, head, reason)
	meant := nearest(m.Role, roles)
	mended := strings.Replace(head, note.MarkerStart+m.Role, note.MarkerStart+meant, 1)
	next, _, _ := strings.Cut(m.Instruction, " ")
	for _, joint := range []string{"-", "_"} { // a role of two words
		if two := roleNamed(m.Role+joint+next, roles); two != "" {
			meant, mended = two, strings.Replace(head, note.MarkerStart+m.Role+" "+next, note.MarkerStart+two, 1)
		}
	}
	if meant != "" && mended != head { // it may be spelled with other accents there
		row.Reason += "; is " + meant + " meant?"
		row.Mend = shortenLines(mended)
	}
	return row
}

// rowOf returns a row. The reason has neither capital nor full stop.
func rowOf(kind Kind, line int, text, reason string) Row {
	return Row{Kind: kind, Line: line, Text: wording.Shorten(wording.Line(text), longest), Reason: reason}
}

// nearest is the one name of a list that a misspelt one is probably meant to be.
func nearest(name string, names []string) (meant string) {
	name = strings.ToLower(name)
	least := max(1, min(2, len(name)/3)) + 1
	for _, n := range names {
		if n == "*" {
			continue
		}
		switch d := distance(name, strings.ToLower(n), least+1); {
		case d < least:
			least, meant = d, n
		case d == least:
			meant = ""
		}
	}
	return meant
}

// distance counts the letters that differ between two words: put in, left out, exchanged or
// swapped with their neighbour; at most most.
func distance(a, b string, most int) int {
	s, t := []rune(a), []rune(b)
	if len(s) > 40 || max(len(s)-len(t), len(t)-len(s)) >= most {
		return most
	}
	var above []int
	row, next := make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		next[0] = i + 1
		for j := range t {
			change := 1
			if s[i] == t[j] {
				change = 0
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, row[j]+change)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				next[j+1] = min(next[j+1], above[j-1]+1)
			}
		}
		above, row, next = row, next, make([]int, len(t)+1)
	}
	return min(row[len(t)], most)
}

func sortRows(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
}

// sentences say why a line that looks like a marker is none.
var sentences = map[note.Reason]string{
	note.NoQuote:       "the line is not in a block quote; begin it with >",
	note.NotFirst:      "@agent- must follow the > directly",
	note.Table:         "it is in a table, where no answer fits; ask on a line of its own",
	note.InList:        "a list marker is between > and @agent-; put the > after it",
	note.NoSpace:       "a space must follow the role",
	note.Colon:         "write a space instead of the colon; a task name follows its colon directly",
	note.Empty:         "there is no question after the role",
	indented:           "the line is indented too far to be a quote; begin it with >",
	spelling:           "an agent is asked with @agent- in small letters, with a plain hyphen and the role right behind it, as in > @agent-Miner",
	note.BadRole:       "a role begins with a letter",
	note.Confusable:    "its name holds letters that only look like others, of another alphabet or width; type the name anew in one alphabet",
	note.FrontMatter:   "it is in the properties at the top of the note",
	note.Code:          "it is in a code block",
	note.InlineCode:    "it is in inline code",
	note.Comment:       "it is in a comment",
	note.HTML:          "it is in HTML",
	note.Math:          "it is in a formula",
	note.ResponseBlock: "it is in an answer",
	note.Off:           "the note's properties say wiki: off",
	note.Unreadable:    "the note cannot be read as markdown",
	note.TooDeep:       "the note's quotes or lists are nested too deep to be read",
}

// unclosed is said of an answer without an end.
const unclosed = "an answer begins here and has no end, so nothing after it is read; write <!-- /agent-response --> where it ends"

// faulty is said of a note whose lines could not be looked at, before what went wrong.
const faulty = "the questions of this note that are spelled right are answered; a fault of this program ended the search for others, please report it"

// oddSwitch is said of a property wiki that says neither on nor off.
const oddSwitch = "the property wiki says neither on nor off, so the note's questions are asked; write wiki: off to have the note left alone"

// Why returns the sentence for a reason.
func Why(reason note.Reason) string {
	if s, ok := sentences[reason]; ok {
		return s
	}
	return string(reason)
}

// isDeliberate reports whether a line is probably no marker because its writer wanted it so.
func isDeliberate(reason note.Reason) bool {
	switch reason {
	case note.FrontMatter, note.Code, note.InlineCode, note.Comment, note.HTML, note.Math, note.Off:
		return true
	}
	return false
}
