package page

import (
	"slices"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/recall/terms"
)

// A piece is quoted whole up to so many lines and characters. The steps of an ordered list remain together, so they
// may be more. Up to pieceLeads blocks that introduce the piece precede it, each of up to [QuoteRunes].
const (
	pieceLines = 15
	pieceRunes = 1500
	pieceLeads = 3
	stepLines  = 40
	stepRunes  = 4000
)

// Piece is a part of a note that answers by itself.
type Piece struct {
	Chunk   Chunk
	Text    string
	Matched uint64 // terms in the text, the names, the tags and the headings above
	Named   uint64 // terms in the names and the headings
	IsThin  bool   // the text only links
}

// Around says where in a note a piece is looked for, and how.
type Around struct {
	Line       int // the first one of the passage that was found
	Start, End int // lines that are not quoted; 0 = all may be
	Asks       terms.Kind
}

// foundHere is what it counts for a chunk that the search has found it.
const foundHere = 0.3

// Piece finds the block of a note that says most about q and returns the whole that it belongs to, so that the answer
// is not cut: a short section, all steps of a list, a table's row with its header, the text after a colon. If the
// block only repeats the names and the vault lacks other words of q, the note's first paragraph replaces it: it says
// in its own words what the thing is.
func (p *Page) Piece(q *terms.Query, around Around) Piece {
	s := selection{p: p, room: pieceRunes, usable: func(b Block) bool {
		last := b.Line + strings.Count(p.text[b.Span.Start:b.Span.End], "\n")
		return (last < around.Start || b.Line > around.End) && !p.isMap(b)
	}}
	names := q.Mask(strings.Join(p.Names, "\n") + "\n" + strings.Join(p.Tags, "\n"))
	best, most, out := -1, 0.0, Piece{Matched: names, Named: names}
	for _, c := range p.Chunks {
		above := names | q.Mask(strings.Join(c.Path, "\n"))
		i, worth := s.tellingBlock(c, q, above, around.Asks)
		worth += 1.5 * q.ShareOf(above&^names)
		if c.Start < c.End && p.Blocks[c.Start].Line <= around.Line && around.Line <= p.Blocks[c.End-1].Line {
			worth += foundHere
		}
		if i >= 0 && worth > most {
			best, most = i, worth
			out.Chunk, out.Named = c, above
		}
	}
	if best < 0 {
		return out
	}
	if text := p.Text(p.Blocks[best]); p.Blocks[best].kind != property && q.Mask(text)&^out.Named == 0 && len(q.UnknownWords()) > 0 &&
		around.Asks != terms.Steps && !around.Asks.IsIn(text) {
		if first, c := s.introduction(); first >= 0 {
			best, out.Chunk, out.Named = first, c, names|q.Mask(strings.Join(c.Path, "\n"))
		}
	}
	s.addPiece(best)
	out.Text = s.writeQuote(q)
	out.Matched = out.Named | q.Mask(out.Text)
	out.IsThin = hasOnlyLinks(out.Text)
	return out
}

// introduction returns the first paragraph with words and its chunk, or -1.
func (s *selection) introduction() (int, Chunk) {
	for _, c := range s.p.Chunks {
		for i := c.Start; i < c.End; i++ {
			b := s.p.Blocks[i]
			if text := s.p.Text(b); b.kind == paragraph && s.usable(b) && terms.HasWords(text) && !isThin(b, text) {
				return i, c
			}
		}
	}
	return -1, Chunk{}
}

// addPiece adds a block with what it is quoted with.
func (s *selection) addPiece(best int) {
	from, to := s.widen(best)
	s.start = from
	s.addBlock(best)
	for i := from; i < to; i++ {
		b := s.p.Blocks[i]
		if i != best && s.usable(b) && terms.HasWords(s.p.Text(b)) && (b.kind != property || s.p.isTelling(b)) {
			s.addBlock(i)
		}
	}
	for up, n := s.p.Blocks[s.chosen[0]].lead, 0; up >= 0 && n < pieceLeads && s.usable(s.p.Blocks[up]); up, n = s.p.Blocks[up].lead, n+1 {
		s.addBlock(up)
	}
}

// tellingBlock returns the block of a chunk that says most about q and how much, -1 where none says
// anything. What the names of the note say already counts less.
func (s *selection) tellingBlock(c Chunk, q *terms.Query, names uint64, asks terms.Kind) (best int, most float64) {
	best = -1
	defined := false // by the first paragraph
	for i := c.Start; i < c.End; i++ {
		b := s.p.Blocks[i]
		text := s.p.Text(b)
		if !s.usable(b) || !terms.HasWords(text) {
			continue
		}
		if b.kind == property {
			text = propertyInWords(text)
		}
		mask := q.Mask(text)
		worth := 0.01 + 2*q.ShareOf(mask&^names) + 0.5*q.ShareOf(mask&names)
		switch {
		case b.kind == property && mask&^names == 0 && !s.p.isTelling(b), b.kind != property && isThin(b, text):
			worth = 0.001
		case asks == terms.Definition && isDefinition(text, q), b.kind == property && q.HasDeed(mask):
			worth += 2
		case asks == terms.Definition && !defined && b.kind != property && b.kind != row && q.ShareOf(names) >= 0.9:
			defined = true
			worth++
		case asks == terms.Listing && s.announces(i), asks == terms.Steps && s.isStep(i):
			worth += 0.6
		case q.HasFavouredWord(text), asks.IsIn(text):
			worth += 0.3
		}
		if q.HasAct(mask) {
			worth += 0.3
		}
		if worth > most {
			best, most = i, worth
		}
	}
	return best, most
}

