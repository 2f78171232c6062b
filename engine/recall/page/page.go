// Package page takes a note apart into the pieces that are indexed, and quotes
// them: blocks, chunks of blocks under one heading, the names and links of the
// note, and the text of a block as it may be shown.
//
// Most callers need two calls: [Parse] makes a [Page] of the bytes of a note, and
// [Page.Quote] chooses the blocks of a chunk that say most about a query.
//
// # Promises
//
// A question, its answer and a comment are neither indexed nor quoted (engine/recall/evidence).
// A quote consists of whole blocks, up to [QuoteRunes] characters; only a single
// block that is longer is cut. A quote leaves no code fence open. Code in it is the note's own, byte for
// byte, and each link leads where it leads in the note ([Page.Reader]).
//
// The room is pure: no I/O, no clock. A wrong guess about a block makes a passage
// longer or shorter and changes no note.
package page

import (
	"bytes"
	"crypto/sha256"
	"path"
	"strings"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/recall/terms"
)

// Page is a note taken apart: blocks in the order of the text, grouped into chunks.
type Page struct {
	Source     []byte
	text       string   // the same
	Title      string   // of the front matter, else the file's name
	Names      []string // names that links may use: file name, title, aliases
	Tags       []string
	References []Reference // links to other notes, each once
	linked     map[Reference]bool
	Blocks     []Block
	Chunks     []Chunk
	Comments   []note.Span // from the first mark to the last, in their order; none touches another
	Dates      []string    // properties that are one, such as "created: 2026-11-22"
	parts      []part
	rel        string

	Reader   string // the note in which it is quoted, as a path in the vault; "" = somewhere in the vault's own folder
	IsUnique bool   // no other note of the vault has its file name
}

