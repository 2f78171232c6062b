package recall

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/bits"
	"os"
	"slices"
	"strings"
)

// candidates is how many chunks a search looks at after the index has spoken;
// perNote is how many of one note it returns.
const (
	candidates = 40
	perNote    = 2
)

// favour is what a passage gains that speaks of a decision or a reason when
// the question asks for one.
const favour = 1.3

// hit is a chunk the index offers.
type hit struct {
	rel   string
	hash  []byte
	mtime int64
	ord   int
	score float64 // larger is better
	exact bool    // the query is a name of the note
	notes int     // how many notes share the file name
}

// time is when the note was saved; see batch.note for the sign.
func (h hit) time() int64 { return max(h.mtime, -h.mtime) }

// Search finds the passages that match a query best: any of its words may
// occur, the more the better. A note named by the query comes first. The query
// may be any text; its first 64 distinct words count.
func (ix *Index) Search(ctx context.Context, text string, opts SearchOptions) ([]Passage, error) {
	if opts.Limit <= 0 {
		opts.Limit = 5
	}
	q := parseQuery(text)
	var hits []hit
	err := ix.healing(ctx, func() (err error) {
		if opts.Rarest > 0 {
			if err = ix.keepRarest(ctx, q, opts.Rarest); err != nil {
				return err
			}
		}
		if len(q.terms) == 0 {
			return nil
		}
		hits, err = ix.hits(ctx, q)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("search the index: %w", err)
	}
	found, err := ix.read(ctx, hits, q, opts)
	if err != nil {
		return nil, fmt.Errorf("read the notes found: %w", err)
	}
	var out []Passage
	for _, f := range best(found, opts.Limit) {
		out = append(out, f.linked())
	}
	return out, nil
}

// Unknown returns the words of a query that occur in no note.
func (ix *Index) Unknown(ctx context.Context, text string) ([]string, error) {
	q := parseQuery(text)
	var mask uint64
	for i, t := range q.terms {
		n, err := ix.frequency(ctx, t, 1)
		if err != nil {
			return nil, fmt.Errorf("look up %q in the index: %w", t.word, err)
		}
		if n > 0 {
			mask |= 1 << i
		}
	}
	return q.lacking(mask), nil
}

// frequency counts the chunks that hold a term, up to limit.
func (ix *Index) frequency(ctx context.Context, t term, limit int) (n int, err error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	err = ix.reads.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM fts WHERE fts MATCH ? LIMIT ?)", t.match(), limit).Scan(&n)
	return n, err
}

// keepRarest leaves the n terms of q that fewest chunks hold. Words that occur
// nowhere find nothing and are left out first.
func (ix *Index) keepRarest(ctx context.Context, q *query, n int) error {
	type counted struct {
		term
		n int
	}
	var list []counted
	for _, t := range q.terms {
		c, err := ix.frequency(ctx, t, 1000)
		if err != nil {
			return err
		}
		if c > 0 {
			list = append(list, counted{t, c})
		}
	}
	slices.SortStableFunc(list, func(a, b counted) int { return a.n - b.n })
	var terms []term
	for _, c := range list[:min(n, len(list))] {
		terms = append(terms, c.term)
	}
	q.use(terms)
	return nil
}

const hitColumns = `n.rel, n.hash, n.mtime, c.ord, (SELECT count(*) FROM notes o WHERE o.base = n.base)`

