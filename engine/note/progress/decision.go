package progress

import (
	"bytes"
	"strings"

	"vaultdispatcher/engine/note"
)

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
