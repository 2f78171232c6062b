package vault

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/past"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/vault/follow"
	"vaultdispatcher/engine/vault/templates"
)

// unpackingTime is how long a note that has just appeared may go on being written by
// whoever brought it, a sync program or a clipper: four times as long as a line
// settles, which is 10 s.
func (v *Vault) unpackingTime() time.Duration { return 4 * v.settling.Wait }

const (
	forgetEvery = 24 * time.Hour
	keepGone    = 7 * 24 * time.Hour // a sync program may bring a note back, and a renamed one is still to be recognised
	forgetAfter = follow.AtMost      // from the start, when the notes that were renamed meanwhile have been found
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

// forgetGone forgets the past of notes that have been gone for a week, and which of these were copies. Where the folder
// does not answer nothing is gone. It touches the disk.
func (v *Vault) forgetGone(ctx context.Context, now time.Time) error {
	if !swap.Reachable(v.Root) {
		return nil
	}
	isGone := func(rel string) bool {
		_, err := v.disk.Stat(rel)
		return isNotExist(err)
	}
	return errors.Join(v.past.Forget(ctx, now, keepGone, isGone), v.copied.ForgetGone(ctx, now, keepGone, isGone))
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
	isOld, now, meeting := setOf(standing), time.Now(), past.Meeting{All: v.doubts.Load()}
	for _, rel := range notes {
		if err := ctx.Err(); err != nil {
			return err
		}
		src, err := v.disk.Read(rel)
		if err != nil {
			continue // its look will find out what is wrong with it
		}
		doc := note.Parse(src)
		if v.past.IsUntrusted(rel, src) {
			meeting.AddTheirs(rel, src, doc)
		} else if isOld[rel] && !v.templates.IsModel(rel, doc) {
			parts := templates.FindParts(src)
			meeting.AddOld(rel, src, doc, slices.DeleteFunc(slices.Clone(doc.Markers), func(m note.Marker) bool { _, is := parts.At(m.Line); return is }))
		}
	}
	return v.whileLocked(func() error {
		waiting, err := v.past.Meet(ctx, now, meeting)
		if err != nil {
			return fmt.Errorf("meet the vault %s: %w", v.Name, err)
		}
		v.doubts.Store(false)
		if v.met = true; waiting > 0 {
			v.engine.OldMarkersHeld(v.Name, waiting)
		}
		return nil
	})
}
