package note

import (
	"bytes"
	"sort"
	"strings"
)

// region is a stretch of a note in which no line is a marker, and why.
type region struct {
	Span
	reason Reason
}

// findRegion looks for the region that holds off; list is sorted and disjoint.
func findRegion(list []region, off int) (Reason, bool) {
	i := firstBehind(list, off)
	if i < len(list) && list[i].Start <= off {
		return list[i].reason, true
	}
	return "", false
}

// firstBehind is the index of the first region that ends behind off.
func firstBehind(list []region, off int) int {
	return sort.Search(len(list), func(i int) bool { return list[i].End > off })
}

const (
	tagName = "agent-response"
	openTag = "<!-- agent-response -->"
	endTag  = "<!-- /agent-response -->"
)

// tagAt reads a comment of a response block at the beginning of b. It returns the comment's length, 0 without one,
// and whether it is the closing one. It accepts any spaces and any case, because formatters and people change them.
func tagAt(b []byte) (length int, closing bool) {
	i := len("<!--")
	if !bytes.HasPrefix(b, []byte("<!--")) {
		return 0, false
	}
	i += countSpaces(b[i:])
	if i < len(b) && b[i] == '/' {
		closing = true
		i++
		i += countSpaces(b[i:])
	}
	if len(b) < i+len(tagName) || !strings.EqualFold(string(b[i:i+len(tagName)]), tagName) {
		return 0, false
	}
	i += len(tagName)
	i += countSpaces(b[i:])
	if !bytes.HasPrefix(b[i:], []byte("-->")) {
		return 0, false
	}
	return i + len("-->"), closing
}

func countSpaces(b []byte) int { return len(b) - len(bytes.TrimLeft(b, " \t")) }

// findResponses finds the response blocks: an opening comment that html says is one,
// and the next closing comment in any structure. A block without
// an end runs to the end of the note, and unclosed is its line, from 1.
func findResponses(t text, html []region) (blocks []Span, unclosed int) {
	opened, from := -1, t.textStart()
	for i := t.textStart(); ; {
		n := bytes.Index(t.src[i:], []byte("<!--"))
		if n < 0 {
			break
		}
		i += n
		length, closing := tagAt(t.src[i:])
		switch {
		case length == 0:
			i += len("<!--")
			continue
		case opened < 0 && !closing && i >= from && isHTML(html, i):
			opened = i
		case opened >= 0 && closing:
			end := t.span(t.lineAt(i)).End
			blocks = append(blocks, Span{t.starts[t.lineAt(opened)], end})
			opened, from = -1, end
		}
		i += length
	}
	if opened >= 0 {
		line := t.lineAt(opened)
		return append(blocks, Span{t.starts[line], len(t.src)}), line + 1
	}
	return blocks, 0
}

func isHTML(list []region, off int) bool {
	why, ok := findRegion(list, off)
	return ok && (why == Comment || why == HTML)
}
