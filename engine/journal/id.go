package journal

import (
	"crypto/rand"
	"encoding/binary"
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

// NewID returns an id for a dispatch accepted at now: thirteen lower-case letters
// and digits that sort by time and stand safely in a URL, a file name and an
// HTML comment.
func NewID(now time.Time) string {
	var random [8]byte
	rand.Read(random[:]) // never fails
	n := uint64(max(0, now.Sub(epoch).Milliseconds()))<<randomBits |
		binary.BigEndian.Uint64(random[:])>>(64-randomBits)
	id := make([]byte, idLength)
	for i := idLength - 1; i >= 0; i-- {
		id[i] = digits[n%32]
		n /= 32
	}
	return string(id)
}
