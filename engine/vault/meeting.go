package vault

import (
	"context"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/vault/arrival"
)

// unpackingTime is how long a note that has just appeared may go on being written by
// whoever brought it, a sync program or a clipper: four times as long as a line
// settles, which is 10 s.
func (v *Vault) unpackingTime() time.Duration { return 4 * v.settling.Wait }

const (
	forgetEvery = 24 * time.Hour
	forgetAfter = 10 * time.Minute // from the start, when the notes that were renamed meanwhile have been found
)

// forgetForever forgets from time to time, until ctx ends, what forgetGone does.
func (v *Vault) forgetForever(ctx context.Context) error {
	for wait := forgetAfter; due.Sleep(ctx, wait) == nil; wait = forgetEvery {
		if err := v.forgetGone(ctx, time.Now()); err != nil && ctx.Err() == nil {
			v.log.Warn("forget notes that are gone", "error", err)
		}
	}
	return nil
}

// forgetGone forgets what is remembered of the arrival of notes that are gone. Where the folder does not answer nothing is
// gone. It touches the disk.
func (v *Vault) forgetGone(ctx context.Context, now time.Time) error {
	if !swap.Reachable(v.Root) {
		return nil
	}
	return v.origins.Forget(ctx, now, func(rel string) bool {
		_, err := v.disk.Stat(rel)
		return isNotExist(err)
	})
}

// retryWhileJudging is how soon a note that was saved while its vault was being met is
// looked at again.
const retryWhileJudging = 100 * time.Millisecond

// judgeOldMarkers decides, once in the life of a vault, whether the markers it has when it is
// first watched may start. Until then nothing in it does. standing names those of
// its notes that were not written since it was given to an engine.
func (v *Vault) judgeOldMarkers(ctx context.Context, notes, standing []string) error {
	if v.isMet() {
		return nil
	}
	isOld := make(map[string]bool, len(standing))
	for _, rel := range standing {
		isOld[rel] = true
	}
	var arrivals []journal.Arrival
	old, now := make(map[string]int), time.Now()
	for _, rel := range notes {
		if err := ctx.Err(); err != nil {
			return err
		}
		src, err := v.disk.Read(rel)
		if err != nil {
			continue // its look will find out what is wrong with it
		}
		doc := note.Parse(src)
		markers := doc.Markers
		if v.origins.IsUntrusted(rel, src) {
			arrivals = append(arrivals, arrival.New(rel, now, src))
		} else if len(markers) > 0 && isOld[rel] && !v.templates.IsModel(rel, doc) {
			arrivals = append(arrivals, arrival.OfVault(rel, now, markers))
			old[rel] = len(markers)
		}
	}
	return v.whileLocked(func() error { return v.keepMeeting(ctx, now, arrivals, old) })
}

// keepMeeting remembers that the vault was met, and what waits in it: of the notes in old,
// which had so many markers, nothing where these are few or started early. The caller holds mu.
func (v *Vault) keepMeeting(ctx context.Context, now time.Time, arrivals []journal.Arrival, old map[string]int) error {
	count := 0
	for rel, n := range old {
		if n > v.early[rel] {
			count += n
		}
	}
	arrivals = slices.DeleteFunc(arrivals, func(a journal.Arrival) bool {
		return a.Kind == journal.ForOld && (count <= arrival.Few || old[a.File] <= v.early[a.File])
	})
	if err := v.opts.Journal.RecordOldMarkers(ctx, v.Root, now, arrivals); err != nil {
		return fmt.Errorf("meet the vault %s: %w", v.Name, err)
	}
	v.met = true
	if count > arrival.Few {
		v.engine.OldMarkersHeld(v.Name, count)
	}
	return nil
}
