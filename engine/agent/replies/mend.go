package replies

import (
	"fmt"
	"strings"
)

// mendJSON rewrites the slips that models make into JSON: a comma before a closing
// bracket, and in a string control characters and backslashes that were meant as such.
// All strings of text are closed.
func mendJSON(text string) []byte {
	out := make([]byte, 0, len(text)+len(text)/16)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			body := text[i+1 : i+1+stringLength(text[i+1:])]
			out = append(mendString(append(out, c), body), c)
			i += len(body) + 1
		case c == ',' && closesBracket(text[i+1:]):
		default:
			out = append(out, c)
		}
	}
	return out
}

// stringLength returns where the string ends that text begins inside of.
func stringLength(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text)
}

// mendString appends the inside of a string.
func mendString(out []byte, body string) []byte {
	var b backslashes
	if strings.Contains(body, `\`) {
		b = readBackslashes(body)
	}
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case c == '\\' && b.isLiteral(i):
			out = append(out, `\\`...)
		case c == '\\':
			out = append(out, c, body[i+1])
			i++
		case c < 0x20:
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			out = append(out, c)
		}
	}
	return out
}

// isEscape reports whether text begins with one of JSON's escapes.
func isEscape(text string) bool {
	if len(text) < 2 {
		return false
	}
	if text[1] != 'u' {
		return strings.IndexByte(`"\/bfnrt`, text[1]) >= 0
	}
	return len(text) >= 6 && strings.Trim(text[2:6], "0123456789abcdefABCDEF") == ""
}

func closesBracket(text string) bool {
	rest := strings.TrimLeft(text, " \t\r\n")
	return strings.HasPrefix(rest, "}") || strings.HasPrefix(rest, "]")
}
