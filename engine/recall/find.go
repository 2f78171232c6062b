package recall

import (
	"context"
	"fmt"
	"slices"

	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/recall/vectors"
	"vaultdispatcher/engine/syserr"
)

// Search finds one list of passages by words and one by meaning. Their scores cannot be compared, so one list is made
// by rank alone (reciprocal rank fusion, https://doi.org/10.1145/1571941.1572114). Words count double, because a weak
// model would otherwise move good matches down. The best match by words remains first when it has nearly all words of
// the query.
const (
	fusionRank   = 60
	wordsWeight  = 2
	sureCoverage = 0.8
)

// leastNear is how near in meaning a passage has to be that shares no word with
// the query. In any vault some text is nearest, even to a question about nothing
// in it; models put unrelated texts below this, or all of them far above.
const leastNear = 0.2

// Result is what a search found, and how.
type Result struct {
	Passages []Passage
	Hybrid   bool   // passages were compared by meaning as well
	Trouble  string // why they were not, though an embedder is configured; one sentence
}

// Find finds the passages that match a query best: any of its words may occur,
// the more the better. A note named by the query comes first, and among like
// matches the one that the others link to. With an embedder, passages near in
// meaning take part, and some may share no word with the query. If the embedder does
// not answer, the search uses words alone and says so. The query may be any text; its
// first 64 distinct words count.
func (ix *Index) Find(ctx context.Context, text string, opts SearchOptions) (Result, error) {
	if opts.Limit <= 0 {
		opts.Limit = 5
	}
	s := searcher{ix, terms.Parse(text)}
	near := s.startMeanings(ctx, text, opts)
	by := ranking{rarest: opts.Rarest, graph: questionGraph, asking: opts.Asking}
	hits, err := s.rankChunks(ctx, by)
	neighbours, trouble := near()
	if err != nil {
		return Result{}, fmt.Errorf("search the index: %w", err)
	}
	wide := opts
	if len(neighbours) > 0 {
		wide.Limit = candidates
	}
	list, err := s.readPassages(ctx, hits, wide)
	if err != nil {
		return Result{}, fmt.Errorf("the notes that were found cannot be read: %w", err)
	}
	if len(neighbours) > 0 {
		if list, err = s.fuseRankings(ctx, list, neighbours, wide); err != nil {
			return Result{}, fmt.Errorf("join what is near in meaning: %w", err)
		}
	}
	r := Result{Hybrid: len(neighbours) > 0}
	if trouble != nil {
		r.Trouble = syserr.Plain(trouble)
	}
	for _, f := range bestPassages(list, opts.Limit) {
		r.Passages = append(r.Passages, f.withLinks())
	}
	return r, nil
}

// startMeanings asks the embedder while the words are looked up. The function it
// returns waits for the answer.
func (s searcher) startMeanings(ctx context.Context, text string, opts SearchOptions) func() ([]vectors.Neighbour, error) {
	v := s.ix.vectors
	if v == nil || v.Weight <= 0 || opts.WordsOnly || opts.Exclude.Note != "" && s.ix.silent(opts.Exclude.Note) {
		return func() ([]vectors.Neighbour, error) { return nil, nil }
	}
	var list []vectors.Neighbour
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		list, err = v.Nearest(ctx, text, candidates)
	}()
	return func() ([]vectors.Neighbour, error) {
		<-done
		return list, err
	}
}

// spot names the chunk that a passage is of.
type spot struct {
	rel   string
	start int
}

func (f found) spot() spot { return spot{f.Note, f.chunk.Start} }

// fuseRankings adds to the passages found by words those near in meaning, and gives all
// of them the score of their ranks.
func (s searcher) fuseRankings(ctx context.Context, words []found, near []vectors.Neighbour, opts SearchOptions) ([]found, error) {
	hits, err := s.neighbourHits(ctx, near)
	if err != nil {
		return nil, err
	}
	opts.anyway = true
	meant, err := s.readPassages(ctx, hits, opts)
	if err != nil {
		return nil, err
	}
	words = bestPassages(words, len(words))
	scores, nearness := make(map[spot]float64), make(map[spot]float64)
	for rank, f := range words {
		scores[f.spot()] += wordsWeight / float64(fusionRank+rank+1)
	}
	list, rank := words, 0
	for _, f := range meant {
		at := f.spot()
		if f.Text == "" || nearness[at] != 0 || f.Matched == 0 && f.hit.score < leastNear {
			continue
		}
		rank++
		if scores[at] == 0 {
			list = append(list, f)
		}
		scores[at] += s.ix.vectors.Weight / float64(fusionRank+rank)
		nearness[at] = f.hit.score
	}
	top := 0.0
	for i := range list {
		f := &list[i]
		f.Score, f.Similarity = scores[f.spot()], nearness[f.spot()]
		top = max(top, f.Score)
	}
	if len(words) > 0 && list[0].Share >= sureCoverage {
		list[0].Score = top + 1e-6
	}
	return list, nil
}

// neighbourHits returns the chunks that have the texts of near, in their order.
func (s searcher) neighbourHits(ctx context.Context, near []vectors.Neighbour) ([]hit, error) {
	s.ix.opened.RLock()
	defer s.ix.opened.RUnlock()
	var hits []hit
	for _, n := range near {
		rows, err := s.ix.reads.QueryContext(ctx, `SELECT 0.0, `+hitColumns+` FROM chunks c JOIN notes n ON n.id = c.note
			WHERE c.hash = ? ORDER BY n.mtime DESC LIMIT +?`, n.Key[:], perNote)
		if err != nil {
			return nil, err
		}
		same, err := scanHits(rows, false)
		if err != nil {
			return nil, err
		}
		for i := range same {
			same[i].score = n.Similarity
		}
		hits = append(hits, same...)
	}
	slices.SortStableFunc(hits, func(a, b hit) int { // a note of another name may hold the same text
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	return hits, nil
}
