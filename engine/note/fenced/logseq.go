package fenced

import "bytes"

// Ticks tells which code spans are such to Logseq: those on one line, without
// a backtick in them (one at a time between two) or a stray one before them on that line.
type Ticks struct {
	end      int  // of the last code span
	hasStray bool // on the line of end
}

// IsPlain reports whether Logseq takes the code of src from behind open, its last tick before it, to end for code too.
// It is asked for all spans of a text, from first to last.
func (l *Ticks) IsPlain(src []byte, open, end int) bool {
	begin := open
	for begin > l.end && src[begin-1] == '`' {
		begin--
	}
	before := src[min(l.end, begin):begin]
	if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
		before, l.hasStray = before[i:], false
	}
	l.hasStray = l.hasStray || bytes.IndexByte(before, '`') >= 0
	text := src[open+1 : end]
	isPlain := !l.hasStray && bytes.IndexByte(text, '\n') < 0 &&
		(bytes.IndexByte(text, '`') < 0 || open+1-begin == 2 && !bytes.Contains(text, []byte("``")))
	l.hasStray = !isPlain
	l.end = end
	for l.end < len(src) && (src[l.end] == ' ' || src[l.end] == '\n') {
		l.end++
	}
	for range open + 1 - begin {
		if l.end < len(src) && src[l.end] == '`' {
			l.end++
		}
	}
	return isPlain
}

// Elements are those of HTML that browsers know, old ones too: https://html.spec.whatwg.org/multipage/indices.html#elements-3.
// Logseq reads fewer (https://github.com/logseq/mldoc/blob/master/lib/syntax/raw_html.ml). Others, as in Box<dyn Fn()>, do nothing without an attribute.
const Elements = `a|abbr|acronym|address|applet|area|article|aside|audio|b|base|bdi|bdo|bgsound|big|blink|blockquote|body|br|button|canvas|caption|center|cite|code|col|colgroup|data|datalist|dd|del|details|dfn|dialog|dir|div|dl|dt|em|embed|fieldset|fencedframe|figcaption|figure|font|footer|form|frame|frameset|h[1-6]|head|header|hgroup|hr|html|i|iframe|image|img|input|ins|isindex|kbd|keygen|label|legend|li|link|listing|main|map|mark|marquee|math|menu|menuitem|meta|meter|nav|nobr|noembed|noframes|noscript|object|ol|optgroup|option|output|p|param|picture|plaintext|portal|pre|progress|q|rb|rp|rt|rtc|ruby|s|samp|script|search|section|select|selectedcontent|slot|small|source|spacer|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|time|title|tr|track|tt|u|ul|var|video|wbr|xmp`

// MayOpen reports whether Logseq may see a fence in a line of text.
func MayOpen(text []byte) bool {
	for line := range bytes.Lines(text) {
		for _, fence := range []string{"```", "~~~"} {
			if at := bytes.Index(line, []byte(fence)); at >= 0 && !proseLine().Match(line[:at+len(fence)]) {
				return true
			}
		}
	}
	return false
}

// proseLine begins with a word, so that a fence in it is text to Logseq. One in capitals may be that of a task.
var proseLine = expression(`^[ \t>*+.)0-9-]*(?:\p{Lu}|\p{Lu}?\p{Ll}+)[ ,]`)
