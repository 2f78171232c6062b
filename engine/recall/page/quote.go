package page

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note/wikilink"
	"vaultdispatcher/engine/recall/terms"
)

// QuoteRunes is how long a quote may be. One block that is longer is cut.
const QuoteRunes = 400

// Excerpt is what is shown of a chunk.
type Excerpt struct {
	Text               string
	Line               int
	Matched            uint64 // by any of the following
	TextTerms          uint64 // by the text
	IsFavoured         bool   // it or a heading has a word of decision or reason that the query asks for
	HasFavouredHeading bool   // a heading has
	IsBare             bool   // nothing but the note's name matches
}

// Quote chooses the blocks of a chunk that say most about q: first the one with
// most terms, with what introduces it and what it introduces, then one other
// that adds terms. usable says which blocks may be shown. A property or a
// bare link is worth showing where it has a term that the note's name lacks, or where
// the query names the note itself.
func (p *Page) Quote(c Chunk, q *terms.Query, named bool, room int, usable func(Block) bool) Excerpt {
	path := strings.Join(c.Path, "\n")
	name := q.Mask(strings.Join(p.Names, "\n") + "\n" + strings.Join(p.Tags, "\n") + "\n" + path)
	favoured := q.HasFavouredWord(path)
	masks := make(map[int]uint64)
	mayBe := usable
	usable = func(b Block) bool { return mayBe(b) && !p.isMap(b) }
	best, most := -1, 0
	for i := c.Start; i < c.End; i++ {
		text := p.Text(p.Blocks[i])
		if !terms.HasWords(text) || !usable(p.Blocks[i]) {
			continue
		}
		masks[i] = q.Mask(text)
		worth := 1 + 6*bits.OnesCount64(masks[i]&^name) + 3*bits.OnesCount64(masks[i])
		if q.HasFavouredWord(text) {
			worth += 2
		}
		if masks[i]&^name == 0 && isThin(p.Blocks[i], text) {
			if worth = 0; named && p.isTelling(p.Blocks[i]) {
				worth = 1
			}
		}
		if worth > most {
			best, most = i, worth
		}
	}
	if best < 0 {
		return Excerpt{Matched: name, IsFavoured: favoured, HasFavouredHeading: favoured, IsBare: true}
	}
	s := selection{p: p, usable: usable, room: cmp.Or(room, QuoteRunes)}
	s.addBlock(best)
	s.addSurroundings(best)
	for i := best + 1; named && i < c.End && p.Blocks[best].kind == property; i++ {
		if p.isTelling(p.Blocks[i]) && s.hasRoomFor(i) {
			s.addBlock(i)
		}
	}
	s.takeFurther(c, masks, name|s.maskOf(q))
	if room > QuoteRunes {
		s.fillRoom(c)
	}
	text := s.writeQuote(q)
	said := q.Mask(text)
	return Excerpt{
		Text: text, Line: s.firstLine(), Matched: name | said, TextTerms: said, IsFavoured: favoured || q.HasFavouredWord(text), HasFavouredHeading: favoured,
		IsBare: p.Blocks[best].kind == property && masks[best]&^name == 0,
	}
}

// takeFurther adds the block that brings most terms to those of have.
func (s *selection) takeFurther(c Chunk, masks map[int]uint64, have uint64) {
	next, gain := -1, 0
	for i := c.Start; i < c.End; i++ {
		if n := bits.OnesCount64(masks[i] &^ have); n > gain && s.hasRoomFor(i) {
			next, gain = i, n
		}
	}
	if next >= 0 {
		s.addBlock(next)
	}
}

// fillRoom adds the blocks of a chunk in their order, from the chosen ones on and
// then from its beginning, as far as they fit.
func (s *selection) fillRoom(c Chunk) {
	from := s.chosen[len(s.chosen)-1]
	for i := from; i < c.End; i++ {
		if s.hasRoomFor(i) {
			s.addBlock(i)
		}
	}
	for i := c.Start; i < from; i++ {
		if s.hasRoomFor(i) {
			s.addBlock(i)
		}
	}
}

// otherLinks are links without double brackets.
var otherLinks = lazyregexp.New(`!?\[[^\]]*\]\([^)]*\)|https?://\S+|\{\{.*?\}\}`)

// hasOnlyLinks reports whether a text says nothing: links say nothing by themselves.
func hasOnlyLinks(text string) bool {
	return !terms.HasWords(otherLinks().ReplaceAllString(wikilink.Remove(text), ""))
}

