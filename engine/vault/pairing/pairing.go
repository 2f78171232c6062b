// Package pairing says which marker of a note belongs to which dispatch: [PairClaims] gives each claim
// of the journal its marker, and [MatchMoves] says where the questions of a note that was renamed or
// moved are now. It reads no file and asks no clock.
package pairing

import (
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
)

// Pairs say which markers of a note are claimed by which dispatch.
type Pairs struct {
	Free    []note.Marker                // markers without a claim
	Claimed map[note.Span]*journal.Claim // by the marker's place in the note
	Lost    map[string][]journal.Claim   // claims whose line is gone, by dispatch
}

// PairClaims gives every claim of a note the marker it stands for. Equal lines are told
// apart by what stands around them: the same words under another heading are
// another question. Other white space is none, where a claim waits for its agent or its answer
// ([find.Match]).
func PairClaims(markers []note.Marker, claims []journal.Claim) Pairs {
	p := Pairs{Claimed: make(map[note.Span]*journal.Claim), Lost: make(map[string][]journal.Claim)}
	for i, at := range find.Match(markers, Traces(claims)) {
		if at < 0 {
			id := claims[i].Dispatch
			p.Lost[id] = append(p.Lost[id], claims[i])
			continue
		}
		p.Claimed[markers[at].Span] = &claims[i]
	}
	for _, m := range markers {
		if p.Claimed[m.Span] == nil {
			p.Free = append(p.Free, m)
		}
	}
	return p
}

// WasEdited reports whether one of the lost claims was turned into another marker: one of fresh,
// which are free, stands on its line or beside one of its neighbours; or one of free is the same but for
// its white space, or for the quotes and lists it is in, and there are too many of these to tell which.
func WasEdited(lost []journal.Claim, fresh, free []note.Marker) bool {
	folded := make(map[string]bool, len(free))
	for _, m := range free {
		folded[note.Fold(m.Text)] = true
	}
	for _, c := range lost {
		at := c.Trace()
		if at.Folds && folded[note.Fold(at.Text)] {
			return true
		}
		for _, m := range fresh {
			if m.Line == at.Line || at.IsBeside(m) {
				return true
			}
		}
	}
	return false
}

// CountLines counts the byte-equal questions of a note.
func CountLines(markers []note.Marker) map[string]int {
	n := make(map[string]int)
	for _, m := range markers {
		n[m.Text]++
	}
	return n
}

// Traces returns the memory of the markers that are claimed.
func Traces(claims []journal.Claim) []note.Trace {
	traces := make([]note.Trace, len(claims))
	for i, c := range claims {
		traces[i] = c.Trace()
	}
	return traces
}
