package recall

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
	"strings"

	"vaultdispatcher/engine/recall/indexed"
	"vaultdispatcher/engine/recall/notedisk"
	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/recall/terms"
)

// favour raises the score of a passage about a decision or a reason when the question
// asks for one, and raises it again where the heading is about that.
const favour = 1.3

// found is a passage on its way to being sorted.
type found struct {
	Passage
	page  *page.Page
	chunk page.Chunk
	hit   hit
}

// readPassages makes passages of hits, each from its note as it is now.
func (s searcher) readPassages(ctx context.Context, hits []hit, opts SearchOptions) ([]found, error) {
	if len(hits) == 0 {
		return nil, nil
	}
	read, end, err := notedisk.OpenPages(ctx, s.ix.disk, firstNotes(hits, opts.Limit, s.ix.exclude), page.Parse)
	if err != nil {
		return nil, err
	}
	defer end()
	var out []found
	for _, h := range hits {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if top := bestPassages(out, opts.Limit); !h.exact && len(top) == opts.Limit && top[opts.Limit-1].Score >= highestScore(s.q, h.score) {
			break // hits come in order: no further one can get among these
		}
		p := read(h.rel)
		if p == nil || s.ix.exclude(h.rel) {
			continue
		}
		if f, ok := passageOf(p, h, s.q, opts); ok {
			if len(p.Source) > notedisk.LargeNote {
				f.Passage, f.page = f.withLinks(), nil
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// firstNotes returns the notes of the first hits.
func firstNotes(hits []hit, most int, exclude func(rel string) bool) (rels []string) {
	for _, h := range hits[:min(most, len(hits))] {
		if !exclude(h.rel) {
			rels = append(rels, h.rel)
		}
	}
	return rels
}

// highestScore is the score that a hit can reach at most once it has been read.
func highestScore(q *terms.Query, score float64) float64 {
	if q.AsksDecision || q.AsksReason {
		return score * favour * favour
	}
	return score
}

// passageOf quotes the chunk of a hit. Where the note has changed since it was
// indexed, the chunk that says most about the query takes its place. A quote
// without a word of the query is dropped.
func passageOf(p *page.Page, h hit, q *terms.Query, opts SearchOptions) (found, bool) {
	usable := func(b page.Block) bool {
		last := b.Line + strings.Count(string(p.Source[b.Span.Start:b.Span.End]), "\n")
		not := opts.Exclude
		return not.Note != h.rel || last < not.Start || b.Line > not.End
	}
	c, ok := chunkOf(p, h, q)
	if !ok {
		return found{}, false
	}
	p.Reader, p.IsUnique = opts.Exclude.Note, h.notes < 2
	e := p.Quote(c, q, h.exact, opts.room, usable)
	if !h.exact && !opts.anyway && !q.IsAbout(e.TextTerms, e.Matched) && (e.Matched == 0 || !opts.Nearby) {
		return found{}, false
	}
	share := q.ShareOf(e.Matched)
	score := h.score
	if e.IsFavoured {
		score *= favour
	}
	if e.HasFavouredHeading {
		score *= favour
	}
	if e.IsBare {
		score /= 2
	}
	f := found{page: p, chunk: c, hit: h, Passage: Passage{
		Note: h.rel, Title: p.Title, Line: e.Line, Text: e.Text, Matched: bits.OnesCount64(e.Matched),
		Terms: len(q.Terms), Share: share, Missing: q.MissingWords(e.Matched), Score: math.Round(score*1e6) / 1e6,
	}}
	f.countPlaces(q, e)
	return f, true
}

// countPlaces says where the terms are that the quote itself lacks.
func (f *found) countPlaces(q *terms.Query, e page.Excerpt) {
	rest := e.Matched &^ e.TextTerms
	take := func(texts []string) int {
		in := q.Mask(strings.Join(texts, "\n")) & rest
		rest &^= in
		return bits.OnesCount64(in)
	}
	f.InTitle = take(append([]string{f.page.Title}, f.page.Names...))
	f.InHeading = take(f.chunk.Path)
	f.InTags = bits.OnesCount64(rest)
}

// withLinks completes a passage that is going to be shown.
func (f found) withLinks() Passage {
	if f.page == nil {
		return f.Passage // it is complete, and its note is forgotten
	}
	f.Heading = f.page.Breadcrumb(f.chunk)
	unique := f.hit.notes < 2
	f.Link = f.page.ChunkLink(f.Note, unique, f.chunk)
	f.NoteLink = page.NoteLink(f.Note, unique, nil, f.Title)
	return f.Passage
}

func chunkOf(p *page.Page, h hit, q *terms.Query) (page.Chunk, bool) {
	if h.ord == unread {
		return p.LinkedChunk(h.anchor, q), true
	}
	if slices.Equal(indexed.Hash(p.Source), h.hash) && h.ord < len(p.Chunks) {
		return p.Chunks[h.ord], true
	}
	best, most := p.ClosestChunk(q)
	return best, most > 0
}

// bestPassages sorts passages, keeps perNote of a note and one of equal quotes.
func bestPassages(list []found, limit int) []found {
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
		return cmp.Compare(b.hit.mtime, a.hit.mtime)
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
