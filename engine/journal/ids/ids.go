// Package ids makes the ids of dispatches: [New].
package ids

import (
	"crypto/rand"
	"encoding/binary"
	"sync"
	"time"
)

// The digits of an id, in ASCII order and without the letters that are taken
// for others.
const digits = "0123456789abcdefghjkmnpqrstvwxyz"

const (
	idLength   = 13 // digits of 5 bits
	randomBits = 23 // the 42 bits above them count milliseconds since epoch, until 2159
)

var epoch = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// New returns an id for a dispatch accepted at now: thirteen lower-case letters and digits that sort by time and are
// safe in a URL, a file name and an HTML comment. Ids asked for one after another in the same millisecond differ and
// sort in the order they were asked for. All time before epoch counts as one millisecond.
func New(now time.Time) string {
	n := drawNumber(uint64(max(0, now.Sub(epoch).Milliseconds())))
	id := make([]byte, idLength)
	for i := idLength - 1; i >= 0; i-- {
		id[i] = digits[n%32]
		n /= 32
	}
	return string(id)
}

var last struct {
	sync.Mutex
	millisecond, number uint64
}

// drawNumber returns a number whose upper bits are millisecond and whose lower
// ones are random, or the last number and one where that was of the same
// millisecond.
func drawNumber(millisecond uint64) uint64 {
	last.Lock()
	defer last.Unlock()
	if last.number > 0 && last.millisecond == millisecond {
		last.number++
		return last.number
	}
	var random [8]byte
	rand.Read(random[:]) // never fails
	last.millisecond = millisecond
	last.number = millisecond<<randomBits | binary.BigEndian.Uint64(random[:])>>(64-randomBits)
	return last.number
}
