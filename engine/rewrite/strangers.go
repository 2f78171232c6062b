package rewrite

import (
	"bytes"
	"errors"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
)

// ErrForeign is why an answer is not taken back: the answer in the note is another question's.
var ErrForeign = errors.New("the answer that stands there is another question's; two notes may have swapped their names")

// Stranger is the equal answer of another dispatch.
type Stranger struct {
	Path  string   // of its note, absolute
	Hash  [32]byte // of that note as it was written
	Block note.Block
}

// mostVisits is how many notes are read to see whether strangers are at home; in doubt an answer is
// left alone.
const mostVisits = 64

// checkOwner says whether the blocks at these spans are this job's, as far as others have equal ones. A block is another's
// when that one's neighbours are beside it rather than its own, and no block in the other's note has them; or when the note
// has the very bytes of the other's. That its own neighbours have changed is no sign: a person writes around answers.
func (t try) checkOwner(spans []note.Span) error {
	if t.Hash != [32]byte{} && t.Hash == t.res.Hash {
		return nil // no program has changed the note since
	}
	visits := 0
	for i, p := range t.Places {
		own := scoreNeighbours(t.bared.Text, spans[i], p.Block)
		for _, s := range t.Strangers {
			if !sameLines(s.Block.Text, p.Block.Text) {
				continue
			}
			if s.Path != t.Path && s.Hash == t.res.Hash {
				return ErrForeign
			}
			score := scoreNeighbours(t.bared.Text, spans[i], s.Block)
			if score <= own || score < sameNeighbour {
				continue
			}
			if visits++; visits > mostVisits || !t.isAtHome(s, score, spans) {
				return ErrForeign
			}
		}
	}
	return nil
}

// isAtHome reports whether a stranger's block is in its own note, between as many of its neighbours,
// and outside of the given spans.
func (t try) isAtHome(s Stranger, score int, spans []note.Span) bool {
	text := t.bared.Text
	if s.Path != t.Path {
		src, err := t.swapper.Read(t.Root, s.Path)
		if err != nil {
			return false
		}
		text, spans = src.Data, nil
	}
	for _, run := range find.FindLines(text, s.Block.Text) {
		taken := false
		for _, span := range spans {
			taken = taken || span.Start < run.End && run.Start < span.End
		}
		if !taken && scoreNeighbours(text, run, s.Block) >= score {
			return true
		}
	}
	return false
}

// sameLines reports whether two blocks have the same lines, whatever these end with.
func sameLines(a, b []byte) bool {
	return bytes.Equal(a, b) || note.UnifyLineEnds(string(a)) == note.UnifyLineEnds(string(b))
}
