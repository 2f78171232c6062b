package note

import "bytes"

// Reason is the cause why a line that looks like a marker is not one. The words are stable; other code makes
// sentences for people of them.
type Reason string

// The reasons, one per cause.
const (
	NoQuote       Reason = "no-quote"       // the line is no line of a block quote
	NotFirst      Reason = "not-first"      // there is other text between the quote marker and the request
	Table         Reason = "table"          // in a cell of a table
	InList        Reason = "list"           // in a list of the quote: > - @agent-...
	NoSpace       Reason = "no-space"       // something else than a space follows the role or the TaskID
	Colon         Reason = "colon"          // @agent-Miner: text; a TaskID follows its colon directly
	Empty         Reason = "empty"          // no instruction
	BadRole       Reason = "bad-role"       // the role does not begin with a letter
	Confusable    Reason = "confusable"     // the role or the TaskID holds letters that look like others
	FrontMatter   Reason = "front-matter"   // in the properties at the top of the note
	Code          Reason = "code"           // in a fenced or indented code block
	InlineCode    Reason = "inline-code"    // in a code span
	Comment       Reason = "comment"        // between <!-- and --> or between %% and %%
	HTML          Reason = "html"           // in HTML
	Math          Reason = "math"           // between $$ and $$
	ResponseBlock Reason = "response-block" // in an answer
	Off           Reason = "off"            // the note's properties say wiki: off
	TooDeep       Reason = "too-deep"       // the note holds quotes or lists nested too deep to be read
	Unreadable    Reason = "unreadable"     // the Markdown parser failed on the note
)

// NearMiss is a line that looks like an attempt at a marker and is not one.
type NearMiss struct {
	Line   int    // of the note, from 1
	Text   string // the exact bytes of the line, without its line end
	Reason Reason
}

// isTags reports whether HTML is tags with no text behind the first and between them.
func isTags(b []byte) bool {
	return bytes.HasPrefix(b, []byte("<")) && bytes.HasSuffix(b, []byte(">")) && bytes.Count(b, []byte(">")) == bytes.Count(b, []byte("><"))+1
}

// asksInCell reports whether what follows "@agent-" in a cell of a table is a role and a question.
func asksInCell(rest []byte) bool {
	cell, _, _ := bytes.Cut(rest, []byte("|"))
	_, why := parseMarker(cell)
	return why == ""
}

// explainMiss says why "@agent-" at offset at is no marker, and whether the line looks
// at all as if it wanted to be one. Mentions in running text do not, nor does an
// escaped \@agent-.
func (n *reading) explainMiss(line Span, at int) (Reason, bool) {
	before := n.text.src[line.Start:at]
	if bytes.HasSuffix(before, []byte(`\`)) {
		return "", false
	}
	why, hidden := n.findHidingRegion(at)
	lead, after := before[LeadingMarks(before):], n.text.src[at+len(needle):line.End]
	bare := len(lead) == 0
	quoted := bytes.IndexByte(before[:len(before)-len(lead)], '>') >= 0
	switch {
	case hidden:
		return why, len(bytes.TrimLeft(lead, "`<!-%$ \t>")) == 0 || why == HTML && isTags(bytes.TrimSpace(lead)) && asksInCell(after)
	case bytes.HasPrefix(lead, []byte("|")):
		return Table, bytes.HasSuffix(bytes.TrimRight(before, " \t>"), []byte("|")) && asksInCell(after)
	case quoted && bare:
		return InList, true
	case quoted:
		return NotFirst, true
	}
	return NoQuote, bare
}
