package engine

import (
	"bytes"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// pairing says which markers of a note are claimed by which dispatch.
type pairing struct {
	free    []note.Marker                // markers without a claim
	claimed map[note.Span]*journal.Claim // by the marker's place in the note
	lost    map[string][]journal.Claim   // claims whose line is gone, by dispatch
}

// pair gives every claim of a note the marker it stands for. Byte-equal lines
// are the same request, so their claims are counted, not told apart: when such a
// line is answered or removed the ordinals of the others shift.
func pair(markers []note.Marker, claims []journal.Claim) pairing {
	p := pairing{claimed: make(map[note.Span]*journal.Claim), lost: make(map[string][]journal.Claim)}
	open := make(map[string][]*journal.Claim)
	for i := range claims {
		text := string(claims[i].Marker.Text)
		open[text] = append(open[text], &claims[i])
	}
	for _, m := range markers {
		same := open[m.Text]
		if len(same) == 0 {
			p.free = append(p.free, m)
			continue
		}
		p.claimed[m.Span] = same[0]
		open[m.Text] = same[1:]
	}
	for _, left := range open {
		for _, c := range left {
			p.lost[c.Dispatch] = append(p.lost[c.Dispatch], *c)
		}
	}
	return p
}

// edited reports whether one of the lost claims was turned into another marker:
// a free marker stands on its line or between its neighbours.
func edited(lost []journal.Claim, free []note.Marker) bool {
	for _, c := range lost {
		for _, m := range free {
			if m.Line == c.Marker.Line || between(m, c.Marker) {
				return true
			}
		}
	}
	return false
}

// between reports whether m has the same neighbours as a claimed marker. A note
// that holds nothing else has no neighbours to go by.
func between(m note.Marker, c journal.Marker) bool {
	if m.Before == "" && m.After == "" {
		return false
	}
	return bytes.Equal([]byte(m.Before), c.Before) && bytes.Equal([]byte(m.After), c.After)
}

// equalLines counts the byte-equal marker lines of a note.
func equalLines(markers []note.Marker) map[string]int {
	n := make(map[string]int)
	for _, m := range markers {
		n[m.Text]++
	}
	return n
}
