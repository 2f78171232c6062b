package recall

import (
	"context"
	"encoding/json"
	"slices"

	"vaultdispatcher/engine/recall/linkgraph"
)

// How much of a passage's score its note passes on along a link. A question is
// answered by the passages it matches, so there links only break near ties. For a piece
// of writing they count a little more and add neighbours. On the vaults measured,
// larger values put much-linked notes before better matches.
const (
	questionGraph = 0.15
	contextGraph  = 0.2
)

// seeds is how many of the notes found pass something on.
const seeds = 20

// spreadScores passes part of the score of each note found on to the notes it links
// to and those that link to it. For a question these are notes found as well;
// for a piece of writing other notes may become hits. The note named by without
// passes nothing on.
func (s searcher) spreadScores(ctx context.Context, hits []hit, part float64, without string) ([]hit, error) {
	top := make(map[int64]float64)
	for _, h := range hits {
		if h.rel != without {
			top[h.note] = max(top[h.note], h.score)
		}
	}
	gain := make(map[int64]float64)
	if part < contextGraph {
		edges, err := s.edgesBetween(ctx, hits)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			gain[e.Target.ID] += part * top[e.Source.ID] * e.Weight
			gain[e.Source.ID] += part * top[e.Target.ID] * e.Weight
		}
	} else {
		more, err := s.followLinks(ctx, hits, top, gain, part)
		if err != nil {
			return nil, err
		}
		hits = append(hits, more...)
	}
	for i := range hits {
		if hits[i].ord != unread {
			hits[i].score += gain[hits[i].note]
		}
	}
	sortHits(hits)
	return hits, nil
}

// followLinks follows all links of the best notes of top: it adds up what their
// neighbours gain, and returns those that are no hits yet.
func (s searcher) followLinks(ctx context.Context, hits []hit, top, gain map[int64]float64, part float64) ([]hit, error) {
	beside := make(map[int64]linkgraph.Edge) // notes that are no hits
	var asked []int64
	for _, h := range hits {
		if _, gives := top[h.note]; gives && len(asked) < seeds && !slices.Contains(asked, h.note) {
			asked = append(asked, h.note)
		}
	}
	edges, err := s.ix.edgesOf(ctx, asked...)
	if err != nil {
		return nil, err
	}
	for _, id := range asked {
		for _, e := range edges[id] {
			other := e.Target
			if other.ID == id {
				other = e.Source
			}
			gain[other.ID] += part * top[id] * e.Weight
			if old, seen := beside[other.ID]; !seen || old.Anchor == "" {
				beside[other.ID] = e
			}
		}
	}
	for _, h := range hits {
		delete(beside, h.note)
	}
	return s.hitsOfNeighbours(ctx, beside, gain)
}

// hitsOfNeighbours makes hits of the notes that only links have found, those that
// gained most.
func (s searcher) hitsOfNeighbours(ctx context.Context, beside map[int64]linkgraph.Edge, gain map[int64]float64) ([]hit, error) {
	var ids []int64
	for id := range beside {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b int64) int {
		if gain[a] != gain[b] {
			if gain[a] > gain[b] {
				return -1
			}
			return 1
		}
		return int(a - b)
	})
	list, err := json.Marshal(ids[:min(len(ids), candidates)])
	if err != nil {
		return nil, err
	}
	hits, err := readAll(ctx, s.ix, func(h *hit) []any { return []any{&h.note, &h.rel, &h.hash, &h.mtime, &h.notes} },
		`SELECT n.id, n.rel, n.hash, n.mtime, (SELECT count(*) FROM notes o WHERE o.base = n.base)
			FROM json_each(?) e CROSS JOIN notes n ON n.id = e.value`, string(list)) // in their order; without those that have just gone
	for i := range hits {
		h := &hits[i]
		h.ord, h.score = unread, gain[h.note]
		if e := beside[h.note]; e.Target.ID == h.note {
			h.anchor = e.Anchor
		}
	}
	return hits, err
}

// edgesOf returns, for each of some notes, the links that leave it and those that reach it. Nobody may change the lists.
func (ix *Index) edgesOf(ctx context.Context, ids ...int64) (map[int64][]linkgraph.Edge, error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	g := linkgraph.New(ix.reads)
	if ix.peek {
		return g.EdgesOf(ctx, ids...)
	}
	return ix.links.EdgesOf(ctx, g, ids...)
}

// edgesBetween returns the links among the notes of hits, each once.
func (s searcher) edgesBetween(ctx context.Context, hits []hit) ([]linkgraph.Edge, error) {
	notes := make(map[int64]bool)
	for _, h := range hits {
		notes[h.note] = true
	}
	s.ix.opened.RLock()
	defer s.ix.opened.RUnlock()
	return linkgraph.New(s.ix.reads).Between(ctx, notes)
}
