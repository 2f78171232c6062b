package fenced

import "bytes"

// endsInAddress is an address that ends where code begins.
var endsInAddress = expression(`(?i)(?:://|www\.)[^\s<]*$`)

// HasUnsureTicks reports whether a run of ticks may be none, or has no partner beside a sign that opens more than itself. marked takes
// ticks for a part of an address (https://github.com/markedjs/marked/blob/master/src/rules.ts), and behind a bracket, ^ or ~
// that does not close markdown-it sees no code before a lone run
// (https://github.com/markdown-it/markdown-it/blob/master/lib/rules_inline/backticks.mjs).
func HasUnsureTicks(b []byte) bool {
	for i, text := 0, 0; i < len(b); {
		if b[i] == '$' { // a formula that ends in code, to who looks for formulas first
			if found := formulaHere().Find(b[i:min(len(b), i+near)]); hasPair(found, nil) {
				return true
			}
		}
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
				return bytes.ContainsAny(b, "[^~") || hasRun(b[open+n:], n)
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

// plainStart is text that nobody takes for the beginning of more than a paragraph, up to code.
var plainStart = expression("^[\\pL\\pN ,.;()-]*(``+)")

// SureCode returns where the code in longer runs of ticks ends that a paragraph begins with: all readers find it before what is
// behind it, so a bracket in it holds no other code.
func SureCode(b []byte) (end int) {
	for {
		found := plainStart().FindSubmatchIndex(b[end:])
		if found == nil {
			return end
		}
		n, code := found[3]-found[2], b[end+found[3]:]
		at := findRun(code, n)
		if at < 0 {
			return end
		}
		end += found[3] + at + n
	}
}

// HasPairAbove reports whether ticks of the block b, which begins at start, have a partner in the lines right above it:
// to Pandoc a heading or quote below text is a part of that (https://pandoc.org/MANUAL.html#extension-blank_before_header).
func HasPairAbove(src []byte, start int, b []byte) bool {
	return hasPair(BelowBlank(src[:start], 0), b)
}

// hasPair reports whether ticks of a text have no partner in it, but one in the block b right below it. Any has one in nil.
func hasPair(above, b []byte) bool {
	for at := bytes.IndexByte(above, '`'); at >= 0; at = bytes.IndexByte(above, '`') {
		n := runLength(above[at:])
		above = above[at+n:]
		if end := findRun(above, n); end >= 0 {
			above = above[end+n:]
		} else if b == nil || hasRun(b, n) { // without a partner its last ticks are a run of their own
			return true
		}
	}
	return false
}

// BelowBlank is what is below the last blank line of a text, and from an offset on. The sign of a quote alone is blank only in a
// quote, which begins behind a blank line itself.
func BelowBlank(src []byte, from int) []byte {
	text := src[max(0, len(src)-near):]
	if blank := bytes.LastIndex(text, []byte("\n\n")); blank >= 0 { // what is above it counts no more
		text = text[blank+2:]
	}
	at, end, first, above := 0, 0, -1, 0
	for line := range bytes.Lines(text) {
		quotes := 0
		if bytes.IndexByte(line, '>') >= 0 {
			quotes = bytes.Count(quoteLine().Find(line), []byte(">"))
		}
		end += len(line)
		if string(bytes.Trim(line, " \t>")) == "\n" && quotes <= max(0, min(first, above)) {
			at = end
		}
		if above = quotes; at == end && quotes == 0 {
			first = -1
		} else if first < 0 {
			first = quotes
		}
	}
	return src[max(from, len(src)-len(text)+at):]
}

// WithBlockAbove returns the block that begins at start and the one above it, if one blank line parts them: to some both are one table.
// https://github.com/redbug312/markdown-it-multimd-table#multibody
func WithBlockAbove(src []byte, start int) []byte {
	begin := bytes.LastIndexByte(src[:start], '\n') + 1
	end, _, _ := bytes.Cut(src[begin:], []byte("\n\n"))
	if begin > 1 && src[begin-2] == '\n' {
		return src[begin-1-len(BelowBlank(src[:begin-1], 0)) : begin+len(end)]
	}
	return src[begin : begin+len(end)]
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

// findRun returns where a run of n ticks begins in b, or -1.
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
