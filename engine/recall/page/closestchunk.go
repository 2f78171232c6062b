package page

import (
	"math/bits"
	"strings"

	"vaultdispatcher/engine/recall/terms"
)

// LinkedChunk is the chunk of a note that only a link has found: the one it leads
// to, else the one that says most about q.
func (p *Page) LinkedChunk(anchor string, q *terms.Query) Chunk {
	for _, c := range p.Chunks {
		if n := len(c.Path); anchor != "" && n > 0 && anchorKey(c.Path[n-1]) == anchor {
			return c
		}
	}
	best, most := p.ClosestChunk(q)
	if most == 0 {
		return p.Chunks[0]
	}
	return best
}

// ClosestChunk is the chunk with most terms of q, and how many these are.
func (p *Page) ClosestChunk(q *terms.Query) (best Chunk, most int) {
	for _, c := range p.Chunks {
		text := strings.Join(c.Path, "\n")
		for _, b := range p.Blocks[c.Start:c.End] {
			text += "\n" + p.Text(b)
		}
		if n := bits.OnesCount64(q.Mask(text)); n > most {
			best, most = c, n
		}
	}
	return best, most
}
