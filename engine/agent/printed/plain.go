// Package printed reads the bytes that a program has printed: as the text that a terminal would show, and as the JSON values in it.
// It is pure: it starts nothing and keeps nothing.
package printed

import "strings"

// Plain returns the text that a terminal would show: without escape sequences, their eight-bit forms and control
// characters, in valid UTF-8. It keeps the text of a hyperlink. A sequence without an end removes only its own
// beginning, so a stray escape character cannot swallow an answer. Line ends become "\n", a lone carriage return
// among them.
func Plain(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	var out strings.Builder
	for len(text) > 0 {
		at := strings.IndexFunc(text, isControl)
		if at < 0 {
			out.WriteString(text)
			break
		}
		out.WriteString(text[:at])
		text = text[at:]
		if text[0] == '\r' {
			out.WriteByte('\n')
		}
		text = text[sequenceLength(text):]
	}
	return out.String()
}

func isControl(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' || r >= 0x7f && r < 0xa0
}

// sequenceLength returns the length of the control sequence that text begins with.
func sequenceLength(text string) int {
	const esc, c1 = 0x1b, 0xc2 // of a C1 control the second byte is the control itself
	kind, size := byte(0), 1
	switch {
	case text[0] == esc && len(text) > 1:
		kind, size = text[1], 2
	case text[0] == c1:
		kind, size = text[1]-0x40, 2
	default:
		return 1
	}
	body := text[size:]
	switch {
	case kind == '[':
		return size + controlSequence(body)
	case strings.IndexByte("]PX^_", kind) >= 0:
		return size + controlString(body)
	case text[0] == c1:
		return size
	case kind >= 0x20 && kind < 0x30: // a charset or the like: intermediates and one final
		n := 0
		for n < len(body) && body[n] >= 0x20 && body[n] < 0x30 {
			n++
		}
		if n < len(body) && body[n] >= 0x30 && body[n] < 0x7f {
			return size + n + 1
		}
		return 1
	case kind >= 0x30 && kind < 0x7f:
		return size
	}
	return 1
}

// controlSequence returns the length of the parameters and the final character.
func controlSequence(body string) int {
	n := 0
	for n < len(body) && body[n] >= 0x20 && body[n] < 0x40 {
		n++
	}
	if n < len(body) && body[n] >= 0x40 && body[n] < 0x7f {
		return n + 1
	}
	return 0
}

// controlString returns the length of a string up to and with its terminator, which has to be on the same line.
func controlString(body string) int {
	line, _, _ := strings.Cut(body, "\n")
	end := 0
	for _, terminator := range []string{"\a", "\x1b\\", "\u009c"} {
		if at := strings.Index(line, terminator); at >= 0 && (end == 0 || at+len(terminator) < end) {
			end = at + len(terminator)
		}
	}
	return end
}
