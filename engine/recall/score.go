package recall

import (
	"cmp"
	"context"
	"math"
	"slices"

	"vaultdispatcher/engine/recall/terms"
)

// Chunks are ranked by BM25F: the occurrences of a term in all fields of a chunk are
// added up before they saturate. SQLite's bm25() cannot do that
// (https://www.sqlite.org/fts5.html, auxiliary functions): its parameters are constants,
// which favour long text, and it is slower than reading the postings.
// assets/docs/measurements.md has the figures behind these numbers.
const (
	saturation = 2.0 // k1: how far a term's tenth occurrence still counts
	lengthPart = 0.9 // b: how far long text is held against what it holds
	usualWords = 100 // length of text that is neither short nor long
)

// otherForm is the weight of a word with the stem of a term in another form:
// "questions" where "question" was asked for.
const otherForm = 0.5

// columns are those of the index.
const (
	inTitle = iota
	inHeading
	inBody
	inInflected
	columnCount
)

// weights are the weights of an occurrence, by column.
type weights [columnCount]float64

// weightsOf returns what the stems of a term weigh, and the form that it has itself.
func weightsOf(t terms.Term) (stems, form weights) {
	stems = weights{inTitle: 4, inHeading: 2, inBody: 1, inInflected: 1}
	switch {
	case len(t.Forms) > 1 || t.IsPrefix: // any form will do
	case t.Exact == "":
		stems[inInflected] = otherForm
	default:
		stems[inBody], stems[inInflected] = otherForm, otherForm
		form[inInflected] = 1 - otherForm
	}
	return stems, form
}

// plenty is how many occurrences of its terms a query reads, those of the
// rarest terms first. The words that are left out say next to nothing.
const plenty = 50_000

// scored is a chunk with its weighted occurrences of one term, or with its score.
type scored struct {
	chunk int64
	value float64
}

// The number of a chunk holds the length of its text in its last byte, on a
// logarithmic scale, so that scoring needs nothing but the postings.
const (
	lengthBits = 8
	lengthStep = 16 // of a doubling
)

// nextChunkNumber is the number of the chunk that comes after last.
func nextChunkNumber(last int64, words int) int64 {
	length := math.Round(lengthStep * math.Log2(float64(1+words)))
	return (last>>lengthBits+1)<<lengthBits | int64(min(length, 1<<lengthBits-1))
}

// brevity is the weight of an occurrence in the text, by the length of the text.
var brevity = func() (table [1 << lengthBits]float64) {
	for i := range table {
		words := math.Exp2(float64(i)/lengthStep) - 1
		table[i] = 1 / (1 - lengthPart + lengthPart*words/usualWords)
	}
	return table
}()

// scoreChunks returns the n best chunks for q, the best first. The caller holds opened.
func (ix *Index) scoreChunks(ctx context.Context, q *terms.Query, n int) ([]scored, error) {
	order := slices.Clone(q.Terms)
	slices.SortStableFunc(order, func(a, b terms.Term) int { return cmp.Compare(b.Weight, a.Weight) })
	total := float64(ix.State().Chunks)
	var sum []scored
	left := plenty
	for _, t := range order {
		list, read, err := ix.readPostings(ctx, t, left)
		if err != nil {
			return nil, err
		}
		if left -= read; left <= 0 && sum != nil {
			break // a word read in part would favour the oldest notes
		}
		have := float64(len(list))
		idf := math.Log(1 + max(total-have+0.5, 0.5)/(have+0.5))
		for i, p := range list {
			list[i].value = idf * p.value * (saturation + 1) / (p.value + saturation)
		}
		sum = addScores(sum, list)
	}
	return topScored(sum, n), nil
}

// readPostings returns the chunks that hold a term in the order of their numbers,
// each with its weighted occurrences, and how many of these there were.
func (ix *Index) readPostings(ctx context.Context, t terms.Term, limit int) (list []scored, read int, err error) {
	stems, form := weightsOf(t)
	take := func(first, last string, by weights) error {
		some, n, err := ix.readOccurrences(ctx, first, last, by, limit-read)
		list, read = addScores(list, some), read+n
		return err
	}
	for _, word := range t.Forms {
		last := word
		if t.IsPrefix {
			last += "\U0010ffff"
		}
		if err := take(word, last, stems); err != nil {
			return nil, 0, err
		}
	}
	if form != (weights{}) && len(list) > 0 {
		err = take(t.Exact, t.Exact, form)
	}
	return list, read, err
}

// readOccurrences reads the postings of the words from first to last.
func (ix *Index) readOccurrences(ctx context.Context, first, last string, by weights, limit int) (list []scored, read int, err error) {
	rows, err := ix.reads.QueryContext(ctx, `SELECT doc * 4 + CASE col WHEN 'title' THEN 0 WHEN 'heading' THEN 1 WHEN 'body' THEN 2 ELSE 3 END
		FROM words WHERE term >= ? AND term <= ? LIMIT ?`, first, last, limit)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	sorted := true
	for ; rows.Next(); read++ {
		var at int64
		if err := rows.Scan(&at); err != nil {
			return nil, 0, err
		}
		p := scored{chunk: at >> 2, value: by[at&3]}
		if at&3 >= inBody {
			p.value *= brevity[p.chunk&(1<<lengthBits-1)]
		}
		if n := len(list) - 1; n >= 0 && list[n].chunk == p.chunk {
			list[n].value += p.value
			continue
		} else if n >= 0 {
			sorted = sorted && list[n].chunk < p.chunk
		}
		list = append(list, p)
	}
	if !sorted { // several words
		slices.SortFunc(list, func(a, b scored) int { return cmp.Compare(a.chunk, b.chunk) })
		list = addScores(nil, list)
	}
	return list, read, rows.Err()
}

// addScores merges two lists that are in the order of the chunks; values of one chunk
// are added up, those of neighbours in the second list too.
func addScores(a, b []scored) []scored {
	out := make([]scored, 0, len(a)+len(b))
	for len(a)+len(b) > 0 {
		var next scored
		if len(b) == 0 || len(a) > 0 && a[0].chunk <= b[0].chunk {
			next, a = a[0], a[1:]
		} else {
			next, b = b[0], b[1:]
		}
		if n := len(out) - 1; n >= 0 && out[n].chunk == next.chunk {
			out[n].value += next.value
		} else {
			out = append(out, next)
		}
	}
	return out
}

// topScored returns the n best of list, the best first.
func topScored(list []scored, n int) []scored {
	better := func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.chunk, b.chunk))
	}
	top := make([]scored, 0, n+1)
	for _, s := range list {
		if len(top) == n && better(s, top[n-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, s, better)
		top = slices.Insert(top, at, s)
		top = top[:min(len(top), n)]
	}
	return top
}
