package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"vaultdispatcher/engine/recall/terms"
)

// Why a passage is related to a piece of writing.
const (
	ByMatch    = "match"    // it has the same words
	ByLink     = "linked"   // the asking note links to its note
	ByBacklink = "backlink" // its note links to the asking note
)

// relatedTerms is how many words of the writing are looked for, the rarest ones.
const relatedTerms = 32

// relatedRunes bounds one related passage.
const relatedRunes = 1600

// RelatedOptions bound [Index.Related].
type RelatedOptions struct {
	Limit   int   // passages at most; 0 = 5
	Words   int   // of all passages together; 0 = 1500
	Exclude Lines // text that is not quoted: what the asker sees anyway

	Skip func(rel string) bool // notes that are not quoted; nil = none
}

// Related is a passage that belongs to a piece of writing.
type Related struct {
	Passage
	Reason string // ByMatch, ByLink or ByBacklink
}

// Related finds the passages that an agent working on text should know: those with
// the same words, and those linked with them. note is the path of the note
// that contains text; at most one other passage of it is returned.
//
// Passages are longer than those of Search: as much of their section as fits.
func (ix *Index) Related(ctx context.Context, note, text string, opts RelatedOptions) ([]Related, error) {
	if opts.Limit <= 0 {
		opts.Limit = 5
	}
	if opts.Words <= 0 {
		opts.Words = 1500
	}
	s := searcher{ix, terms.Parse(text)}
	hits, err := s.rankChunks(ctx, ranking{rarest: relatedTerms, graph: contextGraph, asking: note})
	if err != nil {
		return nil, fmt.Errorf("search the index: %w", err)
	}
	why, err := ix.findRelations(ctx, note)
	if err != nil {
		return nil, fmt.Errorf("look up the links of %s: %w", note, err)
	}
	return s.gatherRelated(ctx, hits, note, why, opts)
}

// gatherRelated reads hits until there are enough.
func (s searcher) gatherRelated(ctx context.Context, hits []hit, note string, why map[string]string, opts RelatedOptions) ([]Related, error) {
	dir, err := s.ix.disk.Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("the notes that were found cannot be read: %w", err)
	}
	defer dir.Close()
	read := pagesOf(ctx, dir)
	var out []Related
	taken, words, texts := make(map[string]int), 0, make(map[string]bool)
	for _, h := range hits {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(out) == opts.Limit {
			break
		}
		if taken[h.rel] == perNote || h.rel == note && taken[note] > 0 || s.ix.exclude(h.rel) || opts.Skip != nil && opts.Skip(h.rel) {
			continue
		}
		p := read(h.rel)
		if p == nil {
			continue
		}
		f, ok := passageOf(p, h, s.q, SearchOptions{Exclude: opts.Exclude, room: relatedRunes, anyway: true})
		n := len(strings.Fields(f.Text))
		if !ok || f.Text == "" || texts[f.Text] || words+n > opts.Words {
			continue
		}
		words += n
		taken[h.rel]++
		texts[f.Text] = true
		r := Related{Passage: f.withLinks(), Reason: ByMatch}
		if by := why[h.rel]; by != "" {
			r.Reason = by
		}
		out = append(out, r)
	}
	return out, nil
}

// Backlinks returns the notes that link to a note, each once. Of a note that everything links to
// it returns some.
func (ix *Index) Backlinks(ctx context.Context, note string) (from []string, err error) {
	ids, err := ix.noteIDs(ctx, note)
	if err != nil {
		return nil, err
	}
	edges, err := ix.edgesOf(ctx, ids...)
	for _, id := range ids {
		for _, e := range edges[id] {
			if e.Target.ID == id && e.Source.ID != id {
				from = append(from, e.Source.Rel)
			}
		}
	}
	slices.Sort(from)
	return slices.Compact(from), err
}

// findRelations returns the notes one link away from a note, each with the direction of
// the link.
func (ix *Index) findRelations(ctx context.Context, note string) (map[string]string, error) {
	why := make(map[string]string)
	if !ix.graph {
		return why, nil
	}
	ids, err := ix.noteIDs(ctx, note)
	if err != nil {
		return nil, err
	}
	edges, err := ix.edgesOf(ctx, ids...)
	for _, id := range ids {
		for _, e := range edges[id] {
			if e.Source.ID == id {
				why[e.Target.Rel] = ByLink
			} else if why[e.Source.Rel] == "" {
				why[e.Source.Rel] = ByBacklink
			}
		}
	}
	return why, err
}
