package recall

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"vaultdispatcher/engine/recall/terms"
)

// Unknown returns the words of a query that occur in no note.
func (ix *Index) Unknown(ctx context.Context, text string) ([]string, error) {
	q := terms.Parse(text)
	var mask uint64
	for i, t := range q.Terms {
		n, err := ix.countChunks(ctx, t, 1)
		if err != nil {
			return nil, fmt.Errorf("look up %q in the index: %w", t.Word, err)
		}
		if n > 0 {
			mask |= 1 << i
		}
	}
	return q.MissingWords(mask), nil
}

// countChunks counts the chunks that hold a term, up to limit.
func (ix *Index) countChunks(ctx context.Context, t terms.Term, limit int) (n int, err error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	err = ix.reads.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM fts WHERE fts MATCH ? LIMIT ?)", t.MatchExpression(), limit).Scan(&n)
	return n, err
}

// common is the number of chunks from which on a word is a common one; its
// chunks are counted no further.
const common = 2000

// weighTerms gives each term of q its weight. With rarest it leaves only that many
// terms, of those that occur at all.
func (ix *Index) weighTerms(ctx context.Context, q *terms.Query, rarest int) error {
	total := float64(min(ix.State().Chunks, 50000))
	var known []terms.Term
	for i := range q.Terms {
		t := &q.Terms[i]
		n, err := ix.countChunks(ctx, *t, common)
		if err != nil {
			return err
		}
		t.Weight = math.Log(1 + (total+1)/(float64(n)+0.5))
		if n > 0 {
			known = append(known, *t)
		}
	}
	if rarest > 0 {
		slices.SortStableFunc(known, func(a, b terms.Term) int { return cmp.Compare(b.Weight, a.Weight) })
		q.Use(known[:min(rarest, len(known))])
	}
	return nil
}
