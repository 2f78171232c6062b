package recall

import (
	"bytes"
	"crypto/sha256"
	"path"
	"strings"

	"vaultdispatcher/engine/note"
)

// page is a note taken apart: blocks in the order of the text, grouped into
// chunks. It refers to the bytes it was made from and copies none.
type page struct {
	src    []byte
	title  string   // of the front matter, else the file's name
	names  []string // what the note answers to: file name, title, aliases
	tags   []string
	refs   []reference // links to other notes, each once
	linked map[reference]bool
	blocks []block
	chunks []chunk
}

type kind uint8

const (
	paragraph kind = iota
	quoted
	item
	row      // of a table
	fence    // code or mathematics
	property // a key of the front matter
)

// block is the smallest thing that is quoted whole.
type block struct {
	kind  kind
	span  note.Span // whole lines, without the last line end
	line  int       // of its first line, from 1
	depth int       // columns an item is indented
	lead  int       // the block that introduces this one, -1 for none
	head  note.Span // lines it cannot be read without: a table's header, a fence's first line
	close string    // what ends a fence
	part  int       // heading it stands under: index into the scanner's sections
}

// chunk is a run of blocks under one heading, the unit that is found.
type chunk struct {
	path     []string // headings above, outermost first, as written in the note
	from, to int      // blocks
}

// chunkWords is how long a chunk grows before the next block opens another one.
const chunkWords = 400

// splitBytes is the size from which one block is cut at line ends. Quotes are
// far shorter; it only keeps a long log or table from being one passage.
const splitBytes = 2000

// parsePage takes a note apart. rel names it and lends it a title.
func parsePage(rel string, src []byte) *page {
	stem := strings.TrimSuffix(path.Base(rel), path.Ext(rel))
	p := &page{src: src, title: stem, names: []string{stem}}
	sections := p.scan()
	for i := 0; i < len(p.blocks); {
		from, words := i, 0
		part := p.blocks[i].part
		for i < len(p.blocks) && p.blocks[i].part == part && (p.blocks[i].kind == property) == (p.blocks[from].kind == property) {
			n := countWords(p.src[p.blocks[i].span.Start:p.blocks[i].span.End])
			if i > from && words+n > chunkWords {
				break
			}
			words += n
			i++
		}
		p.chunks = append(p.chunks, chunk{path: sections[part], from: from, to: i})
	}
	if len(p.chunks) == 0 { // found by its name all the same
		p.chunks = []chunk{{}}
	}
	return p
}

// countWords takes three bytes of other scripts for half a word.
func countWords(text []byte) int {
	wide := 0
	for _, c := range text {
		if c >= 0xe0 {
			wide++
		}
	}
	return len(bytes.Fields(text)) + wide/2
}

// heading is the breadcrumb of a chunk. A first heading that only repeats the
// title is left out.
func (p *page) heading(c chunk) string {
	var parts []string
	for i, h := range c.path {
		h = plainHeading(h)
		if h == "" || i == 0 && repeats(p.title, h) {
			continue
		}
		parts = append(parts, h)
	}
	return strings.Join(parts, " › ")
}

// repeats reports whether a note's first heading says no more than its title,
// which may have a date before it.
func repeats(title, heading string) bool {
	return strings.HasSuffix(strings.ToLower(title), strings.ToLower(heading))
}

// text is what a block says: its lines that may be shown, and the head it needs.
func (p *page) text(b block) string {
	var out strings.Builder
	for _, s := range b.spans(true) {
		for line := range bytes.Lines(p.src[s.Start:s.End]) {
			if l := string(line); shown(l) && !noise(strings.TrimSpace(l)) {
				out.WriteString(l)
			}
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// spans are the parts of the note that a block is read from. The first piece of
// a fence holds its head already.
func (b block) spans(withHead bool) []note.Span {
	if withHead && b.head != (note.Span{}) && b.head.Start != b.span.Start {
		return []note.Span{b.head, b.span}
	}
	return []note.Span{b.span}
}

// content tells the text of a chunk from every other: what stands under which
// headings, wherever the note may be and whatever it is called.
func (p *page) content(c chunk) []byte {
	h := sha256.New()
	for _, head := range c.path {
		h.Write([]byte(head + "\n"))
	}
	for _, b := range p.blocks[c.from:c.to] {
		h.Write([]byte(p.text(b)))
	}
	return h.Sum(nil)[:16]
}

// fields are the indexed texts of a chunk, one for each column.
type fields struct {
	title, heading string
	body           []byte // words of the text that are their own stem
	inflected      []byte // stems of the others, each followed by the word as it stands
	words          int    // of the text
}

func (p *page) fields(c chunk) (f fields) {
	f.title = p.nameField()
	var heads []byte
	for _, h := range c.path {
		heads = append(append(heads, indexedName(h)...), ' ')
	}
	f.heading = string(heads)
	head := note.Span{}
	for _, b := range p.blocks[c.from:c.to] {
		if b.head == head {
			b.head = note.Span{} // a table's header counts once
		} else {
			head = b.head
		}
		f.add(p.text(b))
	}
	return f
}

// nameField is the title field, the same for every chunk of the note.
func (p *page) nameField() string {
	var out []string
	for i, n := range p.names {
		if i > 0 && strings.EqualFold(n, p.names[0]) {
			continue
		}
		out = append(out, indexedName(n))
	}
	for _, t := range p.tags {
		out = append(out, indexedName(t))
	}
	return strings.Join(out, " ")
}
