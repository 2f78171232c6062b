package vault

import (
	"context"
	"errors"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/vault/follow"
	"vaultdispatcher/engine/vault/presence"
)

const (
	forgetEvery = presence.Every
	keepGone    = presence.LeftFor // a sync program may bring a note back, and a renamed one is still to be recognised
	forgetAfter = follow.AtMost    // from the start, when the notes that were renamed meanwhile have been found
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

// forgetGone forgets the past of notes that have been gone for a week, and whether they were
// copies. While the folder does not answer, no note counts as gone. It touches the disk.
func (v *Vault) forgetGone(ctx context.Context, now time.Time) error {
	if !swap.Reachable(v.Root) {
		return nil
	}
	isGone := func(rel string) bool {
		_, err := v.disk.Stat(rel)
		return isNotExist(err)
	}
	return errors.Join(v.memory.Forget(ctx, now, keepGone, isGone), v.copied.ForgetGone(ctx, now, keepGone, isGone))
}
