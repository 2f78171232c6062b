package untaken

import (
	"bytes"
	"fmt"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/unseen"
	"vaultdispatcher/engine/wording"
)

// Of one note mostFound lines are looked at, in mostHead bytes of each at mostTries places, for
// addresses of mostAddress bytes. A mend has mostMend characters.
const mostFound, mostHead, mostTries, mostAddress, mostMend = 200, 4 << 10, 30, 200, 300

// found is a line that was probably meant to be a marker, with its role and question.
type found struct {
	text   string
	line   int         // from 1
	reason note.Reason // of [note.Parse]; "" = it says nothing about the line
	isRow  bool        // of a table

	prefix, marks  string // other lines in the line, and the marks of quotes and lists
	lead, question string // the words before and behind the address, as they are written
	role           string // with its task; "" = not known
	isOpen         bool   // a question mark follows the role
	isDisguised    bool   // the marks or the address hold characters that are not what they look like

	mended string // the line as a marker, with the lines around it that this changes
	takes  int    // how many lines mended replaces
	marker int    // the line of the marker in the mended note
}

// linked is a link to a note whose name asks, or an address of mail.
var linked = lazyregexp.New(`\[[^\]]*[@＠﹫](?i:agent)-[^\]]*[ #|][^\]]*\][\](]|^[^@]*[\pL\pN]@agent-[\w-]*\.\pL`)

// Find returns the lines of a note that were probably meant to be markers, from top to bottom.
// doc is the result of [note.Parse], roles the names that have an agent.
func Find(src []byte, doc note.Doc, roles []string) []Row {
	return guard(func() []Row { return find(src, doc, roles) })
}

// guard returns what search does. It is advice alone: a fault in it is told as a row of the note,
// and ends no process that has questions to answer.
func guard(search func() []Row) (rows []Row) {
	defer func() {
		if fault := recover(); fault != nil {
			rows = []Row{RowOf(Miss, 0, "", fmt.Sprintf("%s: %v", faulty, fault))}
		}
	}()
	return search()
}

func find(src []byte, doc note.Doc, roles []string) (rows []Row) {
	list, mended := findLines(src, doc, roles)
	markers := make(map[int]bool)
	if len(list) > 0 {
		for _, m := range note.Parse([]byte(strings.Join(mended, "\n"))).Markers {
			markers[m.Line] = true
		}
	}
	for _, f := range list {
		isMended := markers[f.marker]
		if f.reason == "" && !isMended {
			continue
		}
		why := f.explain(isMended)
		row := RowOf(Miss, f.line, strings.ReplaceAll(f.text, "\x00", ""), sentences[why])
		row.Hidden = doc.Disabled || isDeliberate(f.reason)
		if isMended && why != note.Table && why != wide && (f.question != "" || f.isOpen || f.takes > 1) {
			row.Mend = wording.Lines(f.mended, mostMend)
		}
		rows = append(rows, row)
	}
	if doc.Unclosed > 0 && !doc.Disabled {
		rows = append(rows, RowOf(Miss, doc.Unclosed, "", unclosed))
	}
	if doc.Switch > 0 && len(doc.Markers) > 0 && !doc.Disabled {
		rows = append(rows, RowOf(Miss, doc.Switch, "", oddSwitch))
	}
	SortRows(rows)
	return rows
}

// findLines finds the lines of a note that look as if they asked, and are no markers. mended are
// the lines of the note in which they are.
func findLines(src []byte, doc note.Doc, roles []string) (list []found, mended []string) {
	if len(doc.Misses) == 0 && !unseen.MayAddress(src) {
		return nil, nil
	}
	why, isAsked, inTable := make(map[int]note.Reason), make(map[int]bool), false
	for _, m := range doc.Misses {
		why[m.Line] = m.Reason
	}
	for _, m := range doc.Markers {
		for line := m.Line; line <= max(m.Ends, m.Asked); line++ {
			isAsked[line] = true
		}
	}
	lines := append(note.Lines(bytes.ReplaceAll(src, []byte("\r\x00\n"), []byte("\n"))), "") // UTF-16 ends a line so
	for i := 0; i < len(lines)-1; i++ {
		f, below := found{text: lines[i], line: i + 1, reason: why[i+1]}, lines[i+1]
		isDelimiter := strings.Contains(below, "|") && strings.Contains(below, "-") && strings.Trim(below, " \t>|:-") == ""
		inTable = strings.Contains(f.text, "|") && (inTable || isDelimiter) // https://github.github.com/gfm/#delimiter-row
		if below = below[note.LeadingMarks([]byte(below)):]; strings.Contains(below, "@") {
			below = ""
		}
		if isAsked[f.line] || len(list) == mostFound || !f.look(inTable, below, roles) {
			mended = append(mended, f.text)
			continue
		}
		mended = append(mended, strings.Split(f.mended, "\n")...)
		f.marker = len(mended)
		i += f.takes - 1
		list = append(list, f)
	}
	return list, mended
}

// look reports whether a line looks as if it asked, and mends it where that is known.
func (f *found) look(inTable bool, below string, roles []string) bool {
	if f.reason == "" && !unseen.MayAddress([]byte(f.text)) {
		return false
	}
	f.isRow = !isDeliberate(f.reason) && (inTable || f.reason == note.Table || strings.HasPrefix(f.text[note.LeadingMarks([]byte(f.text)):], "|"))
	if isRead := f.read(roles); !isRead && (f.reason == "" || f.isRow) || linked().MatchString(f.text) {
		return false
	}
	inQuote := strings.Contains(f.marks, ">")
	if f.reason == note.InList && f.lead == "" && strings.HasSuffix(strings.TrimRight(f.marks, " \t"), ">") {
		f.reason, f.marks = note.NoQuote, strings.TrimLeft(f.marks, " \t") // it is too far to the right for a quote
	}
	if f.reason == note.Code {
		f.marks = strings.TrimLeft(f.marks, " \t")
	}
	if f.mended, f.takes = f.text, 1; f.role != "" && (f.reason == note.Code || !isDeliberate(f.reason)) && (f.reason != "" || f.question != "" || below != "" || inQuote) {
		f.mend(below)
	}
	return true
}

// explain says why a line is no marker.
func (f *found) explain(isMended bool) note.Reason {
	switch {
	case isDeliberate(f.reason):
	case f.isRow:
		return note.Table
	case strings.Contains(strings.ToLower(f.text), "@\x00a\x00g\x00e\x00n\x00t"):
		return wide
	case isMended && f.isDisguised:
		return disguised
	case f.role != "" && f.question == "" && (f.reason == note.NoSpace || f.reason == note.Colon):
		return note.Empty
	case f.reason == "" && !strings.Contains(f.marks, ">"):
		return note.NoQuote
	case f.reason == "":
		return spelling
	}
	return f.reason
}
