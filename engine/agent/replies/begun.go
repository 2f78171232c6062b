package replies

import "strings"

// MaxBegun is how much of a reply is shown before it is whole.
const MaxBegun = 256 << 10

// Begun returns the part of an unfinished reply to one request that a person may see: the beginning of the answer
// that [Read] will return. It holds back space that may end the answer, all text from the place where the JSON
// document may begin, and the thoughts of a model. Thoughts without a mark at their beginning are shown until their
// end arrives; then the answer starts over.
func Begun(text string) string {
	if len(text) > MaxBegun {
		text = strings.ToValidUTF8(text[:MaxBegun], "")
	}
	text = trimReply(holdEnd(begun(strings.ToValidUTF8(text, "\uFFFD"))))
	if Blank(text) {
		return ""
	}
	at, held, said := 0, -1, 0 // held: the place of a fence's edge, which may be the document's
	for line := range strings.Lines(text) {
		bare := strings.TrimLeftFunc(line, func(r rune) bool { return Blank(string(r)) })
		switch {
		case said > 1: // a document behind two lines of text is not the reply
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