var bold = lazyregexp.New(`\*\*([^*\n]+)\*\*|__([^_\n]+)__`)

// BoldTerms returns the first terms of a text in bold type.
func BoldTerms(text string) (list []string) {
	for _, m := range bold().FindAllStringSubmatch(text, 4) {
		list = append(list, m[1]+m[2])
	}
	return list
}

// isDefinition reports whether a block has a term of q in bold type.
func isDefinition(text string, q *terms.Query) bool {
	return slices.ContainsFunc(BoldTerms(text), func(term string) bool { return q.ShareOf(q.Mask(term)) >= 0.5 })
}

// widen returns the run of blocks that block i is quoted with.
func (s *selection) widen(i int) (from, to int) {
	blocks := s.p.Blocks
	from, to = i, i+1
	same := func(n int) bool {
		return blocks[n].part == blocks[i].part && (blocks[n].kind == property) == (blocks[i].kind == property)
	}
	for from > 0 && same(from-1) {
		from--
	}
	for to < len(blocks) && same(to) {
		to++
	}
	if s.fits(from, to, pieceLines, pieceRunes) {
		return from, to
	}
	if steps, end := s.stepsAround(i, from, to); end > steps && s.fits(steps, end, stepLines, stepRunes) {
		s.room = stepRunes
		return steps, end
	}
	if first, end := s.tableAround(i, from, to); blocks[i].kind == row && s.fits(first, end, pieceLines, pieceRunes) {
		return first, end
	}
	return s.climb(i, to)
}

// climb returns the widest block that introduces block i, or that it is itself, with all that it
// introduces, as far as that is short; where none is, block i with the first ones that it introduces. What is farther away than stepLines blocks never is.
func (s *selection) climb(i, limit int) (from, to int) {
	from, to = i, i+1
	for at := i; at >= 0 && i-at <= stepLines; at = s.p.Blocks[at].lead {
		end, announced := at+1, s.announces(at)
		for end < limit && end-at <= stepLines && (s.isBelow(at, end) || announced && (end == at+1 || s.belongs(at+1, end))) {
			end++
		}
		lines, runes := pieceLines, pieceRunes
		switch {
		case announced && at+1 < limit && s.isStep(at+1):
			lines, runes = stepLines, stepRunes
		case s.endsInColon(at): // a list of short lines
			lines = stepLines
		}
		if end > i && s.fits(at, end, lines, runes) {
			from, to, s.room = at, end, runes
		}
	}
	if to > i+1 || from < i {
		return from, to
	}
	for to < limit && s.isBelow(i, to) && s.fits(i, to+1, pieceLines, pieceRunes) { // what it introduces, as far as that fits
		to++
	}
	s.isCut = to < limit && s.isBelow(i, to)
	return from, to
}

// stepsAround returns the ordered list that block i is in, or an empty run.
func (s *selection) stepsAround(i, from, to int) (first, end int) {
	blocks := s.p.Blocks
	top := -1
	for at := i; at >= 0 && blocks[at].kind == item; at = blocks[at].lead {
		if s.isStep(at) {
			top = at
		}
	}
	if top < 0 {
		return i, i
	}
	first, end = top, top+1
	within := func(n int) bool {
		return s.isStep(n) && blocks[n].depth == blocks[top].depth || blocks[n].depth > blocks[top].depth
	}
	for first > from && within(first-1) {
		first--
	}
	for end < to && within(end) {
		end++
	}
	if i < first || end <= i { // something between them ends the list
		return i, i
	}
	return first, end
}

// tableAround returns the rows of the table that block i is a row of.
func (s *selection) tableAround(i, from, to int) (first, end int) {
	first, end = i, i+1
	for first > from && s.p.Blocks[first-1].kind == row && s.p.Blocks[first-1].head == s.p.Blocks[i].head {
		first--
	}
	for end < to && s.p.Blocks[end].kind == row && s.p.Blocks[end].head == s.p.Blocks[i].head {
		end++
	}
	return first, end
}

// isStep reports whether a block is an item of an ordered list.
func (s *selection) isStep(i int) bool {
	b := s.p.Blocks[i]
	text := strings.TrimLeft(s.p.text[b.Span.Start:b.Span.End], " \t")
	return b.kind == item && text != "" && text[0] >= '0' && text[0] <= '9'
}

// fits reports whether a run of blocks is short enough to be quoted whole, with the heads they need.
func (s *selection) fits(from, to, lines, runes int) bool {
	for i := from; i < to; i++ {
		b := s.p.Blocks[i]
		for _, span := range b.readSpans(i == from || s.p.Blocks[i-1].head != b.head) {
			text := strings.TrimSpace(s.p.text[span.Start:span.End])
			lines -= strings.Count(text, "\n") + 1
			runes -= utf8.RuneCountInString(text)
		}
		if lines < 0 || runes < 0 {
			return false
		}
	}
	return true
}
