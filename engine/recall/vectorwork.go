package recall

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"vaultdispatcher/engine/recall/embed"
	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/recall/terms"
)

// task is a text that lacks its vector.
type task struct {
	key key
	doc embed.Doc
}

// embedNotes embeds notes of the queue, as many as fill one request. It returns
// false when the queue was empty.
func (ix *Index) embedNotes(ctx context.Context) (more bool, err error) {
	v := ix.vectors
	root, err := os.OpenRoot(ix.root)
	if err != nil {
		return false, fmt.Errorf("open the vault: %w", err)
	}
	defer root.Close()
	var tasks []task
	seen := make(map[key]bool)
	for len(tasks) < v.Batch {
		rel, ok := v.pop()
		if !ok {
			break
		}
		more = true
		list, err := ix.tasks(ctx, root, rel)
		if err != nil {
			return false, fmt.Errorf("read %s for its vectors: %w", rel, err)
		}
		for _, t := range list {
			if !seen[t.key] {
				seen[t.key] = true
				tasks = append(tasks, t)
			}
		}
	}
	for n := 0; len(tasks) > 0; tasks = tasks[n:] {
		n = min(len(tasks), v.Batch)
		if err := v.embed(ctx, tasks[:n]); err != nil {
			return false, err
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	clear(v.inWork)
	return more, nil
}

// tasks returns the texts of a note that lack their vectors. One whose vector
// the file still has gets it back.
func (ix *Index) tasks(ctx context.Context, root *os.Root, rel string) ([]task, error) {
	v := ix.vectors
	want, sum, err := ix.chunkKeys(ctx, rel)
	if err != nil {
		return nil, err
	}
	for ord, k := range want {
		v.mu.RLock()
		has := v.space.has(k)
		v.mu.RUnlock()
		if !has {
			if has, err = v.restore(ctx, k); err != nil {
				return nil, err
			}
		}
		if has {
			delete(want, ord)
		}
	}
	if len(want) == 0 {
		return nil, nil
	}
	src, err := readNote(root, rel)
	if err != nil || !slices.Equal(contentHash(src), sum) {
		return nil, nil // it has changed or is gone: the index hears of it and queues it again
	}
	p := page.Parse(rel, src)
	var list []task
	for ord, c := range p.Chunks {
		if k, ok := want[ord]; ok {
			list = append(list, task{k, docOf(p, c)})
		}
	}
	return list, nil
}

// chunkKeys returns the texts of a note as the index has them, by place, and the
// hash of the note.
func (ix *Index) chunkKeys(ctx context.Context, rel string) (map[int]key, []byte, error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	rows, err := ix.reads.QueryContext(ctx, "SELECT c.ord, c.hash, n.hash FROM notes n JOIN chunks c ON c.note = n.id WHERE n.rel = ?", rel)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	keys := make(map[int]key)
	var sum []byte
	for rows.Next() {
		var ord int
		var hash sql.RawBytes
		if err := rows.Scan(&ord, &hash, &sum); err != nil {
			return nil, nil, err
		}
		keys[ord] = keyOf(hash)
	}
	return keys, sum, rows.Err()
}

func (v *vectors) restore(ctx context.Context, k key) (bool, error) {
	bytes, scale, ok, err := v.file.restore(ctx, k)
	if err != nil || !ok {
		return false, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.space.add(k, bytes, scale)
	v.gone = max(0, v.gone-1)
	return true, nil
}

// embed gets the vectors of texts and keeps them.
func (v *vectors) embed(ctx context.Context, tasks []task) error {
	var docs []embed.Doc
	var list, silent []stored
	for _, t := range tasks {
		if !terms.HasWords(t.doc.Text) {
			silent = append(silent, stored{key: t.key})
			continue
		}
		docs = append(docs, t.doc)
		list = append(list, stored{key: t.key})
	}
	dim := 0
	if len(docs) > 0 {
		got, err := v.Embedder.Documents(ctx, docs)
		if err != nil {
			return err
		}
		if len(got) != len(docs) {
			return errors.New("the embedder gave another number of vectors than it was asked for")
		}
		for i, vec := range got {
			list[i].bytes, list[i].scale = quantise(vec)
			dim = max(dim, len(vec))
		}
	}
	list = append(list, silent...)
	if err := v.file.put(ctx, dim, list); err != nil {
		return fmt.Errorf("keep vectors: %w", err)
	}
	return v.learn(ctx, dim, list)
}

// learn adds vectors to those in memory. Another dimension is another model
// under the same name: all notes lack their vectors then.
func (v *vectors) learn(ctx context.Context, dim int, list []stored) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if dim > 0 && v.space.dim != dim {
		if v.space.size() > 0 {
			v.file.close()
			v.file, v.space, v.queue, v.lacking = nil, nil, nil, make(map[string]int)
			clear(v.asked)
			return errOtherLength
		}
		s := newSpace(dim)
		for k, at := range v.space.slots { // the texts without a vector stay so
			if at < 0 {
				s.slots[k] = at
			}
		}
		v.space = s
	}
	for _, s := range list {
		v.space.add(s.key, s.bytes, s.scale)
	}
	return ctx.Err()
}

// sweep marks the vectors whose texts are in no chunk any more.
func (ix *Index) sweep(ctx context.Context) error {
	v := ix.vectors
	v.mu.Lock()
	keys := v.removed
	v.removed = nil
	v.mu.Unlock()
	var unused []key
	for _, k := range keys {
		used, err := ix.used(ctx, k)
		if err != nil {
			return fmt.Errorf("look for unused vectors: %w", err)
		}
		v.mu.RLock()
		if !used && v.space.has(k) {
			unused = append(unused, k)
		}
		v.mu.RUnlock()
	}
	if len(unused) == 0 {
		return nil
	}
	if err := v.file.mark(ctx, unused); err != nil {
		return fmt.Errorf("mark unused vectors: %w", err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, k := range unused {
		if v.space.has(k) {
			v.space.remove(k)
			v.gone++
		}
	}
	return nil
}

func (ix *Index) used(ctx context.Context, k key) (used bool, err error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	err = ix.reads.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM chunks WHERE hash = ?)", k[:]).Scan(&used)
	return used, err
}

// docOf is a chunk as it is embedded: what it says, under the names it stands
// under.
func docOf(p *page.Page, c page.Chunk) embed.Doc {
	d := embed.Doc{Title: p.Title}
	if h := p.Breadcrumb(c); h != "" {
		d.Title += " › " + h
	}
	var text strings.Builder
	for _, b := range p.Blocks[c.From:c.To] {
		text.WriteString(p.Text(b))
	}
	d.Text = strings.TrimSpace(text.String())
	return d
}
