// Package proposal is what a person is shown of a change before it is made.
//
// [Show] makes the diff of two states of a note. Its Seen is the hash of the lines that the diff removes and adds: an
// approval carries it, and a change with another hash is not the one that was approved. The hash covers neither the
// rest of the note nor line numbers, nor whether the note ends with a line end before and after: after a change elsewhere in
// the note, a person is not asked twice.
package proposal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Shown is a change as a person sees it.
type Shown struct {
	Diff string // unified, from its first @@ line; empty where nothing would change
	Hash string // hash of the lines that go and that come
}

// Show returns the change from one state of a note to another.
func Show(before, after []byte) Shown {
	text := diff.Diff("before", before, "after", after)
	if at := bytes.Index(text, []byte("@@ ")); at > 0 {
		text = text[at:]
	}
	sum, last, ends := sha256.New(), byte(0), 0
	for line := range bytes.Lines(text) {
		switch side := line[0]; {
		case side == '-', side == '+':
			sum.Write(line)
		case side == '\\' && last == '-': // the line before has no line end
			ends++
		case side == '\\' && last == '+':
			ends--
		}
		last = line[0]
	}
	if ends != 0 { // the change gives the note its last line end, or takes it
		sum.Write([]byte{'\\'})
	}
	return Shown{Diff: strings.ToValidUTF8(string(text), "\uFFFD"), Hash: hex.EncodeToString(sum.Sum(nil)[:16])}
}
