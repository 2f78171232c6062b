package note

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Page is one version of a note, and what was read of it: each thing when it is first asked for, and once. Code that
// sees the same bytes hands the page on instead of the bytes. One goroutine at a time uses it.
type Page struct {
	Text []byte // it never changes

	whole            *reading
	properties       PropertyList
	isListed, isYAML bool // of the properties
}

// NewPage returns the page of a note. It reads nothing yet.
func NewPage(src []byte) *Page { return &Page{Text: src} }

// OnRead is told of each note whose structure is read. Only a test sets it, before it has something read.
var OnRead = func(src []byte) {}

func (p *Page) read() *reading {
	if p.whole == nil {
		OnRead(p.Text)
		p.whole = readNote(markdown, newText(p.Text))
	}
	return p.whole
}

// Doc returns the markers of the note, and the lines that were probably meant to be one. It never fails: what cannot be
// read safely has no markers, and its near misses say why. Its lists are those of the page: no caller changes them.
func (p *Page) Doc() Doc {
	if !bytes.Contains(p.Text, needle) {
		return Doc{}
	}
	return p.read().doc
}

// Cut is Doc for a caller that knows that some lines of a question must not be asked or replaced. lines returns how
// many lines of a marker its answer replaces, the first included. It can only lower the number that Doc has found.
func (p *Page) Cut(lines func(Marker) int) (doc Doc) {
	if doc = p.Doc(); len(doc.Markers) == 0 {
		return doc
	}
	defer func() {
		if fault := recover(); fault != nil {
			doc = unread(p.whole.text, fault).doc
		}
	}()
	n := *p.read()
	n.doc.Markers = slices.Clone(doc.Markers)
	n.cutSpans(lines)
	n.finishMarkers()
	return n.doc
}

// Tree returns the blocks of the note, at offsets of Text, without those of the properties; nil if they could not be read.
func (p *Page) Tree() ast.Node { return p.read().lay.root }

// Why returns the reason for which something at an offset could be no marker, or "": it is in code, a comment, an answer,
// the properties or the like, or the structure could not be read.
func (p *Page) Why(off int) Reason {
	why, _ := p.read().findHidingRegion(off)
	return why
}

// Hides reports whether something at an offset could be no marker ([Page.Why]).
func (p *Page) Hides(off int) bool { return p.Why(off) != "" }

// IsExample reports whether what is at an offset is only told about: it is in code, a formula, a comment or an answer.
func (p *Page) IsExample(off int) bool {
	if p.Tree() == nil {
		return true
	}
	why, ok := p.read().regionAt(off)
	return ok && why != HTML
}

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
