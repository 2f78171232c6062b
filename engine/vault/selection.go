package vault

import (
	"context"
	"slices"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/vault/burst"
	"vaultdispatcher/engine/vault/pairing"
	"vaultdispatcher/engine/vault/questions"
)

// A selection that is moved into a new note takes its question along, while the note it was in still
// stands. Note apps write the new note first; so a question that equals one at work elsewhere waits
// there until the old one is either gone or has plainly stayed.

// movesWithin is how long after a question has settled in a new note its line may still leave the old one.
const movesWithin = 5 * time.Second

// followSelection takes along the dispatches whose questions have left another note for this new one. It
// returns the markers that are ready without those that were taken along or that wait for it. It
// touches the disk. The caller holds mu.
func (v *Vault) followSelection(ctx context.Context, s Save, doc note.Doc, ready []note.Marker) (left []note.Marker, err error) {
	now := time.Now()
	if len(ready) == 0 || !v.arrivals.IsYoung(s.Rel, now, burst.Within) {
		return ready, nil
	}
	at, equal, err := v.findAtWork(ctx, s.Rel, ready)
	if err != nil || len(equal) == 0 {
		return ready, err
	}
	if until := v.settling.FirstLook(s.Rel, equal).Add(v.settling.Wait + movesWithin); !s.Now && now.Before(until) {
		v.wakeAt(s, until)
		return without(ready, equal), nil
	}
	to := pairing.Find{File: s.Rel, Free: equal, Markers: doc.Markers}
	for _, m := range pairing.MatchSelection(v.findLeft(at), to) {
		moved, err := v.takeAlong(ctx, m, to)
		if err != nil {
			return ready, err
		}
		if moved {
			ready = without(ready, m.Markers)
		}
	}
	return ready, nil
}

func without(markers, some []note.Marker) []note.Marker {
	return slices.DeleteFunc(slices.Clone(markers), func(m note.Marker) bool {
		return slices.ContainsFunc(some, func(o note.Marker) bool { return o.Span == m.Span })
	})
}

// findAtWork returns the claims of other notes in which one of the markers is at work, and these markers.
func (v *Vault) findAtWork(ctx context.Context, rel string, markers []note.Marker) (at map[string][]journal.Claim, equal []note.Marker, err error) {
	claims, err := v.opts.Journal.Claims(ctx, v.Root, "")
	if err != nil {
		return nil, nil, err
	}
	texts := make(map[string]bool)
	at = make(map[string][]journal.Claim)
	for _, m := range markers {
		texts[note.Fold(m.Text)] = true
	}
	working := make(map[string]bool)
	for _, c := range claims {
		fold := note.Fold(c.Marker.Text)
		if known := texts[fold]; known && c.File != rel && c.Trace().Folds {
			at[c.File], working[fold] = nil, true
		}
	}
	for _, c := range claims {
		if list, known := at[c.File]; known {
			at[c.File] = append(list, c)
		}
	}
	for _, m := range markers {
		if working[note.Fold(m.Text)] {
			equal = append(equal, m)
		}
	}
	return at, equal, nil
}

// findLeft returns the claims whose lines have left their notes, which still stand.
func (v *Vault) findLeft(at map[string][]journal.Claim) (strays []pairing.Stray) {
	for rel, claims := range at {
		src, err := v.Read(rel)
		if err != nil || len(claims) == 0 {
			continue // its own look deals with that
		}
		found := pairing.PairClaims(questions.ParseAsAsked(src, claims, nil).Markers, claims)
		stray := pairing.Stray{File: rel}
		open := make(map[string]int) // by dispatch
		for _, c := range claims {
			open[c.Dispatch]++
		}
		for _, c := range claims {
			if len(found.Lost[c.Dispatch]) == open[c.Dispatch] {
				stray.Claims = append(stray.Claims, c)
			}
		}
		strays = append(strays, stray)
	}
	return strays
}
