package replies

import "strings"

// MaxBegun is how much of a reply is shown before it is whole.
const MaxBegun = 256 << 10

// Begun returns what a person may be shown of a reply to one request that is still being made:
// how the answer begins that [Read] will return. Space that may be its end is held back, and so is
// everything from where the JSON document may begin: nobody is shown that, nor what a model says to itself. Thoughts
// without a mark at their beginning are shown until their end is there; then the answer begins anew.
func Begun(text string) string {
	if len(text) > MaxBegun {
		text = strings.ToValidUTF8(text[:MaxBegun], "")
	}
	text = trimReply(holdEnd(begun(strings.ToValidUTF8(text, "\uFFFD"))))
	if Blank(text) {
		return ""
	}
	at, held, said := 0, -1, 0 // held: where the edge of a fence stands, which may be the document's
	for line := range strings.Lines(text) {
		bare := strings.TrimLeftFunc(line, func(r rune) bool { return Blank(string(r)) })
		switch {
		case said > 1: // what comes is no document that is the reply
			return text
		case isEdge(bare):
			if held < 0 {
				held = at
			}
		case mayBeJSON(text[at+len(line)-len(bare):]):
			if held < 0 {
				held = at
			}
			return strings.TrimRight(text[:held], " \t\r\n")
		default:
			held, said = -1, said+1
		}
		at += len(line)
	}
	if held >= 0 && said <= 1 {
		text = strings.TrimRight(text[:held], " \t\r\n")
	}
	return text
}

// isEdge reports whether a line is blank or the edge of a code fence, or may become one.
func isEdge(line string) bool {
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") || Blank(strings.TrimLeft(line, "`~"))
}

// mayBeJSON reports whether text begins like a JSON document, as far as there is text.
func mayBeJSON(text string) bool {
	return (text[0] == '{' || text[0] == '[') && (looksLikeJSON(text) || strings.Trim(text[1:], " \t\r\n") == "")
}
