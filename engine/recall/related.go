package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"vaultdispatcher/engine/recall/linkgraph"
	"vaultdispatcher/engine/recall/notedisk"
	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/recall/terms"
)

// Why a passage is related to a piece of writing.
const (
	ByMatch    = "match"    // it has the same words
	ByLink     = "linked"   // the asking note links to its note
	ByBacklink = "backlink" // its note links to the asking note
)

const (
	relatedTerms = 32   // words of the writing that are looked for, the rarest ones
	relatedRunes = 1600 // of one related passage at most
)

// RelatedOptions bound [Index.Related].
type RelatedOptions struct {
	Limit   int                   // passages at most; 0 = 5
	Words   int                   // of all passages together; 0 = 1500
	Exclude Lines                 // text that is not quoted: what the asker sees anyway
	Skip    func(rel string) bool // notes that are not quoted; nil = none
}

// Related is a passage that belongs to a piece of writing.
type Related struct {
	Passage
	Reason string // ByMatch, ByLink or ByBacklink
}

// Related finds the passages that an agent working on text should know: those with the same words, and those linked with them.
// note is the path of the note that contains text; at most one other passage of it is returned.
// Passages are longer than those of Search: as much of their section as fits.
func (ix *Index) Related(ctx context.Context, note, text string, opts RelatedOptions) ([]Related, error) {
	s, err := ix.Seek(ctx, note, text)
	if err != nil {
		return nil, err
	}
	return s.Read(ctx, opts)
}

// Sought is what [Index.Related] has found before it reads notes.
type Sought struct {
	searcher
	note    string
	hits    []hit
	why     map[string]string // notes one link away from note
	changes int64             // of the index before
}

// Seek is the first part of [Index.Related]; [Sought.Read] is the rest.
func (ix *Index) Seek(ctx context.Context, note, text string) (s *Sought, err error) {
	s = &Sought{searcher: searcher{ix, terms.Parse(text)}, note: note, changes: ix.changes.Load()}
	if s.hits, err = s.rankChunks(ctx, ranking{rarest: relatedTerms, graph: contextGraph, asking: note}); err == nil {
		s.why, err = ix.findRelations(ctx, note)
	}
	if err != nil {
		return nil, fmt.Errorf("search the index: %w", err)
	}
	return s, nil
}

// IsCurrent reports whether Seek would find the same now.
func (s *Sought) IsCurrent() bool { return s.changes == s.ix.changes.Load() }

// Read reads the notes that were found until there are enough passages.
func (s *Sought) Read(ctx context.Context, opts RelatedOptions) ([]Related, error) {
	opts.Limit, opts.Words = cmp.Or(max(opts.Limit, 0), 5), cmp.Or(max(opts.Words, 0), 1500)
	skip := func(rel string) bool { return s.ix.exclude(rel) || opts.Skip != nil && opts.Skip(rel) }
	read, end, err := notedisk.OpenPages(ctx, s.ix.disk, firstNotes(s.hits, opts.Limit, skip), page.Parse)
	if err != nil {
		return nil, fmt.Errorf("the notes that were found cannot be read: %w", err)
	}
	defer end()
	out, taken, words, texts := []Related(nil), make(map[string]int), 0, make(map[string]bool)
	for _, h := range s.hits {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(out) == opts.Limit {
			break
		}
		if taken[h.rel] == perNote || h.rel == s.note && taken[h.rel] > 0 || skip(h.rel) {
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
		words, texts[f.Text] = words+n, true
		taken[h.rel]++
		out = append(out, Related{Passage: f.withLinks(), Reason: cmp.Or(s.why[h.rel], ByMatch)})
	}
	return out, nil
}

// Backlinks returns the notes that link to a note, each once. Of a note that everything links to it returns some.
func (ix *Index) Backlinks(ctx context.Context, note string) (from []string, err error) {
	edges, id, err := ix.edgesAt(ctx, note)
	for _, e := range edges {
		if e.Target.ID == id && e.Source.ID != id {
			from = append(from, e.Source.Rel)
		}
	}
	slices.Sort(from)
	return slices.Compact(from), err
}

// findRelations returns the notes one link away from a note, each with the direction of the link.
func (ix *Index) findRelations(ctx context.Context, note string) (map[string]string, error) {
	why := make(map[string]string)
	if !ix.graph {
		return why, nil
	}
	edges, id, err := ix.edgesAt(ctx, note)
	for _, e := range edges {
		if e.Source.ID == id {
			why[e.Target.Rel] = ByLink
		} else if why[e.Source.Rel] == "" {
			why[e.Source.Rel] = ByBacklink
		}
	}
	return why, err
}

// edgesAt returns the links of a note, and its row.
func (ix *Index) edgesAt(ctx context.Context, note string) ([]linkgraph.Edge, int64, error) {
	ids, err := ix.noteIDs(ctx, note)
	if err != nil || len(ids) == 0 {
		return nil, 0, err
	}
	edges, err := ix.edgesOf(ctx, ids...)
	return edges[ids[0]], ids[0], err
}
