package postings

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"vaultdispatcher/engine/recall/cachefile"
)

// blockBytes is how much one row holds, unless one list is longer: with the rest of the
// row it fills a page of the database.
const blockBytes = 3900

// goneWord is the word whose list is the chunks that are gone. No word has a space.
const goneWord = " "

// blockWriter writes the lists of one part, in the order of the words.
type blockWriter struct {
	ctx         context.Context
	tx          *sql.Tx
	part        int64
	first, word string // of the block: its first word, and its last
	block       []byte // begins with the sum of what follows
	size        int64  // of the blocks written
}

func (w *blockWriter) addList(word string, list List) error {
	if len(w.block)+len(w.first)+len(word)+len(list)+8 > blockBytes {
		if err := w.flushBlock(); err != nil {
			return err
		}
	}
	if len(w.block) == 0 {
		w.block, w.first, w.word = append(slices.Grow(w.block, blockBytes), 0, 0, 0, 0), word, ""
	}
	same := 0
	for same < min(len(w.word), len(word)) && w.word[same] == word[same] {
		same++
	}
	w.block = binary.AppendUvarint(w.block, uint64(same))
	w.block = binary.AppendUvarint(w.block, uint64(len(word)-same))
	w.block = append(w.block, word[same:]...)
	w.block = binary.AppendUvarint(w.block, uint64(len(list)))
	w.block = append(w.block, list...)
	w.word = word
	return nil
}

func (w *blockWriter) flushBlock() error {
	if len(w.block) == 0 {
		return nil
	}
	binary.LittleEndian.PutUint32(w.block, crc32.ChecksumIEEE(w.block[4:]))
	_, err := w.tx.ExecContext(w.ctx, "INSERT INTO blocks(part, first, data) VALUES(?,?,?)", w.part, []byte(w.first), w.block)
	w.size += int64(len(w.block))
	w.block = w.block[:0]
	return err
}

// blockReader reads the lists of one block in order.
type blockReader struct {
	rest []byte
	word []byte // valid until the next call of nextWord
	list List
}

// readBlock begins at the first word of a block.
func readBlock(data []byte) (blockReader, error) {
	if len(data) < 4 || binary.LittleEndian.Uint32(data) != crc32.ChecksumIEEE(data[4:]) {
		return blockReader{}, fmt.Errorf("a block of postings: %w", cachefile.ErrDamaged)
	}
	return blockReader{rest: data[4:]}, nil
}

// nextWord reads the next word and its list. It reports whether the block had one.
func (r *blockReader) nextWord() bool {
	if len(r.rest) == 0 {
		return false
	}
	same := r.readNumber()
	word := r.takeBytes(r.readNumber())
	r.word = append(r.word[:same], word...)
	r.list = r.takeBytes(r.readNumber())
	return true
}

func (r *blockReader) readNumber() uint64 {
	n, size := binary.Uvarint(r.rest)
	r.rest = r.rest[size:]
	return n
}

func (r *blockReader) takeBytes(n uint64) []byte {
	some := r.rest[:n:n]
	r.rest = r.rest[n:]
	return some
}

// Reader reads lists within one transaction, and ends with it.
type Reader struct{ tx *sql.Tx }

// NewReader returns the reader of a transaction.
func NewReader(tx *sql.Tx) Reader { return Reader{tx} }

// Range is the words from First to Last.
type Range struct{ First, Last string }

// Read calls visit with the list that each part has of each word of some ranges, and with the number of the range. It reads
// each block once. A list is valid during the call.
func (r Reader) Read(ctx context.Context, ranges []Range, visit func(i int, word []byte, list List)) error {
	ends, order := make([][2]string, len(ranges)), make([]int, len(ranges))
	for i, w := range ranges {
		ends[i], order[i] = [2]string{hex.EncodeToString([]byte(w.First)), hex.EncodeToString([]byte(w.Last))}, i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(ranges[a].First, ranges[b].First) })
	list, err := json.Marshal(ends)
	if err != nil {
		return err
	}
	rows, err := r.tx.QueryContext(ctx, `WITH w(first, last) AS MATERIALIZED (SELECT unhex(value ->> 0), unhex(value ->> 1) FROM json_each(?))
		SELECT data FROM blocks WHERE id IN (SELECT b.id FROM w CROSS JOIN parts p CROSS JOIN blocks b ON b.part = p.id AND b.first <= w.last
		AND b.first >= coalesce((SELECT max(f.first) FROM blocks f WHERE f.part = p.id AND f.first <= w.first), w.first))`, string(list))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var data sql.RawBytes
		if err := rows.Scan(&data); err != nil {
			return err
		}
		block, err := readBlock(data)
		if err != nil {
			return err
		}
		block.visitRanges(ranges, order, visit)
	}
	return rows.Err()
}

// visitRanges calls visit with the words that are in ranges, whose order by their first words is given.
func (r *blockReader) visitRanges(ranges []Range, order []int, visit func(i int, word []byte, list List)) {
	for r.nextWord() {
		for len(order) > 0 && ranges[order[0]].Last < string(r.word) {
			order = order[1:]
		}
		if len(order) == 0 {
			return
		}
		for _, i := range order {
			if ranges[i].First > string(r.word) {
				break
			}
			if string(r.word) <= ranges[i].Last {
				visit(i, r.word, r.list)
			}
		}
	}
}

// ReadGone returns the chunks that parts still have and no note has any more.
func (r Reader) ReadGone(ctx context.Context) (map[Chunk]bool, error) {
	gone := make(map[Chunk]bool)
	err := r.Read(ctx, []Range{{goneWord, goneWord}}, func(_ int, _ []byte, l List) {
		l.Each(func(c Chunk, _ Column, _ int) { gone[c] = true })
	})
	return gone, err
}