// part is the text below a heading.
type part struct {
	line int      // of the heading, from 1
	path []string // as in a chunk
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

// Block is the smallest thing that is quoted whole.
type Block struct {
	kind  kind
	Span  note.Span // whole lines, without the last line end
	Line  int       // of its first line, from 1
	depth int       // columns an item is indented
	lead  int       // the block that introduces this one, -1 for none
	head  note.Span // lines it cannot be read without: a table's header, a fence's first line
	close string    // the mark that ends a fence
	part  int       // heading above it: index into the scanner's sections
}

// IsProse reports whether a block is neither code nor a property.
func (b Block) IsProse() bool { return b.kind != property && b.kind != fence }

// Chunk is a run of blocks under one heading, the unit that is found.
type Chunk struct {
	Path       []string // headings above, outermost first, as written in the note
	Start, End int      // blocks
}

// chunkWords is how long a chunk grows before the next block opens another one.
const chunkWords = 400

// splitBytes is the size from which one block is cut at line ends. Quotes are
// far shorter; it only keeps a long log or table from being one passage.
const splitBytes = 2000

// Parse takes a note apart. rel names it and lends it a title.
func Parse(rel string, src []byte) *Page { return Read(rel, note.NewPage(src)) }

// Read is [Parse] for a note that others read too.
func Read(rel string, from *note.Page) *Page {
	stem := strings.TrimSuffix(path.Base(rel), path.Ext(rel))
	p := &Page{rel: rel, Source: from.Text, Title: stem, Names: []string{stem}}
	sections := p.scanBlocks(from)
	for i := 0; i < len(p.Blocks); {
		from, words := i, 0
		part := p.Blocks[i].part
		for i < len(p.Blocks) && p.Blocks[i].part == part && (p.Blocks[i].kind == property) == (p.Blocks[from].kind == property) {
			n := countWords(p.Source[p.Blocks[i].Span.Start:p.Blocks[i].Span.End])
			if i > from && words+n > chunkWords {
				break
			}
			words += n
			i++
		}
		p.Chunks = append(p.Chunks, Chunk{Path: sections[part], Start: from, End: i})
	}
	if len(p.Chunks) == 0 { // found by its name all the same
		p.Chunks = []Chunk{{}}
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
	words := wide / 2
	for range bytes.FieldsSeq(text) {
		words++
	}
	return words
}

// Breadcrumb is the breadcrumb of a chunk. A first heading that only repeats the
// title is left out.
func (p *Page) Breadcrumb(c Chunk) string {
	var parts []string
	for i, h := range c.Path {
		h = PlainHeading(h)
		if h == "" || i == 0 && RepeatsTitle(p.Title, h) {
			continue
		}
		parts = append(parts, h)
	}
	return strings.Join(parts, " › ")
}

// HeadingsAbove is the breadcrumb of a line, counted from 1, with the title's heading.
func (p *Page) HeadingsAbove(line int) string {
	var parts []string
	for i := len(p.parts) - 1; i >= 0; i-- {
		if p.parts[i].line > line {
			continue
		}
		for _, h := range p.parts[i].path {
			if h = PlainHeading(h); h != "" {
				parts = append(parts, h)
			}
		}
		break
	}
	return strings.Join(parts, " › ")
}

// Heading is a heading of a note, with those above it.
type Heading struct {
	Line int      // from 1
	Path []string // outermost first, as written in the note
}

// Headings returns the headings of a note in their order.
func (p *Page) Headings() []Heading {
	var list []Heading
	for _, part := range p.parts {
		if len(part.path) > 0 {
			list = append(list, Heading{part.line, part.path})
		}
	}
	return list
}

// RepeatsTitle reports whether a note's first heading says no more than its title,
// which may have a date before it.
func RepeatsTitle(title, heading string) bool {
	return strings.HasSuffix(strings.ToLower(title), strings.ToLower(heading))
}

// Text returns the lines of a block that may be shown, without their comments, after the head it needs.
func (p *Page) Text(b Block) string { return p.readText(b, "") }

// TextWithGaps is Text with an empty line for each line that is not shown, and with those that open and close a block of Org.
func (p *Page) TextWithGaps(b Block) string { return p.readText(b, "\n") }

// readText are the lines of a block that may be shown, and for each other line what is given.
func (p *Page) readText(b Block, gap string) string {
	var out strings.Builder
	out.Grow(b.Span.End - b.Span.Start + 1)
	for _, s := range b.readSpans(true) {
		at := s.Start
		for l := range strings.Lines(p.text[s.Start:s.End]) {
			shown := p.withoutComments(note.Span{Start: at, End: at + len(l)})
			if isShown(l) && (shown == l || isShown(shown)) && (!note.IsBookkeeping(strings.TrimSpace(l)) || gap != "" && strings.HasPrefix(bareLine(l), "#+")) {
				out.WriteString(shown)
			} else {
				out.WriteString(gap)
			}
			at += len(l)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// readSpans are the parts of the note that a block is read from. The first piece of a fence holds its head already.
func (b Block) readSpans(withHead bool) []note.Span {
	if withHead && b.head != (note.Span{}) && b.head.Start != b.Span.Start {
		return []note.Span{b.head, b.Span}
	}
	return []note.Span{b.Span}
}

// Fields are the indexed texts of a chunk, one for each column but that of the title. Hash identifies the text of the chunk
// and its headings. It does not depend on the path or the name of the note, nor on lines that are not shown.
type Fields struct {
	Heading string
	Body    terms.Body
	Hash    [sha256.Size]byte
}

func (p *Page) IndexFields(c Chunk) (f Fields) {
	heads, all, head := []byte(nil), make([]byte, 0, 4<<10), note.Span{}
	for _, h := range c.Path {
		heads = append(append(heads, terms.IndexedName(shownHeading(h))...), ' ')
		all = append(append(all, h...), '\n')
	}
	f.Heading = string(heads)
	f.Body.Text = make([]byte, 0, 2<<10)
	for _, b := range p.Blocks[c.Start:c.End] {
		text := p.Text(b)
		if text != "\n" {
			all = append(all, text...)
		}
		if b.head != head {
			head = b.head
		} else if head != (note.Span{}) {
			b.head = note.Span{} // a table's header counts once
			text = p.Text(b)
		}
		f.Body.Add(text)
	}
	f.Hash = sha256.Sum256(all)
	return f
}

// NameField is the title field, the same for every chunk of the note.
func (p *Page) NameField() string {
	var out []string
	for i, n := range p.Names {
		if i > 0 && strings.EqualFold(n, p.Names[0]) {
			continue
		}
		out = append(out, terms.IndexedName(n))
	}
	for _, t := range p.Tags {
		out = append(out, terms.IndexedName(t))
	}
	return strings.Join(out, " ")
}
