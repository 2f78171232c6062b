package vault

import (
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// Pairing says which markers of a note are claimed by which dispatch.
type Pairing struct {
	Free    []note.Marker                // markers without a claim
	Claimed map[note.Span]*journal.Claim // by the marker's place in the note
	lost    map[string][]journal.Claim   // claims whose line is gone, by dispatch
}

// PairClaims gives every claim of a note the marker it stands for. Equal lines are told
// apart by what stands around them: the same words under another heading are
// another question.
func PairClaims(markers []note.Marker, claims []journal.Claim) Pairing {
	p := Pairing{Claimed: make(map[note.Span]*journal.Claim), lost: make(map[string][]journal.Claim)}
	traces := make([]note.Trace, len(claims))
	for i, c := range claims {
		traces[i] = c.Marker.Trace
	}
	for i, at := range note.Match(markers, traces) {
		if at < 0 {
			p.lost[claims[i].Dispatch] = append(p.lost[claims[i].Dispatch], claims[i])
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

// wasEdited reports whether one of the lost claims was turned into another marker:
// a free marker stands on its line or beside one of its neighbours.
func wasEdited(lost []journal.Claim, free []note.Marker) bool {
	for _, c := range lost {
		for _, m := range free {
			if m.Line == c.Marker.Line || c.Marker.Trace.IsBeside(m) {
				return true
			}
		}
	}
	return false
}

// CountLines counts the byte-equal marker lines of a note.
func CountLines(markers []note.Marker) map[string]int {
	n := make(map[string]int)
	for _, m := range markers {
		n[m.Text]++
	}
	return n
}
