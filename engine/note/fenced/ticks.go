package fenced

import "bytes"

// endsInAddress is an address that ends where code begins.
var endsInAddress = expression(`(?i)(?:://|www\.)[^\s<]*$`)

// HasUnsureTicks reports whether a run of ticks may be none, or has no partner beside a bracket. marked takes ticks for a part
// of an address (https://github.com/markedjs/marked/blob/master/src/rules.ts), and behind a bracket that does not close
// markdown-it sees no code before a lone run
// (https://github.com/markdown-it/markdown-it/blob/master/lib/rules_inline/backticks.mjs).
func HasUnsureTicks(b []byte) bool {
	for i, text := 0, 0; i < len(b); {
		if b[i] != '`' {
			if i++; b[i-1] == '\\' {
				i++
			}
			continue
		}
		if endsInAddress().Match(b[max(text, i-near):i]) {
			return true
		}
		n, open := runLength(b[i:]), i
		for i += n; ; i += runLength(b[i:]) {
			next := bytes.IndexByte(b[i:], '`')
			if next < 0 {
				return bytes.IndexByte(b, '[') >= 0 || hasRun(b[open+n:], n)
			}
			if i += next; runLength(b[i:]) == n {
				if open > 0 && b[open-1] == '$' && bytes.IndexByte(b[open:i], '$') >= 0 { // a formula that ends in it to remark
					return true
				}
				if code := b[open+n : i]; bytes.IndexByte(code, '`') >= 0 && bytes.ContainsAny(code, "*_") && bytes.ContainsAny(b[:open], "*_") {
					return true // emphasis that ends in it to marked
				}
				i += n
				text = i
				break
			}
		}
	}
	return false
}

// HasPairAbove reports whether ticks of the block b, which begins at start, have a partner in the lines right above it:
// to Pandoc a heading or quote below text is a part of that (https://pandoc.org/MANUAL.html#extension-blank_before_header).
func HasPairAbove(src []byte, start int, b []byte) bool {
	above := src[max(0, start-near):start]
	if blank := blankLine().FindAllIndex(above, -1); blank != nil {
		above = above[blank[len(blank)-1][1]:]
	}
	for at := bytes.IndexByte(above, '`'); at >= 0; at = bytes.IndexByte(above, '`') {
		n := runLength(above[at:])
		above = above[at+n:]
		if end := findRun(above, n); end >= 0 {
			above = above[end+n:]
		} else if hasRun(b, n) { // without a partner its last ticks are a run of their own
			return true
		}
	}
	return false
}

// hasRun reports whether b has a run of at most n ticks.
func hasRun(b []byte, n int) bool {
	for i := bytes.IndexByte(b, '`'); i >= 0; i = bytes.IndexByte(b, '`') {
		size := runLength(b[i:])
		if size <= n {
			return true
		}
		b = b[i+size:]
	}
	return false
}

// findRun returns where a run of n ticks stands in b, or -1.
func findRun(b []byte, n int) int {
	for i := bytes.IndexByte(b, '`'); i >= 0; {
		size := runLength(b[i:])
		if size == n {
			return i
		}
		next := bytes.IndexByte(b[i+size:], '`')
		if next < 0 {
			return -1
		}
		i += size + next
	}
	return -1
}

// runLength is how many bytes like its first one b begins with.
func runLength(b []byte) int { return len(b) - len(bytes.TrimLeft(b, string(b[:1]))) }

// LongestTicks is the length of the longest run of ticks in a text.
func LongestTicks(text []byte) (longest int) {
	for at := bytes.IndexByte(text, '`'); at >= 0; at = bytes.IndexByte(text, '`') {
		run := runLength(text[at:])
		longest, text = max(longest, run), text[at+run:]
	}
	return longest
}
