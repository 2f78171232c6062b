package recall

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"os"
	"slices"
	"strings"
)

// favour is what a passage gains that speaks of a decision or a reason when
// the question asks for one, and gains again where the heading does.
const favour = 1.3

// found is a passage on its way to being sorted.
type found struct {
	Passage
	page  *page
	chunk chunk
	hit   hit
}

// read makes passages of hits, each from its note as it is now.
func (ix *Index) read(ctx context.Context, hits []hit, q *query, opts SearchOptions) ([]found, error) {
	if len(hits) == 0 {
		return nil, nil
	}
	root, err := os.OpenRoot(ix.root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	pages := make(map[string]*page)
	var out []found
	for _, h := range hits {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if top := best(out, opts.Limit); !h.exact && len(top) == opts.Limit && top[opts.Limit-1].Score >= q.bound(h.score) {
			break // hits come in order: no further one can get among these
		}
		p, seen := pages[h.rel]
		if !seen {
			if src, err := readNote(root, h.rel); err == nil {
				p = parsePage(h.rel, src)
			}
			if p == nil || len(p.src) <= largeNote { // several large ones would be a lot to hold
				pages[h.rel] = p // nil where the note is gone; the next passage takes its place
			}
		}
		if p == nil || ix.exclude(h.rel) {
			continue
		}
		if f, ok := p.passage(h, q, opts); ok {
			if len(p.src) > largeNote {
				f.Passage, f.page = f.linked(), nil
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// bound is the score that a hit can reach at most once it has been read.
func (q *query) bound(score float64) float64 {
	if q.decision || q.reason {
		return score * favour * favour
	}
	return score
}

// passage quotes the chunk of a hit. Where the note has changed since it was
// indexed, the chunk that says most about the query stands in for it. A quote
// that has no word of the query by itself is none.
func (p *page) passage(h hit, q *query, opts SearchOptions) (found, bool) {
	usable := func(b block) bool {
		last := b.line + strings.Count(string(p.src[b.span.Start:b.span.End]), "\n")
		not := opts.Exclude
		return not.Note != h.rel || last < not.From || b.line > not.To
	}
	c, ok := p.chunkOf(h, q)
	if !ok {
		return found{}, false
	}
	e := p.pick(c, q, h.exact, opts.room, usable)
	if !h.exact && !opts.anyway && !q.about(e.said, e.matched) && (e.matched == 0 || !opts.Nearby) {
		return found{}, false
	}
	share := q.share(e.matched)
	score := h.score
	if e.favours {
		score *= favour
	}
	if e.headed {
		score *= favour
	}
	if e.bare {
		score /= 2
	}
	f := found{page: p, chunk: c, hit: h, Passage: Passage{
		Note: h.rel, Title: p.title, Line: e.line, Text: e.text, Matched: bits.OnesCount64(e.matched),
		Terms: len(q.terms), Share: share, Missing: q.lacking(e.matched), Score: math.Round(score*1e6) / 1e6,
	}}
	f.attribute(q, e)
	return f, true
}

// attribute says where the terms stand that the quote itself lacks.
func (f *found) attribute(q *query, e excerpt) {
	rest := e.matched &^ e.said
	take := func(texts []string) int {
		in := q.mask(strings.Join(texts, "\n")) & rest
		rest &^= in
		return bits.OnesCount64(in)
	}
	f.InTitle = take(append([]string{f.page.title}, f.page.names...))
	f.InHeading = take(f.chunk.path)
	f.InTags = bits.OnesCount64(rest)
}

// linked completes a passage that is going to be shown.
func (f found) linked() Passage {
	if f.page == nil {
		return f.Passage // it is complete, and its note is forgotten
	}
	f.Heading = f.page.heading(f.chunk)
	label := f.Title
	if f.Heading != "" {
		label += " › " + f.Heading
	}
	unique := f.hit.notes < 2
	f.Link = noteLink(f.Note, unique, f.page.target(f.chunk), label)
	f.NoteLink = noteLink(f.Note, unique, nil, f.Title)
	return f.Passage
}

func (p *page) chunkOf(h hit, q *query) (chunk, bool) {
	if h.ord == unread {
		return p.likeliest(h, q), true
	}
	if slices.Equal(contentHash(p.src), h.hash) && h.ord < len(p.chunks) {
		return p.chunks[h.ord], true
	}
	best, most := p.closest(q)
	return best, most > 0
}

// likeliest is the chunk of a note that only a link has found: the one it leads
// to, else the one that says most about q.
func (p *page) likeliest(h hit, q *query) chunk {
	for _, c := range p.chunks {
		if n := len(c.path); h.anchor != "" && n > 0 && anchorOf(c.path[n-1]) == h.anchor {
			return c
		}
	}
	best, most := p.closest(q)
	if most == 0 {
		return p.chunks[0]
	}
	return best
}

// closest is the chunk with most terms of q, and how many these are.
func (p *page) closest(q *query) (best chunk, most int) {
	for _, c := range p.chunks {
		text := strings.Join(c.path, "\n")
		for _, b := range p.blocks[c.from:c.to] {
			text += "\n" + p.text(b)
		}
		if n := bits.OnesCount64(q.mask(text)); n > most {
			best, most = c, n
		}
	}
	return best, most
}

// best sorts passages, keeps perNote of a note and one of equal quotes.
func best(list []found, limit int) []found {
	slices.SortStableFunc(list, func(a, b found) int {
		switch {
		case a.hit.exact != b.hit.exact:
			if a.hit.exact {
				return -1
			}
			return 1
		case a.Score != b.Score:
			return cmp.Compare(b.Score, a.Score)
		}
		return cmp.Compare(b.hit.time(), a.hit.time())
	})
	var out []found
	perRel, texts := make(map[string]int), make(map[string]bool)
	for _, f := range list {
		if len(out) == limit {
			break
		}
		if perRel[f.Note] == perNote || f.Text != "" && texts[f.Text] {
			continue
		}
		perRel[f.Note]++
		texts[f.Text] = true
		out = append(out, f)
	}
	return out
}
