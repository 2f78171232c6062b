package recall

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"vaultdispatcher/engine/recall/postings"
	"vaultdispatcher/engine/recall/terms"
)

// A search reads the best candidates of the index and returns up to perNote passages
// of one note; it looks at one more.
const (
	candidates = 30
	perNote    = 2
)

// hit is a chunk the index offers.
type hit struct {
	chunk, note int64 // their rows
	rel         string
	hash        []byte
	mtime       int64
	ord         int
	score       float64 // larger is better
	exact       bool    // the query is a name of the note
	notes       int     // how many notes share the file name
	anchor      string  // of the link that led here
}

// unread marks a hit whose chunk is chosen when its note is read.
const unread = -1

// Search is [Index.Find] for callers who need only the passages.
func (ix *Index) Search(ctx context.Context, text string, opts SearchOptions) ([]Passage, error) {
	r, err := ix.Find(ctx, text, opts)
	return r.Passages, err
}

// searcher answers one query from an index.
type searcher struct {
	ix *Index
	q  *terms.Query
}

// ranking says how hits are to be found.
type ranking struct {
	rarest int     // as in [SearchOptions]
	graph  float64 // weight of links
	asking string  // the note that asks, whose own links say nothing new
}

// rankChunks returns the chunks that the index offers for the query, the best first: found
// by their words, then moved by the links between their notes.
func (s searcher) rankChunks(ctx context.Context, by ranking) (hits []hit, err error) {
	err = s.ix.withHealing(ctx, func() error {
		top, err := s.scoreChunks(ctx, by.rarest, 4*candidates)
		if err != nil || len(s.q.Terms) == 0 {
			return err
		}
		if hits, err = s.findHits(ctx, top); err != nil || !s.ix.graph || by.graph == 0 {
			return err
		}
		hits, err = s.spreadScores(ctx, hits, by.graph, by.asking)
		return err
	})
	return hits, err
}

const hitColumns = `c.id, n.id, n.rel, n.hash, n.mtime, c.ord, (SELECT count(*) FROM notes o WHERE o.base = n.base)`

// findHits looks up the best chunks. Besides these it returns the beginning of
// notes that the query names.
func (s searcher) findHits(ctx context.Context, top []postings.Scored) ([]hit, error) {
	s.ix.opened.RLock()
	defer s.ix.opened.RUnlock()
	hits, err := s.lookUpHits(ctx, top)
	if err != nil {
		return nil, err
	}
	named := make(map[string]bool)
	for _, key := range s.q.NoteNames {
		rows, err := s.ix.reads.QueryContext(ctx, `SELECT 0.0, `+hitColumns+` FROM names k JOIN notes n ON n.id = k.note
			JOIN chunks c ON c.note = n.id WHERE k.name = ? AND c.ord < ? ORDER BY n.mtime DESC, c.ord LIMIT 20`, key, perNote)
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
	sortHits(hits)
	return hits, nil
}

// lookUpHits looks up the best of top, not many of one note.
func (s searcher) lookUpHits(ctx context.Context, top []postings.Scored) ([]hit, error) {
	var hits []hit
	taken := make(map[int64]int)
	for some := range slices.Chunk(top, candidates) {
		var ids []postings.Chunk
		values := make(map[int64]float64)
		for _, s := range some {
			ids = append(ids, s.Chunk)
			values[int64(s.Chunk)] = s.Value
		}
		list, err := json.Marshal(ids)
		if err != nil {
			return nil, err
		}
		rows, err := s.ix.reads.QueryContext(ctx, `SELECT 0.0, `+hitColumns+` FROM json_each(?) e CROSS JOIN chunks c ON c.id = e.value
			JOIN notes n ON n.id = c.note`, string(list)) // in their order; without those whose note has just gone
		if err != nil {
			return nil, err
		}
		found, err := scanHits(rows, false)
		if err != nil {
			return nil, err
		}
		for _, h := range found {
			if taken[h.note]++; taken[h.note] <= perNote+1 && len(hits) < candidates {
				h.score = values[h.chunk]
				hits = append(hits, h)
			}
		}
		if len(hits) == candidates {
			break
		}
	}
	return hits, nil
}

// sortHits puts notes that the query names first, then the better before the
// worse.
func sortHits(hits []hit) {
	slices.SortStableFunc(hits, func(a, b hit) int {
		switch {
		case a.exact == b.exact:
			return cmp.Compare(b.score, a.score)
		case a.exact:
			return -1
		}
		return 1
	})
}

func scanHits(rows *sql.Rows, exact bool) ([]hit, error) {
	defer rows.Close()
	var hits []hit
	for rows.Next() {
		h := hit{exact: exact}
		if err := rows.Scan(&h.score, &h.chunk, &h.note, &h.rel, &h.hash, &h.mtime, &h.ord, &h.notes); err != nil {
			return nil, err
		}
		hits = append(hits, h)
	}
	return hits, rows.Err()
}
