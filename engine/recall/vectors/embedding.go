package vectors

import (
	"context"
	"errors"
	"fmt"

	"vaultdispatcher/engine/recall/embed"
	"vaultdispatcher/engine/recall/terms"
)

// embedNotes embeds notes of the queue, as many as fill one request. It returns
// false when the queue was empty.
func (v *Store) embedNotes(ctx context.Context) (more bool, err error) {
	var texts []Text
	seen := make(map[Key]bool)
	for len(texts) < v.Batch {
		rel, ok := v.dequeueNote()
		if !ok {
			break
		}
		more = true
		list, err := v.source.MissingTexts(ctx, rel, func(k Key) (bool, error) { return v.findOrRestore(ctx, k) })
		if err != nil {
			return false, fmt.Errorf("read %s for its vectors: %w", rel, err)
		}
		for _, t := range list {
			if !seen[t.Key] {
				seen[t.Key] = true
				texts = append(texts, t)
			}
		}
	}
	for n := 0; len(texts) > 0; texts = texts[n:] {
		n = min(len(texts), v.Batch)
		if err := v.embedTexts(ctx, texts[:n]); err != nil {
			return false, err
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	clear(v.inWork)
	return more, nil
}

// findOrRestore reports whether a text has its vector. One whose vector the file
// still has gets it back.
func (v *Store) findOrRestore(ctx context.Context, k Key) (bool, error) {
	v.mu.RLock()
	has := v.space.hasText(k)
	v.mu.RUnlock()
	if has {
		return true, nil
	}
	bytes, scale, ok, err := v.file.restoreVector(ctx, k)
	if err != nil || !ok {
		return false, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.space.addVector(k, bytes, scale)
	v.removals = max(0, v.removals-1)
	return true, nil
}

// embedTexts gets the vectors of texts and keeps them.
func (v *Store) embedTexts(ctx context.Context, texts []Text) error {
	var docs []embed.Doc
	var list, wordless []storedVector
	for _, t := range texts {
		if !terms.HasWords(t.Doc.Text) {
			wordless = append(wordless, storedVector{key: t.Key})
			continue
		}
		docs = append(docs, t.Doc)
		list = append(list, storedVector{key: t.Key})
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
			list[i].bytes, list[i].scale = quantiseVector(vec)
			dim = max(dim, len(vec))
		}
	}
	list = append(list, wordless...)
	if err := v.file.storeVectors(ctx, dim, list); err != nil {
		return fmt.Errorf("keep vectors: %w", err)
	}
	return v.addVectors(ctx, dim, list)
}

// addVectors adds vectors to those in memory. Another dimension is another model
// under the same name: all notes lack their vectors then.
func (v *Store) addVectors(ctx context.Context, dim int, list []storedVector) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if dim > 0 && v.space.dim != dim {
		if v.space.countVectors() > 0 {
			v.file.close()
			v.file, v.space, v.queue, v.lacking = nil, nil, nil, make(map[string]int)
			clear(v.answered)
			return ErrOtherLength
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
		v.space.addVector(s.key, s.bytes, s.scale)
	}
	return ctx.Err()
}

// markUnused marks the vectors whose texts no chunk has any more.
func (v *Store) markUnused(ctx context.Context) error {
	v.mu.Lock()
	keys := v.removed
	v.removed = nil
	v.mu.Unlock()
	var unused []Key
	for _, k := range keys {
		used, err := v.source.HasText(ctx, k)
		if err != nil {
			return fmt.Errorf("look for unused vectors: %w", err)
		}
		v.mu.RLock()
		if !used && v.space.hasText(k) {
			unused = append(unused, k)
		}
		v.mu.RUnlock()
	}
	if len(unused) == 0 {
		return nil
	}
	if err := v.file.markGone(ctx, unused); err != nil {
		return fmt.Errorf("mark unused vectors: %w", err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, k := range unused {
		if v.space.hasText(k) {
			v.space.removeText(k)
			v.removals++
		}
	}
	return nil
}
