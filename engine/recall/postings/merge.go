package postings

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"maps"
	"math/bits"
	"slices"
)

const (
	// mostAlike is how many parts of a similar size there are at most.
	mostAlike = 16
	// mostApart is how small a share is left apart from the largest part when all may be
	// merged: one in so many.
	mostApart = 8
	// stepBytes is how much one transaction merges, about.
	stepBytes = 2 << 20
)

// Merge merges parts until few are left: small ones with one another, up to most bytes
// in all; with most 0 any, and all of them where those beside the largest are more than
// a small share. Each transaction that inTx is asked for is short, and moves some words
// from the parts that are merged to the new one, so the file does not grow and readers
// see every word once. Only one Merge may run.
func Merge(ctx context.Context, most int64, inTx func(do func(tx *sql.Tx) error) error) error {
	return mergeInSteps(ctx, most, stepBytes, inTx)
}

func mergeInSteps(ctx context.Context, most, stepBytes int64, inTx func(do func(tx *sql.Tx) error) error) error {
	for {
		var m *merger
		err := inTx(func(tx *sql.Tx) (err error) {
			m, err = beginMerge(ctx, tx, most)
			return err
		})
		if err != nil || m == nil {
			return err
		}
		for more := true; more; {
			err := inTx(func(tx *sql.Tx) (err error) {
				more, err = m.moveSome(ctx, tx, stepBytes)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
}

// stored is a row of a part.
type stored struct{ id, base, top, size int64 }

// chooseParts returns the parts to be merged. They follow one another, up to the newest.
func chooseParts(all []stored, most int64) []stored {
	var sum, largest int64
	for _, p := range all {
		sum, largest = sum+p.size, max(largest, p.size)
	}
	if most == 0 && len(all) > 1 && (sum-largest)*mostApart > sum {
		return all
	}
	rank := func(p stored) int { return bits.Len64(uint64(p.size)>>12) / 2 }
	for level := range 32 {
		from := len(all)
		for sum = 0; from > 0 && rank(all[from-1]) <= level; from-- {
			sum += all[from-1].size
		}
		if most > 0 && sum > most {
			return nil
		}
		if len(all)-from >= mostAlike {
			return all[from:]
		}
	}
	return nil
}

// merger makes one part of several.
type merger struct {
	inputs  []stored
	rest    []stored // the parts that stay
	output  *blockWriter
	removed map[Chunk]bool // no longer in any note; all are in the new part until the end

	with []*cursor // that have the word at work
	text []byte    // of its list while it is made
	list List
}

func beginMerge(ctx context.Context, tx *sql.Tx, most int64) (*merger, error) {
	all, err := listParts(ctx, tx)
	if err != nil {
		return nil, err
	}
	m := &merger{inputs: chooseParts(all, most), removed: make(map[Chunk]bool)}
	if len(m.inputs) == 0 {
		return nil, nil
	}
	m.rest = all[:len(all)-len(m.inputs)]
	for _, p := range m.inputs {
		c, err := openCursor(ctx, tx, p.id)
		if err != nil {
			return nil, err
		}
		if string(c.word) == goneWord {
			c.list.Each(func(c Chunk, _ Column, _ int) { m.removed[c] = true })
		}
	}
	if m.output, err = newBlocks(ctx, tx, m.inputs[0].base, m.inputs[len(m.inputs)-1].top); err != nil {
		return nil, err
	}
	return m, m.output.addGone(slices.Collect(maps.Keys(m.removed)))
}

func listParts(ctx context.Context, tx *sql.Tx) ([]stored, error) {
	rows, err := tx.QueryContext(ctx, "SELECT id, before, last, size FROM parts ORDER BY last, id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []stored
	for rows.Next() {
		var p stored
		if err := rows.Scan(&p.id, &p.base, &p.top, &p.size); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, rows.Err()
}

// moveSome moves as many words as one transaction should.
func (m *merger) moveSome(ctx context.Context, tx *sql.Tx, stepBytes int64) (more bool, err error) {
	m.output.ctx, m.output.tx = ctx, tx
	var in []*cursor
	for _, p := range m.inputs {
		c, err := openCursor(ctx, tx, p.id)
		if err != nil {
			return false, err
		}
		in = append(in, c)
	}
	for start := m.output.size; m.output.size-start < stepBytes; {
		var word []byte
		for _, c := range in {
			if c.word != nil && (word == nil || bytes.Compare(c.word, word) < 0) {
				word = c.word
			}
		}
		if word == nil {
			return false, m.removeMerged(ctx, tx)
		}
		if err := m.moveWord(in, string(word)); err != nil {
			return false, err
		}
	}
	for _, c := range in {
		if err := c.keepRest(); err != nil {
			return false, err
		}
	}
	return true, m.output.flushBlock()
}

// moveWord moves the lists of one word.
func (m *merger) moveWord(in []*cursor, word string) error {
	with := m.with[:0]
	for _, c := range in {
		if string(c.word) == word {
			with = append(with, c)
		}
	}
	m.with = with
	list := with[0].list
	if len(with) > 1 || len(m.removed) > 0 {
		b := &builder{text: m.text[:0]}
		for _, c := range with {
			c.list.Each(func(c Chunk, in Column, times int) {
				if !m.removed[c] {
					b.addOccurrences(c, in, times)
				}
			})
		}
		m.list = b.makeList(m.list)
		list, m.text = m.list, b.text
	}
	if list.Len() > 0 && word != goneWord {
		if err := m.output.addList(word, list); err != nil {
			return err
		}
	}
	for _, c := range with {
		if err := c.goOn(); err != nil {
			return err
		}
	}
	return nil
}

// removeMerged removes the parts, which are empty. Of the chunks that are gone, those stay that
// other parts may have: older ones, and those of a merge that was cut short, whose words are partly
// in a part that was merged now.
func (m *merger) removeMerged(ctx context.Context, tx *sql.Tx) error {
	var older []Chunk
	for c := range m.removed {
		place := c.placeInOrder()
		if slices.ContainsFunc(m.rest, func(p stored) bool { return p.base < place && place <= p.top }) {
			older = append(older, c)
		}
	}
	if err := m.output.flushBlock(); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM blocks WHERE part = ? AND first = ?", m.output.part, []byte(goneWord)); err != nil {
		return err
	}
	if err := m.output.addGone(older); err != nil {
		return err
	}
	for _, p := range m.inputs {
		if _, err := tx.ExecContext(ctx, "DELETE FROM parts WHERE id = ?", p.id); err != nil {
			return err
		}
	}
	return m.output.storeSize(len(older))
}

// cursor reads the lists of one part in order, and deletes each block that it has read.
type cursor struct {
	ctx   context.Context
	tx    *sql.Tx
	part  int64
	block int64
	blockReader
}

// openCursor returns a cursor at the first word of a part.
func openCursor(ctx context.Context, tx *sql.Tx, part int64) (*cursor, error) {
	c := &cursor{ctx: ctx, tx: tx, part: part}
	return c, c.openBlock()
}

// openBlock moves to the first word that is left. Without one, word is nil.
func (c *cursor) openBlock() error {
	var data []byte
	err := c.tx.QueryRowContext(c.ctx, "SELECT id, data FROM blocks WHERE part = ? ORDER BY first LIMIT 1", c.part).Scan(&c.block, &data)
	if errors.Is(err, sql.ErrNoRows) {
		c.blockReader = blockReader{}
		return nil
	}
	if err != nil {
		return err
	}
	if c.blockReader, err = readBlock(data); err == nil {
		c.nextWord()
	}
	return err
}

// goOn moves to the next word.
func (c *cursor) goOn() error {
	if c.nextWord() {
		return nil
	}
	if _, err := c.tx.ExecContext(c.ctx, "DELETE FROM blocks WHERE id = ?", c.block); err != nil {
		return err
	}
	return c.openBlock()
}

// keepRest leaves in its block only what the cursor has before it.
func (c *cursor) keepRest() error {
	if c.word == nil {
		return nil
	}
	rest := &blockWriter{ctx: c.ctx, tx: c.tx, part: c.part}
	for more := true; more; more = c.nextWord() {
		if err := rest.addList(string(c.word), c.list); err != nil {
			return err
		}
	}
	if _, err := c.tx.ExecContext(c.ctx, "DELETE FROM blocks WHERE id = ?", c.block); err != nil {
		return err
	}
	return rest.flushBlock()
}
