package watch

import (
	"fmt"

	"vaultdispatcher/engine/watch/disk"
)

// proof is the record of a source: whether comparisons that no message asked for found changes that it should have
// reported. A source that missed a change once is watched more closely, and one that did so in two of three
// comparisons is not relied on any more. The file system's name and a probe are only expectations; this record is
// evidence.
type proof struct {
	misses [3]int // changes missed, of the latest comparisons
	n      int    // comparisons
}

// addComparison records a comparison.
func (p *proof) addComparison(missed int) {
	p.misses[p.n%len(p.misses)] = missed
	p.n++
}

// hasMisses reports whether one of the latest comparisons found something.
func (p *proof) hasMisses() bool { return p.countMisses() > 0 }

// isBroken reports whether two of them did.
func (p *proof) isBroken() bool { return p.countMisses() > 1 }

func (p *proof) countMisses() (n int) {
	for _, m := range p.misses {
		if m > 0 {
			n++
		}
	}
	return n
}

// overdue is how old a change must be before it counts as missed: younger ones
// may still be on their way.
const overdue = 2 * disk.Freshness

// weighComparison draws the conclusion from a comparison that nothing asked for.
func (s *session) weighComparison() {
	s.proof.addComparison(s.misses)
	if s.misses > 0 {
		s.opts.Log.Warn("changes were found of which the system had told nothing", "root", s.root.Path, "changes", s.misses)
	}
	if s.proof.isBroken() {
		total := 0
		for _, m := range s.proof.misses {
			total += m
		}
		s.doubt = fmt.Sprintf("%d changes were found of which the system had told nothing", total)
		s.distrust = s.doubt
	}
}
