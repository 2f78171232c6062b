package recall

import (
	"cmp"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// quoteRunes is how long a quote may be. One block that is longer is cut.
const quoteRunes = 400

// excerpt is what is shown of a chunk.
type excerpt struct {
	text    string
	line    int
	matched uint64 // by any of the following
	said    uint64 // by the text
	favours bool   // it or a heading has a word of decision or reason that the query asks for
	headed  bool   // a heading has
	bare    bool   // nothing but the note's name matches
}

// pick chooses the blocks of a chunk that say most about q: first the one with
// most terms, with what introduces it and what it introduces, then one other
// that adds terms. usable says which blocks may be shown. What only names
// things, a property or a bare link, is worth showing where it has a term that
// the note's name has not, or where the note itself was asked for.
func (p *page) pick(c chunk, q *query, named bool, room int, usable func(block) bool) excerpt {
	path := strings.Join(c.path, "\n")
	name := q.mask(strings.Join(p.names, "\n") + "\n" + strings.Join(p.tags, "\n") + "\n" + path)
	favoured := q.favours(path)
	masks := make(map[int]uint64)
	best, most := -1, 0
	for i := c.from; i < c.to; i++ {
		text := p.text(p.blocks[i])
		if !hasWords(text) || !usable(p.blocks[i]) {
			continue
		}
		masks[i] = q.mask(text)
		worth := 1 + 6*bits.OnesCount64(masks[i]&^name) + 3*bits.OnesCount64(masks[i])
		if q.favours(text) {
			worth += 2
		}
		if masks[i]&^name == 0 && thin(p.blocks[i], text) {
			if worth = 0; named && p.telling(p.blocks[i]) {
				worth = 1
			}
		}
		if worth > most {
			best, most = i, worth
		}
	}
	if best < 0 {
		return excerpt{matched: name, favours: favoured, headed: favoured, bare: true}
	}
	s := selection{p: p, usable: usable, room: cmp.Or(room, quoteRunes)}
	s.take(best)
	s.surround(best)
	for i := best + 1; named && i < c.to && p.blocks[best].kind == property; i++ {
		if p.telling(p.blocks[i]) && s.fits(i) {
			s.take(i)
		}
	}
	s.takeFurther(c, masks, name|s.mask(q))
	if room > quoteRunes {
		s.fill(c)
	}
	text := s.render(q)
	said := q.mask(text)
	return excerpt{
		text: text, line: s.firstLine(), matched: name | said, said: said, favours: favoured || q.favours(text), headed: favoured,
		bare: p.blocks[best].kind == property && masks[best]&^name == 0,
	}
}

// takeFurther adds the block that brings most terms to those of have.
func (s *selection) takeFurther(c chunk, masks map[int]uint64, have uint64) {
	next, gain := -1, 0
	for i := c.from; i < c.to; i++ {
		if n := bits.OnesCount64(masks[i] &^ have); n > gain && s.fits(i) {
			next, gain = i, n
		}
	}
	if next >= 0 {
		s.take(next)
	}
}

// links are what a line may hold without saying anything.
var links = regexp.MustCompile(`!?\[\[[^\]]*\]\]|!?\[[^\]]*\]\([^)]*\)|https?://\S+|\{\{.*?\}\}`)

// thin reports whether a block only names things.
func thin(b block, text string) bool {
	if b.kind == property {
		return true
	}
	if len(text) > quoteRunes || !strings.ContainsAny(text, "[{:") {
		return false
	}
	return !hasWords(links.ReplaceAllString(text, ""))
}

func hasWords(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return scriptOf(r) != gap }) >= 0
}

// telling reports whether a property says something about the note's subject,
// and not only when it was written and from where.
func (p *page) telling(b block) bool {
	key, _, _ := strings.Cut(string(p.src[b.span.Start:b.span.End]), ":")
	switch strings.ToLower(key) {
	case "url", "source", "created", "updated", "modified", "date", "cssclass", "cssclasses", "publish", "wiki":
		return false
	}
	return b.kind == property
}

// selection is a growing set of blocks of one page.
type selection struct {
	p      *page
	usable func(block) bool
	chosen []int // in the order of the note
	size   int   // runes
	room   int   // for that many
}

func (s *selection) mask(q *query) uint64 {
	var m uint64
	for _, i := range s.chosen {
		m |= q.mask(s.p.text(s.p.blocks[i]))
	}
	return m
}

func (s *selection) fits(i int) bool {
	if slices.Contains(s.chosen, i) || !s.usable(s.p.blocks[i]) {
		return false
	}
	text := s.p.text(s.p.blocks[i])
	return hasWords(text) && s.size+utf8.RuneCountInString(text)+4 <= s.room
}

func (s *selection) take(i int) {
	s.size += utf8.RuneCountInString(s.p.text(s.p.blocks[i])) + 4
	at, _ := slices.BinarySearch(s.chosen, i)
	s.chosen = slices.Insert(s.chosen, at, i)
}

// surround adds what a block cannot be read well without, as far as it fits:
// what introduces it, up to two steps, and what it introduces.
func (s *selection) surround(i int) {
	for up, steps := s.p.blocks[i].lead, 0; up >= 0 && steps < 2 && s.fits(up); up, steps = s.p.blocks[up].lead, steps+1 {
		s.take(up)
	}
	for n := i + 1; n < len(s.p.blocks) && s.leads(i, n) && s.fits(n); n++ {
		s.take(n)
	}
}

// leads reports whether block n hangs below block i.
func (s *selection) leads(i, n int) bool {
	for l := s.p.blocks[n].lead; l >= 0; l = s.p.blocks[l].lead {
		if l == i {
			return true
		}
	}
	return false
}

func (s *selection) firstLine() int { return s.p.blocks[s.chosen[0]].line }

// render writes the chosen blocks one after the other. Where blocks between
// them were left out stands an ellipsis.
func (s *selection) render(q *query) string {
	indent := 1 << 20
	for _, i := range s.chosen {
		if b := s.p.blocks[i]; b.kind != quoted {
			indent = min(indent, b.depth)
		}
	}
	out := ""
	for n, i := range s.chosen {
		b := s.p.blocks[i]
		withHead := n == 0 || s.p.blocks[s.chosen[n-1]].head != b.head
		if n > 0 {
			if withHead || b.kind != fence {
				out = closeFences(out) // or the next code would seem to end this
			}
			out += s.between(s.chosen[n-1], i)
		}
		text := s.p.show(b, indent, withHead)
		if len(s.chosen) == 1 && utf8.RuneCountInString(text) > s.room {
			text = cutBlock(b, text, q)
		}
		out += text
	}
	return closeFences(strings.Trim(out, "\n"))
}

// between is what parts two chosen blocks.
func (s *selection) between(a, b int) string {
	if x, y := s.p.blocks[a], s.p.blocks[b]; b == a+1 && x.kind == y.kind && (x.kind == item || x.kind == row || x.kind == property) {
		return "\n"
	}
	if b == a+1 || s.p.blocks[b].lead == a {
		if s.p.blocks[a].kind == item && s.p.blocks[b].kind == item {
			return "\n"
		}
		return "\n\n"
	}
	return "\n\n…\n\n"
}
