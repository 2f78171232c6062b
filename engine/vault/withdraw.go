package vault

import (
	"context"
	"errors"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/vault/pairing"
)

// withdrawChanged ends dispatches whose line the user has changed or removed, and
// returns the claims that still hold; why says which of it. What an agent is already working on ends
// only when its line became another marker: a line that is merely gone may come
// back with its note, and its answer is kept in any case.
func (v *Vault) withdrawChanged(ctx context.Context, rel, why string, markers []note.Marker, claims []journal.Claim) ([]journal.Claim, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	found := pairing.PairClaims(markers, claims)
	asked, _ := v.keepAnswerable(rel, found.Free, nil)
	fresh := v.settling.ListUnseen(rel, asked)
	standing, ended := make(map[string]bool), make(map[string]bool)
	for _, c := range found.Claimed {
		standing[c.Dispatch] = true
	}
	for id, lost := range found.Lost {
		if underWay(lost[0]) && !pairing.WasEdited(lost, fresh, asked) || lost[0].Status == journal.Cancelled && standing[id] {
			continue
		}
		err := v.dispatcher.Cancel(ctx, id, why)
		if err != nil && !errors.Is(err, journal.ErrState) {
			return nil, err
		}
		ended[id] = err == nil
	}
	var kept []journal.Claim
	for _, c := range claims {
		if !ended[c.Dispatch] {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// underWay reports whether an agent is at work for a claim, or its answer waits
// to be written.
func underWay(c journal.Claim) bool {
	return c.Status == journal.Processing || c.Status == journal.Queued && c.Answered
}

// withdrawArrivals counts markers no more that are those of a note under another name.
// The caller holds mu.
func (v *Vault) withdrawArrivals(rel string, markers []note.Marker) {
	for _, m := range markers {
		v.arrivals.Withdraw(v.settling.Arrival(rel, m))
	}
}