// isThin reports whether a block only names things.
func isThin(b Block, text string) bool {
	if b.kind == property {
		return true
	}
	start := strings.IndexAny(text, "![{h") // no markup is before it
	if start < 0 || terms.HasWords(text[:start]) || len(text) > QuoteRunes || !strings.ContainsAny(text, "[{:") {
		return false
	}
	return hasOnlyLinks(text)
}

// isTelling reports whether a property says something about the note's subject,
// and not only when it was written and from where.
func (p *Page) isTelling(b Block) bool {
	key, _, _ := strings.Cut(p.text[b.Span.Start:b.Span.End], ":")
	switch strings.ToLower(key) {
	case "url", "source", "created", "updated", "modified", "date", "cssclass", "cssclasses", "publish", "wiki":
		return false
	}
	return b.kind == property
}

// selection is a growing set of blocks of one page.
type selection struct {
	p      *Page
	usable func(Block) bool
	chosen []int // in the order of the note
	size   int   // runes
	room   int   // for that many
	start  int   // those before it introduce what is quoted, and are cut
	isCut  bool  // more is below the last one
}

func (s *selection) maskOf(q *terms.Query) uint64 {
	var m uint64
	for _, i := range s.chosen {
		m |= q.Mask(s.p.Text(s.p.Blocks[i]))
	}
	return m
}

func (s *selection) hasRoomFor(i int) bool {
	if slices.Contains(s.chosen, i) || !s.usable(s.p.Blocks[i]) {
		return false
	}
	text := s.p.Text(s.p.Blocks[i])
	return terms.HasWords(text) && s.size+utf8.RuneCountInString(text)+4 <= s.room
}

func (s *selection) addBlock(i int) {
	s.size += utf8.RuneCountInString(s.p.Text(s.p.Blocks[i])) + 4
	at, _ := slices.BinarySearch(s.chosen, i)
	s.chosen = slices.Insert(s.chosen, at, i)
}

// addSurroundings adds the blocks that introduce a block, up to two steps, and those
// that it introduces, as far as they fit.
func (s *selection) addSurroundings(i int) {
	for up, steps := s.p.Blocks[i].lead, 0; up >= 0 && steps < 2 && s.hasRoomFor(up); up, steps = s.p.Blocks[up].lead, steps+1 {
		s.addBlock(up)
	}
	for n := i + 1; n < len(s.p.Blocks) && s.isBelow(i, n) && s.hasRoomFor(n); n++ {
		s.addBlock(n)
	}
}

// isBelow reports whether block i introduces block n, directly or through others.
func (s *selection) isBelow(i, n int) bool {
	for l := s.p.Blocks[n].lead; l >= i; l = s.p.Blocks[l].lead { // each lead is above the block it introduces
		if l == i {
			return true
		}
	}
	return false
}

func (s *selection) firstLine() int { return s.p.Blocks[s.chosen[0]].Line }

// writeQuote writes the chosen blocks one after the other. An ellipsis
// replaces the blocks left out between them.
func (s *selection) writeQuote(q *terms.Query) string {
	indent := 1 << 20
	for _, i := range s.chosen {
		if b := s.p.Blocks[i]; b.kind != quoted {
			indent = min(indent, b.depth)
		}
	}
	out := ""
	for n, i := range s.chosen {
		b := s.p.Blocks[i]
		withHead := n == 0 || s.p.Blocks[s.chosen[n-1]].head != b.head
		if n > 0 {
			if withHead || b.kind != fence {
				out = closeFences(out) // or the next code would seem to end this
			}
			out += s.separator(s.chosen[n-1], i)
		}
		text := s.p.showBlock(b, indent, withHead)
		if n := utf8.RuneCountInString(text); n > s.room || i < s.start && n > QuoteRunes {
			text = cutBlock(b, text, q)
		}
		out += text
	}
	if s.isCut {
		out = closeFences(out) + "\n\n…"
	}
	return closeFences(strings.Trim(out, "\n"))
}

// separator returns the text between two chosen blocks.
func (s *selection) separator(a, b int) string {
	if x, y := s.p.Blocks[a], s.p.Blocks[b]; b == a+1 && x.kind == y.kind && (x.kind == item || x.kind == row || x.kind == property) {
		return "\n"
	}
	if b == a+1 || s.p.Blocks[b].lead == a {
		if s.p.Blocks[a].kind == item && s.p.Blocks[b].kind == item {
			return "\n"
		}
		return "\n\n"
	}
	return "\n\n…\n\n"
}
