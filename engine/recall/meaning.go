package recall

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"vaultdispatcher/engine/recall/embed"
	"vaultdispatcher/engine/recall/indexed"
	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/recall/vectors"
)

// Meaning is the embedder of an index; see [vectors.Meaning].
type Meaning = vectors.Meaning

// Embedding says how far the vectors have come; false where the index has no
// embedder. It never waits for the embedder.
func (ix *Index) Embedding() (vectors.State, bool) {
	if ix.vectors == nil {
		return vectors.State{}, false
	}
	return ix.vectors.State(), true
}

// Embed gives every chunk its vector, once the index has been brought up to the
// vault, and follows what changes, until ctx ends. Without an embedder it returns
// at once.
func (ix *Index) Embed(ctx context.Context) error {
	if ix.vectors != nil && ix.Wait(ctx, 1<<62) == nil {
		ix.vectors.Run(ctx)
	}
	return nil
}

// texts is the index as the source of its vectors.
type texts struct{ ix *Index }

// EachText implements [vectors.Source].
func (t texts) EachText(ctx context.Context, visit func(rel string, k vectors.Key)) error {
	t.ix.opened.RLock()
	defer t.ix.opened.RUnlock()
	rows, err := t.ix.reads.QueryContext(ctx, "SELECT c.hash, n.rel FROM notes n JOIN chunks c ON c.note = n.id ORDER BY n.mtime DESC, n.id")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var hash []byte
		var rel string
		if err := rows.Scan(&hash, &rel); err != nil {
			return err
		}
		if !t.ix.silent(rel) {
			visit(rel, vectors.KeyOf(hash))
		}
	}
	return rows.Err()
}

// MissingTexts implements [vectors.Source].
func (t texts) MissingTexts(ctx context.Context, rel string, hasVector func(vectors.Key) (bool, error)) ([]vectors.Text, error) {
	if t.ix.silent(rel) {
		return nil, nil
	}
	want, sum, err := t.ix.chunkKeys(ctx, rel)
	if err != nil {
		return nil, err
	}
	for ord, k := range want {
		has, err := hasVector(k)
		if err != nil {
			return nil, err
		}
		if has {
			delete(want, ord)
		}
	}
	if len(want) == 0 {
		return nil, nil
	}
	dir, err := t.ix.disk.Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("open the vault: %w", err)
	}
	defer dir.Close()
	src, err := dir.ReadNote(ctx, rel)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || !slices.Equal(indexed.Hash(src), sum) {
		return nil, nil // it has changed or is gone: the index hears of it and queues it again
	}
	p := page.Parse(rel, src)
	var list []vectors.Text
	for ord, c := range p.Chunks {
		if k, ok := want[ord]; ok {
			list = append(list, vectors.Text{Key: k, Doc: docOf(p, c)})
		}
	}
	return list, nil
}

// HasText implements [vectors.Source].
func (t texts) HasText(ctx context.Context, k vectors.Key) (has bool, err error) {
	t.ix.opened.RLock()
	defer t.ix.opened.RUnlock()
	err = t.ix.reads.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM chunks WHERE hash = ?)", k[:]).Scan(&has)
	return has, err
}

// chunkKeys returns the texts of a note as the index has them, by place, and the
// hash of the note.
func (ix *Index) chunkKeys(ctx context.Context, rel string) (map[int]vectors.Key, []byte, error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	rows, err := ix.reads.QueryContext(ctx, "SELECT c.ord, c.hash, n.hash FROM notes n JOIN chunks c ON c.note = n.id WHERE n.rel = ?", rel)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	keys := make(map[int]vectors.Key)
	var sum []byte
	for rows.Next() {
		var ord int
		var hash sql.RawBytes
		if err := rows.Scan(&ord, &hash, &sum); err != nil {
			return nil, nil, err
		}
		keys[ord] = vectors.KeyOf(hash)
	}
	return keys, sum, rows.Err()
}

// docOf is a chunk as it is embedded: its text, with the title and the headings
// above it.
func docOf(p *page.Page, c page.Chunk) embed.Doc {
	d := embed.Doc{Title: p.Title}
	if h := p.Breadcrumb(c); h != "" {
		d.Title += " › " + h
	}
	var text strings.Builder
	for _, b := range p.Blocks[c.Start:c.End] {
		text.WriteString(p.Text(b))
	}
	d.Text = strings.TrimSpace(text.String())
	return d
}
