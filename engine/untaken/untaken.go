// Package untaken finds questions in notes that are not taken up: lines that only look like a
// marker, and markers that no agent answers. A line looks like a marker when it addresses an
// agent by the name of an answered role, or by a near one.
//
//	rows := untaken.Find(src, note.Parse(src), roles) // near misses, each with its mend
//
// Nothing here touches a disk. A mend is offered only where the note, mended so, has a marker
// there. Finding costs one pass over a note, and a parse more where something is found.
package untaken

import (
	"cmp"
	"slices"
	"strings"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/wording"
)

// Kind says which part of the program does not take a question up.
type Kind string

// The kinds. The words are stable.
const (
	Miss     Kind = "miss"     // the line is no marker
	Role     Kind = "role"     // no agent answers its role
	Private  Kind = "private"  // the agent of the role may not be told
	ReadOnly Kind = "readonly" // no answer can be written into the note
	Foreign  Kind = "foreign"  // the vault is left to another machine, or left alone
	Copy     Kind = "copy"     // the note is a copy of another one, where it is asked
	Paused   Kind = "paused"   // the vault is not watched
	Unread   Kind = "unread"   // the note cannot be read
	Held     Kind = "held"     // it waits for a person or an hour
	Place    Kind = "place"    // its note is no prose: a template, a drawing, in the middle of a merge; or its plan is to be corrected
)

// Row is one thing that was not taken up.
type Row struct {
	Kind   Kind
	File   string // in its vault; "" = all of the vault
	Line   int    // from 1; 0 = all of the note
	Text   string // of the line, shortened
	Reason string // one sentence, without capital and full stop
	Mend   string // the line as it would be taken up; "" = not known

	Hidden bool // a person probably put it there on purpose, in code or a comment: it is shown only on request
	Old    bool // it was there when the vault was first read, so it is no news
	Lasts  bool // an unreadable note: it is not tried again until it changes
}

// IsSame reports whether a row is about the same line as another of its note.
func (r Row) IsSame(other Row) bool {
	return r.Kind == other.Kind && r.Text == other.Text && r.Reason == other.Reason
}

// IsNews reports whether a row is told unasked. Old lines and lines put there on purpose are no
// news, nor is a row that repeats the state of its vault or a notice.
func (r Row) IsNews() bool {
	isNew := !r.Hidden && slices.Contains([]Kind{Miss, Role, Private, ReadOnly, Place}, r.Kind) || r.Kind == Unread && r.Lasts
	return isNew && !r.Old
}

// Unanswered returns a row for a marker whose role has no agent. roles are those that have one.
func Unanswered(reason string, m note.Marker, roles []string) Row {
	head := note.Head(m.Text)
	row := RowOf(Role, m.Line, head, reason)
	meant, written := wording.Nearest(m.Role, roles), m.Role
	next, _, _ := strings.Cut(m.Instruction, " ")
	for _, joint := range []string{"-", "_"} { // a role of two words
		if two := wording.Nearest(m.Role+joint+next, roles); strings.EqualFold(two, m.Role+joint+next) {
			meant, written = two, m.Role+" "+next
		}
	}
	mended := strings.Replace(head, note.MarkerStart+written, note.MarkerStart+meant, 1)
	if meant != "" && mended != head { // it may be spelled with other accents there
		row.Reason += wording.Meant.Say(meant)
		row.Mend = wording.Lines(mended, mostMend)
	}
	return row
}

// RowOf returns a row with at most 80 characters of a line. The reason has neither capital nor
// full stop.
func RowOf(kind Kind, line int, text, reason string) Row {
	return Row{Kind: kind, Line: line, Text: wording.Shorten(wording.Line(text), 80), Reason: reason}
}

// SortRows sorts rows by note and line.
func SortRows(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
}

// Reasons beside those of [note.Parse]: a misspelt address, characters that are not what they
// look like, two bytes to a letter as PowerShell 5.1 writes them
// (https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_character_encoding).
const spelling, disguised, wide note.Reason = "spelling", "disguised", "wide"

// sentences say why a line only looks like a marker. They have neither capital nor full stop.
var sentences = map[note.Reason]string{
	note.NoQuote:       "the line is not in a block quote; begin it with >",
	note.NotFirst:      "@agent- must follow the > directly",
	note.Table:         "it is in a table, where no answer fits; ask on a line of its own",
	note.InList:        "a list marker is between > and @agent-; put the > after it",
	note.NoSpace:       "a space must follow the role",
	note.Colon:         "write a space instead of the colon; a task name follows its colon directly",
	note.Empty:         "there is no question after the role",
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
	spelling:           "an agent is asked with @agent- in small letters, with a plain hyphen and the role right behind it, as in > @agent-Miner",
	disguised:          "it holds characters that cannot be seen, are wider than they look, or are escaped; type the line anew with a plain > and @",
	wide:               "the note is saved as UTF-16, in which no agent is asked; save it as UTF-8",
}

// Sentences about a note; the cause follows the second.
const (
	unclosed  = "an answer begins here and has no end, so nothing after it is read; write <!-- /agent-response --> where it ends"
	faulty    = "the questions of this note that are spelled right are answered; a fault of this program ended the search for others, please report it"
	oddSwitch = "the property wiki says neither on nor off, so the note's questions are asked; write wiki: off to have the note left alone"
)

// isDeliberate reports whether a line is probably no marker because its writer wanted it so.
func isDeliberate(reason note.Reason) bool {
	return slices.Contains([]note.Reason{note.FrontMatter, note.Code, note.InlineCode, note.Comment, note.HTML, note.Math, note.Off}, reason)
}
