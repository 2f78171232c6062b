// Package postings keeps, in tables of a SQLite database, how often each chunk of text has each word. [Part] collects
// the writes of one transaction, [Reader] returns the lists of the words of some ranges, and [Merge] makes one part of
// several.
//
// A part never changes: it has the chunks of one transaction, and says which chunks of older parts are gone. So a
// saved note costs as much as its own words, and the chunks of one part have higher numbers than those of all parts
// before it.
//
// # Promises
//
// A block whose bytes are not those that were written is found when it is read, and
// is an error that [cachefile.IsDamaged] knows.
package postings

import "encoding/binary"

// Schema makes the tables. The size of a part tells which parts are worth merging.
const Schema = `
CREATE TABLE parts (id INTEGER PRIMARY KEY, before INTEGER NOT NULL, last INTEGER NOT NULL, size INTEGER NOT NULL);
CREATE TABLE blocks (id INTEGER PRIMARY KEY, part INTEGER NOT NULL, first BLOB NOT NULL, data BLOB NOT NULL);
CREATE INDEX blocks_first ON blocks(part, first);`

// Column is where in a chunk a word is.
type Column uint8

const (
	Title Column = iota
	Heading
	Body
)

// Chunk is the number of a chunk. Its last byte is the length of the text, so that
// ranking needs nothing but the postings.
type Chunk int64

const lengthBits = 8

// NumberOf is the number of the chunk with a place in the order of all and a length.
func NumberOf(place int64, length uint8) Chunk { return Chunk(place<<lengthBits | int64(length)) }

// Length is the length of a chunk's text, as it was given to NumberOf.
func (c Chunk) Length() uint8 { return uint8(c) }

func (c Chunk) placeInOrder() int64 { return int64(c) >> lengthBits }

// List is the chunks that have a word, in the order of their numbers: how many there are,
// then for each column of each chunk the distance from the chunk before, the column,
// whether a count follows, and for a new chunk its length.
type List []byte

// Len is how many chunks a list has at most.
func (l List) Len() int {
	n, _ := binary.Uvarint(l)
	return int(n)
}

// Each calls visit with the occurrences of the word, column by column.
func (l List) Each(visit func(c Chunk, in Column, times int)) {
	_, at := binary.Uvarint(l)
	var c Chunk
	for at > 0 && at < len(l) {
		head, n := uint64(l[at]), 1
		if head >= 0x80 {
			head, n = binary.Uvarint(l[at:])
		}
		if at += n; n <= 0 {
			return
		}
		if step := head >> 3; step > 0 && at < len(l) {
			c = NumberOf(c.placeInOrder()+int64(step), l[at])
			at++
		}
		times := uint64(1)
		if head&1 != 0 {
			times, n = binary.Uvarint(l[at:])
			if at += n; n <= 0 {
				return
			}
		}
		visit(c, Column(head>>1&3), int(times))
	}
}

// builder makes a list. What is counted last is not yet in text.
type builder struct {
	text   []byte
	chunks int
	place  int64 // of the last chunk in text

	chunk  Chunk
	column Column
	times  int
}

// addOccurrences takes chunks in the order of their numbers.
func (b *builder) addOccurrences(c Chunk, in Column, times int) {
	if c != b.chunk || in != b.column {
		b.flushCount()
		b.chunk, b.column = c, in
	}
	b.times += times
}

func (b *builder) flushCount() {
	if b.times == 0 {
		return
	}
	step := b.chunk.placeInOrder() - b.place
	head := uint64(step)<<3 | uint64(b.column)<<1
	if b.times > 1 {
		head |= 1
	}
	if head < 0x80 {
		b.text = append(b.text, byte(head))
	} else {
		b.text = binary.AppendUvarint(b.text, head)
	}
	if step > 0 {
		b.text = append(b.text, b.chunk.Length())
		b.chunks++
	}
	if b.times > 1 {
		b.text = binary.AppendUvarint(b.text, uint64(b.times))
	}
	b.place, b.times = b.chunk.placeInOrder(), 0
}

// makeList returns what was added, in the place of another list that is needed no more; nothing can be added any more.
func (b *builder) makeList(into List) List {
	b.flushCount()
	return append(binary.AppendUvarint(into[:0], uint64(b.chunks)), b.text...)
}
