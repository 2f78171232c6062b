package rested

import "bytes"

// IsPlain reports whether a note has nothing for a look to handle, whatever roles there are: no
// marker, near miss, response block or progress comment. All these have an @ of some width or a word
// with gent in it. Other notes may have nothing too; they are read.
func IsPlain(src []byte) bool {
	if bytes.IndexByte(src, '@') >= 0 || bytes.Contains(src, []byte("＠")) || bytes.Contains(src, []byte("﹫")) {
		return false
	}
	for rest := src; ; {
		at := bytes.IndexAny(rest, "gG")
		if at < 0 {
			return true
		}
		if rest = rest[at:]; len(rest) >= len("gent") && bytes.EqualFold(rest[:len("gent")], []byte("gent")) {
			return false
		}
		rest = rest[1:]
	}
}
