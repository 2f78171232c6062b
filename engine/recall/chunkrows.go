package recall

import (
	"bytes"
	"context"

	"vaultdispatcher/engine/recall/indexed"
	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/recall/postings"
	"vaultdispatcher/engine/recall/vectors"
)

// writeChunks makes the chunks of a note those of p. Chunks whose text and words are as before keep
// their postings.
func (b *batch) writeChunks(ctx context.Context, id int64, isKnown bool, rel string, p *page.Page) (err error) {
	var left map[chunkText][]storedChunk
	if isKnown {
		if left, err = b.readChunks(ctx, id); err != nil {
			return err
		}
	}
	isChanged, keys, title := false, make([]vectors.Key, len(p.Chunks)), p.NameField()
	for ord, c := range p.Chunks {
		f := p.IndexFields(c)
		words := append(indexed.AppendTexts(make([]byte, 0, 4<<10), title, f.Heading), f.Body.Text...)
		text := chunkText{hash: string(f.Hash[:16]), words: string(indexed.Hash(words)[:8])}
		keys[ord] = vectors.KeyOf([]byte(text.hash))
		if same := left[text]; len(same) > 0 {
			if left[text] = same[1:]; same[0].ord != ord {
				err = b.exec(ctx, "UPDATE chunks SET ord=? WHERE id=?", ord, same[0].id)
			}
		} else {
			isChanged = true
			err = b.insertChunk(ctx, id, ord, text, title, f)
		}
		if err != nil {
			return err
		}
	}
	if b.added != nil && isChanged {
		b.added[rel] = keys
	}
	return b.removeChunks(ctx, left)
}

// chunkText tells whether two chunks of a note are the same: for the vectors, and for the postings.
type chunkText struct{ hash, words string }

// storedChunk is the row of a chunk.
type storedChunk struct {
	id  postings.Chunk
	ord int
}

// readChunks returns the chunks of a note as they are stored.
func (b *batch) readChunks(ctx context.Context, id int64) (map[chunkText][]storedChunk, error) {
	rows, err := b.tx.QueryContext(ctx, "SELECT id, ord, hash, words FROM chunks WHERE note=? ORDER BY ord", id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := make(map[chunkText][]storedChunk)
	for rows.Next() {
		var c storedChunk
		var text chunkText
		if err := rows.Scan(&c.id, &c.ord, &text.hash, &text.words); err != nil {
			return nil, err
		}
		list[text] = append(list[text], c)
	}
	return list, rows.Err()
}

// removeChunks takes chunks out of the postings, and records their texts for the vectors.
func (b *batch) removeChunks(ctx context.Context, list map[chunkText][]storedChunk) error {
	for text, chunks := range list {
		for _, c := range chunks {
			if err := b.exec(ctx, "DELETE FROM chunks WHERE id=?", c.id); err != nil {
				return err
			}
			b.chunks--
			b.part.Remove(c.id)
			if b.ix.vectors != nil {
				b.removed = append(b.removed, vectors.KeyOf([]byte(text.hash)))
			}
		}
	}
	return nil
}

func (b *batch) insertChunk(ctx context.Context, noteID int64, ord int, text chunkText, title string, f page.Fields) error {
	id := b.part.NextChunk(lengthOf(f.Body.Words))
	for in, text := range [][]byte{postings.Title: []byte(title), postings.Heading: []byte(f.Heading), postings.Body: f.Body.Text} {
		for word := range bytes.FieldsSeq(text) {
			b.part.Add(word, id, postings.Column(in))
		}
	}
	b.chunks++
	return b.exec(ctx, "INSERT INTO chunks(id, note, ord, hash, words) VALUES(?,?,?,?,?)", id, noteID, ord, []byte(text.hash), []byte(text.words))
}
