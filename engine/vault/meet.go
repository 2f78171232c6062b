package vault

import (
	"context"
	"fmt"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// FewMarkers is how many markers a vault may hold when it is first watched to be
// answered without a word. More of them were hardly all meant for this program
// today, and could cost their owner money.
const FewMarkers = 10

// acquaintance is how soon a note that was saved while its vault was being met is
// looked at again.
const acquaintance = 100 * time.Millisecond

// meetOnce decides, once in the life of a vault, whether the markers it has when it is
// first watched may start. Until then nothing in it does. standing names those of
// its notes that were not written since.
func (v *Vault) meetOnce(ctx context.Context, notes, standing []string) error {
	if v.isMet() {
		return nil
	}
	isOld := make(map[string]bool, len(standing))
	for _, rel := range standing {
		isOld[rel] = true
	}
	var arrivals []journal.Arrival
	old, now := 0, time.Now()
	for _, rel := range notes {
		if err := ctx.Err(); err != nil {
			return err
		}
		src, err := v.Read(rel)
		if err != nil {
			continue // its look will find out what is wrong with it
		}
		markers := note.Parse(src).Markers
		if v.isUntrusted(rel, src) {
			arrivals = append(arrivals, newArrival(rel, now, src))
		} else if len(markers) > 0 && isOld[rel] {
			arrivals = append(arrivals, journal.Arrival{File: rel, Seen: now, Reason: cameWithVault, Came: markerLines(markers)})
			old += len(markers)
		}
	}
	if old <= FewMarkers {
		arrivals = dropCameWithVault(arrivals)
	}
	if err := v.opts.Journal.Meet(ctx, v.Root, now, arrivals); err != nil {
		return fmt.Errorf("meet the vault %s: %w", v.Name, err)
	}
	v.mu.Lock()
	v.met = true
	v.mu.Unlock()
	if old > FewMarkers && v.port.OldMarkers != nil {
		v.port.OldMarkers(v.Name, old)
	}
	return nil
}

// dropCameWithVault keeps what waits for another reason than that it stood in the vault.
func dropCameWithVault(arrivals []journal.Arrival) (kept []journal.Arrival) {
	for _, a := range arrivals {
		if a.Reason != cameWithVault {
			kept = append(kept, a)
		}
	}
	return kept
}

// isMet reports whether the vault was met, now or by an earlier engine.
func (v *Vault) isMet() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.met
}
