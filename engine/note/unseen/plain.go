package unseen

import (
	"bytes"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Plain returns a text with each character as what it looks like, and where in the text each byte of that was, with one entry
// more for its end. Wide characters, which input methods make, are narrow, but for those that end a word; what an
// editor or a converter has escaped is not; what no eye sees is left out, and so is wide space at the beginning.
func Plain(text string) (plain string, from []int) {
	out := make([]byte, 0, len(text))
	from = make([]int, 0, len(text)+1)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		piece := text[i : i+size]
		if name := escapeAt(text[i:min(i+40, len(text))]); name != "" {
			size, piece = len(name), strings.TrimPrefix(html.UnescapeString(name), `\`)
			r, _ = utf8.DecodeRuneInString(piece)
		}
		if r < ' ' || r >= 0x7f {
			piece = plainOf(r, piece)
		}
		if piece == " " && r != ' ' && strings.Trim(string(out), " ") == "" {
			piece = ""
		}
		for range len(piece) {
			from = append(from, i)
		}
		out = append(out, piece...)
		i += size
	}
	return string(out), append(from, len(text))
}

// MayAddress reports whether a text may address an agent, or look as if it did: it has an @ of some width, or a word with
// gent in it. Where it is false there is no marker, near miss, response block or progress comment, whatever roles there are.
func MayAddress(src []byte) bool {
	if bytes.IndexByte(src, '@') >= 0 || bytes.Contains(src, []byte("＠")) || bytes.Contains(src, []byte("﹫")) {
		return true
	}
	for rest := src; ; rest = rest[1:] {
		at := bytes.IndexAny(rest, "gG")
		if at < 0 {
			return false
		}
		if rest = rest[at:]; len(rest) >= len("gent") && bytes.EqualFold(rest[:len("gent")], []byte("gent")) {
			return true
		}
	}
}

// escapeAt is the name or number of a character in HTML that a text begins with, or a mark of Markdown behind a backslash.
func escapeAt(text string) string {
	switch text[0] {
	case '\\':
		if len(text) > 1 && strings.IndexByte(">_-", text[1]) >= 0 {
			return text[:2]
		}
	case '&':
		if end := strings.IndexByte(text, ';') + 1; end > 0 && !strings.ContainsAny(text[1:end], "& ") && html.UnescapeString(text[:end]) != text[:end] {
			return text[:end]
		}
	}
	return ""
}

// plainOf is what a character that is no letter of ASCII looks like.
func plainOf(r rune, as string) string {
	switch {
	case strings.ContainsRune("\t：，？", r):
		return as
	case strings.ContainsRune("\u2028\u2029\u0085", r):
		return "\n"
	case strings.ContainsRune("›❯»", r):
		return ">"
	case unicode.Is(unicode.Cc, r) || isIgnorable(r):
		return ""
	}
	if narrow := norm.NFKC.String(as); len(narrow) == 1 {
		return narrow
	}
	return as
}
