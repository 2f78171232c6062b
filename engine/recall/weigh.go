package recall

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

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

// common is the number of chunks from which on a word is a common one; its
// chunks are counted no further.
const common = 2000

// weigh gives each term of q its weight. With rarest it leaves only that many
// terms, of those that occur at all.
func (ix *Index) weigh(ctx context.Context, q *query, rarest int) error {
	total := float64(min(ix.State().Chunks, 50000))
	var terms []term
	for i := range q.terms {
		t := &q.terms[i]
		n, err := ix.frequency(ctx, *t, common)
		if err != nil {
			return err
		}
		t.weight = math.Log(1 + (total+1)/(float64(n)+0.5))
		if n > 0 {
			terms = append(terms, *t)
		}
	}
	if rarest > 0 {
		slices.SortStableFunc(terms, func(a, b term) int { return cmp.Compare(b.weight, a.weight) })
		q.use(terms[:min(rarest, len(terms))])
	}
	return nil
}
