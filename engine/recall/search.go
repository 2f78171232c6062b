package recall

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// candidates is how many chunks a search looks at after the index has spoken;
// perNote is how many of one note it returns.
const (
	candidates = 30
	perNote    = 2
)

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
		if err = ix.weigh(ctx, q, opts.Rarest); err != nil {
			return err
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
