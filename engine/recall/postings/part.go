package postings

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
)

// goneSize is what a chunk that is gone adds to the size of the part that says so:
// about as much as it takes up elsewhere.
const goneSize = 300

// Part collects what one transaction changes.
type Part struct {
	base, top int64 // places of chunks: of the last one of the parts before, and of this part
	words     map[string]*builder
	spare     []builder // made together, for the next words
	text      []byte    // the same, for what is counted of them
	removed   []Chunk
}

// shortText is how much of most words is counted in one part.
const shortText = 16

// NewPart begins a part. Another may begin when this one is stored.
func NewPart(ctx context.Context, tx *sql.Tx) (*Part, error) {
	p := &Part{words: make(map[string]*builder)}
	err := tx.QueryRowContext(ctx, "SELECT coalesce(max(last), 0) FROM parts").Scan(&p.base)
	p.top = p.base
	return p, err
}

// NextChunk is the number of another chunk.
func (p *Part) NextChunk(length uint8) Chunk {
	p.top++
	return NumberOf(p.top, length)
}

// Add counts a word of the chunk that was numbered last.
func (p *Part) Add(word []byte, c Chunk, in Column) {
	b := p.words[string(word)]
	if b == nil {
		if len(p.spare) == 0 {
			p.spare, p.text = make([]builder, 256), make([]byte, 256*shortText)
		}
		b, p.spare = &p.spare[0], p.spare[1:]
		b.text, p.text = p.text[:0:shortText], p.text[shortText:]
		p.words[string(word)] = b
	}
	b.addOccurrences(c, in, 1)
}

// Remove says that a chunk is gone.
func (p *Part) Remove(c Chunk) { p.removed = append(p.removed, c) }

// Store writes the part.
func (p *Part) Store(ctx context.Context, tx *sql.Tx) error {
	if p.top == p.base && len(p.removed) == 0 {
		return nil
	}
	w, err := newBlocks(ctx, tx, p.base, p.top)
	if err != nil {
		return err
	}
	if err := w.addGone(p.removed); err != nil {
		return err
	}
	words := slices.AppendSeq(make([]string, 0, len(p.words)), maps.Keys(p.words))
	slices.Sort(words)
	var list List
	for _, word := range words {
		list = p.words[word].makeList(list)
		if err := w.addList(word, list); err != nil {
			return err
		}
	}
	return w.storeSize(len(p.removed))
}

// newBlocks begins a part.
func newBlocks(ctx context.Context, tx *sql.Tx, before, last int64) (*blockWriter, error) {
	res, err := tx.ExecContext(ctx, "INSERT INTO parts(before, last, size) VALUES(?,?,0)", before, last)
	if err != nil {
		return nil, fmt.Errorf("begin a part: %w", err)
	}
	w := &blockWriter{ctx: ctx, tx: tx}
	w.part, err = res.LastInsertId()
	return w, err
}

// addGone writes the chunks that are gone, in a block of their own.
func (w *blockWriter) addGone(gone []Chunk) error {
	if len(gone) == 0 {
		return nil
	}
	b := new(builder)
	for _, c := range slices.Sorted(slices.Values(gone)) {
		b.addOccurrences(c, Title, 1)
	}
	if err := w.addList(goneWord, b.makeList(nil)); err != nil {
		return err
	}
	return w.flushBlock()
}

// storeSize stores how large the part is.
func (w *blockWriter) storeSize(gone int) error {
	if err := w.flushBlock(); err != nil {
		return err
	}
	_, err := w.tx.ExecContext(w.ctx, "UPDATE parts SET size = ? WHERE id = ?", w.size+int64(gone*goneSize), w.part)
	return err
}