// hits asks the index. Besides the best chunks it returns the beginning of
// notes that the query names.
func (ix *Index) hits(ctx context.Context, q *query) ([]hit, error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	rows, err := ix.reads.QueryContext(ctx, `SELECT -h.score, `+hitColumns+` FROM
		(SELECT rowid AS id, bm25(fts, 3, 2, 1) AS score FROM fts WHERE fts MATCH ? ORDER BY score LIMIT ?) h
		JOIN chunks c ON c.id = h.id JOIN notes n ON n.id = c.note ORDER BY h.score`, q.match(), candidates)
	if err != nil {
		return nil, err
	}
	hits, err := scanHits(rows, false)
	if err != nil {
		return nil, err
	}
	named := make(map[string]bool)
	for _, key := range q.keys {
		rows, err := ix.reads.QueryContext(ctx, `SELECT 0.0, `+hitColumns+` FROM names k JOIN notes n ON n.id = k.note
			JOIN chunks c ON c.note = n.id WHERE k.name = ? AND c.ord < ? ORDER BY abs(n.mtime) DESC, c.ord LIMIT 20`, key, perNote)
		if err != nil {
			return nil, err
		}
		exact, err := scanHits(rows, true)
		if err != nil {
			return nil, err
		}
		for _, h := range exact {
			named[h.rel] = true
			if !slices.ContainsFunc(hits, func(o hit) bool { return o.rel == h.rel && o.ord == h.ord }) {
				hits = append(hits, h)
			}
		}
	}
	for i := range hits {
		hits[i].exact = named[hits[i].rel]
	}
	slices.SortStableFunc(hits, func(a, b hit) int { // named ones first
		if a.exact == b.exact {
			return 0
		} else if a.exact {
			return -1
		}
		return 1
	})
	return hits, nil
}

func scanHits(rows *sql.Rows, exact bool) ([]hit, error) {
	defer rows.Close()
	var hits []hit
	for rows.Next() {
		h := hit{exact: exact}
		if err := rows.Scan(&h.score, &h.rel, &h.hash, &h.mtime, &h.ord, &h.notes); err != nil {
			return nil, err
		}
		hits = append(hits, h)
	}
	return hits, rows.Err()
}

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
		if top := best(out, opts.Limit); !h.exact && len(top) == opts.Limit && top[opts.Limit-1].Score >= h.score*favour {
			break // hits come in order: no further one can get among these
		}
		p, seen := pages[h.rel]
		if !seen {
			if src, err := readNote(root, h.rel); err == nil {
				p = parsePage(h.rel, src)
			}
			pages[h.rel] = p // nil where the note is gone; the next passage takes its place
		}
		if p == nil || ix.exclude(h.rel) {
			continue
		}
		if f, ok := p.passage(h, q, opts.Exclude); ok {
			out = append(out, f)
		}
	}
	return out, nil
}

// passage quotes the chunk of a hit. Where the note has changed since it was
// indexed, the chunk that says most about the query stands in for it.
func (p *page) passage(h hit, q *query, not Lines) (found, bool) {
	usable := func(b block) bool {
		last := b.line + strings.Count(string(p.src[b.span.Start:b.span.End]), "\n")
		return not.Note != h.rel || last < not.From || b.line > not.To
	}
	c, ok := p.chunkOf(h, q)
	if !ok {
		return found{}, false
	}
	e := p.pick(c, q, usable)
	n := bits.OnesCount64(e.matched)
	if n == 0 && !h.exact {
		return found{}, false
	}
	share := float64(n) / float64(len(q.terms))
	score := h.score * share
	if e.favours {
		score *= favour
	}
	if e.text == "" {
		score *= 0.5 // a name without words
	}
	return found{page: p, chunk: c, hit: h, Passage: Passage{
		Note: h.rel, Title: p.title, Line: e.line, Text: e.text,
		Matched: n, Terms: len(q.terms), Missing: q.lacking(e.matched), Score: math.Round(score*1e6) / 1e6,
	}}, true
}

// linked completes a passage that is going to be shown.
func (f found) linked() Passage {
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
	if slices.Equal(contentHash(p.src), h.hash) && h.ord < len(p.chunks) {
		return p.chunks[h.ord], true
	}
	best, most := chunk{}, 0
	for _, c := range p.chunks {
		text := strings.Join(c.path, "\n")
		for _, b := range p.blocks[c.from:c.to] {
			text += "\n" + p.text(b)
		}
		if n := bits.OnesCount64(q.mask(text)); n > most {
			best, most = c, n
		}
	}
	return best, most > 0
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
