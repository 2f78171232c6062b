package sanitize

import (
	"strings"

	"vaultdispatcher/engine/note"
)

// Replies are the edits of [note.Replies] for clean answers whose headings fit ([headings.Fit]). In a quote, and in a
// list that Logseq reads as text, some lines of code end the block around them for Logseq. Spaces break the forms
// that act in that block. A search for an answer in a note therefore ignores spaces.
func Replies(page *note.Page, markers []note.Marker, answers []string) []note.Edit {
	given := make([]string, len(answers))
	for i, answer := range answers {
		given[i] = answer
		if place := surroundingsOf(page.Text, markers[i]); place != (surroundings{}) {
			given[i] = breakIn(place, answer)
		}
	}
	return note.Replies(page, markers, given)
}

// breakIn breaks what acts in the code of a clean answer in its place.
func breakIn(place surroundings, answer string) string {
	var b strings.Builder
	from := 0
	for _, in := range readCodeIn(answer, true, place).inserts {
		if in.text == " " && in.offset >= from {
			b.WriteString(answer[from:in.offset] + in.text)
			from = in.offset
		}
	}
	return b.String() + answer[from:]
}

// surroundingsOf returns the future surroundings of an answer; in doubt a list.
func surroundingsOf(src []byte, m note.Marker) surroundings {
	at := surroundings{quotes: strings.Count(m.Rest, ">"), inList: strings.ContainsAny(m.First, "*+.)")}
	if m.Rest == "" || at.inList {
		return at
	}
	column := measureLead(m.First)
	lines := note.Lines(src[:m.Span.Start])
	for i := len(lines) - 1; i >= 0 && column > 0; i-- {
		lead := measureLead(lines[i])
		text := strings.TrimLeft(lines[i], " \t")
		if text == "" || lead >= column {
			continue
		}
		if text[0] != '-' && note.LeadingMarks([]byte(text)) > 0 {
			at.inList = true
			return at
		}
		column = lead
	}
	return at
}

// measureLead is the width of the space that a line begins with.
func measureLead(line string) int {
	space := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return len(space) + 3*strings.Count(space, "\t")
}
